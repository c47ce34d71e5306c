import { quote } from "../../base/describe.ts";
import { Suspension } from "../tool.ts";
import type { CoreAgent } from "./core-agent.ts";
import { refuse } from "./refuse.ts";

interface Params {
  readonly duration_ms?: number | null;
  readonly until?: string | null;
}

/** The last time that a date can hold. */
const TIME_MAX = 8_640_000_000_000_000;

export const wait: CoreAgent = {
  name: "wait",
  description:
    "Waits for a while or until a time. The run holds nothing meanwhile, and a restart does not begin the wait anew.",
  sideEffects: false,
  arguments: [
    { name: "duration_ms", type_name: "number", description: "How long, in milliseconds.", required: false },
    {
      name: "until",
      type_name: "string",
      description:
        "A time in ISO 8601 with its zone, such as 2030-01-31T09:00:00Z, instead of a duration. One that has passed does not wait.",
      required: false,
    },
  ],
  responses: [
    { name: "waited_until", type_name: "string", description: "When the wait was over, ISO 8601." },
  ],
  tool:
    ({ clock }) =>
    ({ duration_ms, until }: Params) => {
      const untilMs = endOf(duration_ms ?? undefined, until ?? undefined, clock.now());
      return new Suspension(untilMs, { waited_until: new Date(untilMs).toISOString() });
    },
};

function endOf(durationMs: number | undefined, until: string | undefined, nowMs: number): number {
  if ((durationMs === undefined) === (until === undefined)) {
    throw refuse("INVALID_WAIT", `Give either "duration_ms" or "until".`);
  }
  if (until !== undefined) return Math.max(nowMs, timeOf(until));
  const atMs = Math.ceil(nowMs + (durationMs ?? 0));
  if (atMs >= nowMs && atMs <= TIME_MAX) return atMs;
  throw refuse("INVALID_WAIT", `"duration_ms" must be a number of milliseconds from 0, not ${durationMs}.`);
}

function timeOf(text: string): number {
  const isZoned = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const atMs = isZoned ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw refuse(
    "INVALID_WAIT",
    `"until" must be a time with its zone, such as 2030-01-31T09:00:00Z, not ${quote(text)}.`,
  );
}
