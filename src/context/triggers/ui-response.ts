import { reportIdle } from "../plan-names.ts";
import { defineTrigger } from "../trigger.ts";

/** A person has answered a question, or has said yes or no to a step. */
export const uiResponse = defineTrigger({
  type: "ui_response",
  schema: {
    type: "object",
    description:
      "A person has answered a question; of a step that asks for a yes or no, the question is its id.",
    properties: {
      question: { type: "string", minLength: 1, examples: ["reply_message"] },
      conditions: { type: "array", description: "Over REF:answer…" },
    },
    required: ["question"],
    additionalProperties: false,
  },
  conditionsOn: "answer",
  observes: ["InputProvided"],

  check(trigger, names, findings) {
    const { question } = trigger.settings;
    const inner =
      typeof question === "string" && question.includes(".") ? question.replace(/^.*\./, ".") : undefined;
    if (inner === undefined || names.questions?.has(inner.replace(/\[\d+\]$/, "")) !== true) {
      reportIdle(trigger, "question", names.questions, findings);
    }
  },

  watch({ settings: { question }, conditions }, means) {
    return (event) => event.name === question && means.holds(conditions, event.value);
  },
});
