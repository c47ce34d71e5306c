import { quote } from "../../base/describe.ts";
import { below } from "../../source/place.ts";
import { defineTrigger } from "../trigger.ts";

/** A time has come, on the run's clock. A time that lies in the past has come when the run starts. */
export const timerExpired = defineTrigger({
  type: "timer_expired",
  schema: {
    type: "object",
    description: "A time has come: so long after the run's start, or at a time. One of the two.",
    properties: {
      after_ms: { type: "number", minimum: 0, examples: [60_000] },
      at: { type: "string", minLength: 1, examples: ["2031-05-04T12:00:00Z"] },
    },
    additionalProperties: false,
  },
  observes: ["TimerFired"],

  check({ settings: { after_ms, at }, place }, _names, findings) {
    const what = `A trigger of type "timer_expired"`;
    if (after_ms === undefined && at === undefined) {
      findings.report("missing-field", place, { what, field: "after_ms", example: `"after_ms": 60000` });
    }
    if (after_ms !== undefined && at !== undefined) {
      findings.report("conflicting-fields", place, { what, both: ["after_ms", "at"] });
    }
    if (typeof at !== "string" || at === "" || !Number.isNaN(Date.parse(at))) return;
    const expected = "a time as in 2031-05-04T12:00:00Z";
    findings.report("invalid-value", below(place, "at"), { what: `"at"`, got: quote(at), expected });
  },

  watch: (_trigger, { variable }) => {
    return (event) => event.name === variable;
  },

  timer({ settings: { after_ms, at } }, startedAtMs) {
    return typeof after_ms === "number" ? startedAtMs + after_ms : Date.parse(String(at));
  },
});
