import { isObject } from "../../base/json.ts";
import { patternProblem } from "../../ir/pattern.ts";
import { below } from "../../source/place.ts";
import { neverMatches } from "../never-matches.ts";
import { reportUnknownAgent } from "../plan-names.ts";
import { defineTrigger } from "../trigger.ts";

/** An agent says something. Exactly that, unless the declaration opts into more. */
export const agentText = defineTrigger({
  type: "agent_text",
  schema: {
    type: "object",
    description: "An agent says something.",
    properties: {
      agent: { type: "string", minLength: 1, examples: ["InterviewAgent"] },
      match: {
        type: "object",
        description: "One of equals, contains and regex.",
        properties: {
          equals: {
            type: "string",
            description: "The whole text, to the character.",
            examples: ["TERMINATE"],
          },
          contains: { type: "string", description: "A part of the text.", examples: ["goodbye"] },
          regex: { type: "string", description: "Found anywhere in the text.", examples: ["^bye\\b"] },
          ignore_case: { type: "boolean", description: "Upper and lower case are the same." },
        },
        additionalProperties: false,
      },
    },
    required: ["agent", "match"],
    additionalProperties: false,
  },
  observes: ["TextEmitted"],

  check(trigger, names, findings) {
    reportUnknownAgent(trigger, names, findings);
    const { match } = trigger.settings;
    if (!isObject(match)) return;
    const place = below(trigger.place, "match");
    const given = ["equals", "contains", "regex"].filter((field) => match[field] !== undefined);
    if (given.length === 0) {
      const example = `"equals": "TERMINATE"`;
      findings.report("missing-field", place, { what: `"match"`, field: "equals", example });
    }
    if (given.length > 1) findings.report("conflicting-fields", place, { what: `"match"`, both: given });
    const { regex } = match;
    if (typeof regex !== "string") return;
    const why = patternProblem(regex);
    if (why !== undefined) findings.report("invalid-pattern", below(place, "regex"), { pattern: regex, why });
    else if (neverMatches(regex)) {
      findings.report("dead-trigger", below(place, "regex"), {
        why: `no text matches the pattern "${regex}"`,
      });
    }
  },

  watch({ settings: { agent, match } }, means) {
    const { equals, contains, regex, ignore_case } = isObject(match) ? match : {};
    const fold = ignore_case === true ? (text: string) => text.toLowerCase() : (text: string) => text;
    let matches: (text: string) => boolean = () => false;
    if (typeof equals === "string") matches = (text) => fold(text) === fold(equals);
    else if (typeof contains === "string") matches = (text) => fold(text).includes(fold(contains));
    else if (typeof regex === "string") matches = means.matcher(regex, ignore_case === true);
    return (event) => event.agent === agent && matches(event.text);
  },
});
