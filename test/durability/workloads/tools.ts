/* Tools whose answers depend on their parameters, the step and the attempt alone, so that a call that is made again gives the same. */
import type { Json, JsonObject } from "../../../src/base/json.ts";
import { type Tool, type ToolContext, ToolError } from "../../../src/index.ts";

export const TOOLS: Readonly<Record<string, Tool>> = {
  echo: (params: JsonObject) => params,
  give: ({ value }: { value?: Json }) => value,
  add: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
  /** Gives after some turns of the microtask queue, so that answers come in another order than calls. */
  late: async ({ turns, value }: { turns: number; value?: Json }) => {
    for (let i = 0; i < turns; i++) await undefined;
    return { value: value ?? turns };
  },
  fail: ({ message = "it broke", code = "BROKEN" }: { message?: string; code?: string }) => {
    throw new ToolError(message, { code });
  },
  /** Fails so many times, then gives. */
  flaky: ({ times, value }: { times: number; value?: Json }, { attempt }: ToolContext) => {
    if (attempt <= times) throw new ToolError(`attempt ${attempt} fails`, { code: "FLAKY" });
    return { value: value ?? attempt };
  },
  stubborn: () => {
    throw new ToolError("never again", { code: "STUBBORN", retryable: false });
  },
  silent: () => new Promise(() => {}),
  key: (_: JsonObject, { idempotencyKey, stepId }: ToolContext) => ({ idempotencyKey, stepId }),
  /** Says how often it has been asked, and TERMINATE at last. */
  interview: ({ asked = 0, most = 3 }: { asked?: number; most?: number }, { emit }: ToolContext) => {
    emit({ kind: "TextEmitted", text: asked + 1 < most ? "and then?" : "TERMINATE" });
    return { asked: asked + 1 };
  },
  remember: ({ name, value }: { name: string; value: Json }, { context }: ToolContext) => {
    context.set(name, value);
    return { before: context.get(name) ?? null };
  },
};
