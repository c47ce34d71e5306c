/*
 * The world outside the core, as a pure function: what a tool answers depends on who calls it and with what, never on when. So
 * whatever differs between two orders of the same run is the core's doing.
 */
import { canonicalJson, type Json } from "../../src/base/json.ts";
import type { StartStep } from "../../src/core/commands.ts";
import { idempotencyKey } from "../../src/core/ids.ts";
import type { StepError } from "../../src/core/step-error.ts";
import { unitOf } from "./chance.ts";

export type Answer =
  | { readonly kind: "succeeds"; readonly result: Json }
  | { readonly kind: "suspends"; readonly result: Json; readonly ms: number }
  | { readonly kind: "fails"; readonly error: StepError };

/** The tools of the simulation; how they behave is in their names. */
export const TOOLS = ["steady", "steady", "steady", "flaky", "shaky", "dreamy"] as const;

/** Of `flaky` and `shaky` steps, so many fail at all. */
const FAILS = 0.12;

export function answer(runId: string, command: StartStep): Answer {
  const { tool, attempt } = command;
  const key = idempotencyKey(runId, command);
  const self = `${key} ${canonicalJson(command.arguments)}`;
  const result = resultOf(self);
  const luck = unitOf(`${key} luck`);
  if (tool === "dreamy" && luck < 0.5) return { kind: "suspends", result, ms: 1 + Math.floor(luck * 50) };
  if (tool === "flaky" && luck < FAILS) return fails(command, luck);
  // A shaky step gets over it with the second or third attempt.
  if (tool === "shaky" && luck < FAILS * 4 && attempt <= 1 + Math.floor(luck * 3))
    return fails(command, luck);
  return { kind: "succeeds", result };
}

function fails({ step }: StartStep, luck: number): Answer {
  const code = luck < 0.1 ? "ODD" : "EVEN";
  const retryable = luck >= 0.05 ? {} : { retryable: false };
  return { kind: "fails", error: { name: "ToolError", code, message: `${step} is unlucky`, ...retryable } };
}

/** Every result has the same fields, so that plans can refer to them. */
function resultOf(self: string): Json {
  const n = Math.floor(unitOf(self) * 10);
  return {
    n,
    text: `REF:s0.n {{a0.result}} ${n}`,
    flag: n % 2 === 0,
    none: null,
    list: Array.from({ length: n % 4 }, (_, i) => ({ i, n: n + i })),
    object: { inner: { n } },
  };
}

/** A person who always says the same to the same question. */
export function says(question: string): boolean {
  return unitOf(`${question}?`) < 0.7;
}

export function inputOf(name: string): Json {
  return unitOf(name) < 0.5 ? `{{${name}.result}}` : { name, n: 1 };
}

/** How long a tool takes, where time matters. */
export function durationOf(runId: string, command: StartStep): number {
  return 1 + Math.floor(unitOf(`${idempotencyKey(runId, command)} ${command.attempt} takes`) * 40);
}
