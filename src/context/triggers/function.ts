import { below } from "../../source/place.ts";
import { defineTrigger } from "../trigger.ts";

/** A small pure function of the event says so. It sees every event, and nothing else. */
export const functionTrigger = defineTrigger({
  type: "function",
  schema: {
    type: "object",
    description: "A pure function of the event, in JavaScript, returns true.",
    properties: {
      source: {
        type: "string",
        minLength: 1,
        description:
          "An arrow function or a function expression. No I/O, no clock, no chance; limited time and memory.",
        examples: ["(event) => event.kind === 'TextEmitted' && event.text.startsWith('DONE')"],
      },
    },
    required: ["source"],
    additionalProperties: false,
  },
  observes: ["TextEmitted", "TurnTaken", "ToolResponded", "TimerFired", "InputProvided", "CustomEmitted"],

  check({ settings: { source }, place }, _names, findings) {
    const why = typeof source === "string" && source !== "" ? functionProblem(source) : undefined;
    if (why !== undefined) findings.report("invalid-function", below(place, "source"), { why });
  },

  watch({ settings: { source } }, means) {
    return means.sandboxed(String(source));
  },
});

/** What is wrong with the source, as the end of a sentence. It is parsed here, and never called. */
function functionProblem(source: string): string | undefined {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "").trim();
  if (/^async\b(?!\s*=>)/.test(code)) return "it is async, and a promise is no answer; remove `async`";
  if (/^function\s*\*/.test(code)) return "it is a generator, and a generator is no answer; remove the `*`";
  if (!/^(\(|function\b|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u.test(code)) {
    return "it is not a function; write (event) => … and use `event` in it";
  }
  try {
    new Function(`"use strict"; return (${source}\n);`);
    return undefined;
  } catch (error) {
    // Where a page forbids making functions from text, only the run can tell.
    return error instanceof SyntaxError ? `it does not parse (${error.message})` : undefined;
  }
}
