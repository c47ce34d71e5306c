import { reportIdle } from "../plan-names.ts";
import { defineTrigger } from "../trigger.ts";

/** A tool has answered: it succeeded, it failed, or it returned something that meets conditions. */
export const toolResponse = defineTrigger({
  type: "tool_response",
  schema: {
    type: "object",
    description: "A tool has succeeded, has failed, or has returned something that meets conditions.",
    properties: {
      tool: { type: "string", minLength: 1, examples: ["send_email"] },
      status: {
        type: "string",
        description: "Absent: succeeded. Every attempt at a call is a response.",
        enum: ["succeeded", "failed"],
        examples: ["succeeded"],
      },
      conditions: { type: "array", description: "Over REF:response…; of a failure: code, name and message." },
    },
    required: ["tool"],
    additionalProperties: false,
  },
  conditionsOn: "response",
  observes: ["ToolResponded"],
  check: (trigger, names, findings) => reportIdle(trigger, "tool", names.tools, findings),

  watch({ settings: { tool, status = "succeeded" }, conditions }, means) {
    return (event) =>
      event.tool === tool && event.status === status && means.holds(conditions, event.response);
  },
});
