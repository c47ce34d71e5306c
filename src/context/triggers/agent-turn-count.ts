import { reportUnknownAgent } from "../plan-names.ts";
import { defineTrigger } from "../trigger.ts";

/** An agent has taken so many turns. */
export const agentTurnCount = defineTrigger({
  type: "agent_turn_count",
  schema: {
    type: "object",
    description: "An agent has taken so many turns.",
    properties: {
      agent: { type: "string", minLength: 1, examples: ["InterviewAgent"] },
      at_least: { type: "integer", minimum: 1, examples: [3] },
    },
    required: ["agent", "at_least"],
    additionalProperties: false,
  },
  observes: ["TurnTaken"],
  check: reportUnknownAgent,

  watch({ settings: { agent, at_least } }) {
    const wanted = typeof at_least === "number" ? at_least : Number.POSITIVE_INFINITY;
    let turns = 0;
    return (event) => event.agent === agent && ++turns >= wanted;
  },
});
