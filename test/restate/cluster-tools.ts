/* Tools for the tests of the cluster, and what has happened to them. */
import { type Tool, type ToolContext, ToolError } from "../../src/index.ts";

/** Ids of steps that were called, and of those whose signals fired. */
export const calls: string[] = [];
export const aborted: string[] = [];
/** The tool `mended` fails until it is. */
export const world = { isMended: false };

export const tools: Readonly<Record<string, Tool>> = {
  next: ({ n }: { n: number }, { stepId }: ToolContext) => {
    calls.push(stepId);
    return { n: n + 1 };
  },
  heavy: {
    name: "heavy",
    placement: "anywhere",
    run: ({ n }: { n: number }, { idempotencyKey }: ToolContext) => ({ n: n + 1, idempotencyKey }),
  },
  slow: async ({ ms }: { ms: number }, { stepId }: ToolContext) => {
    calls.push(stepId);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { ms };
  },
  never: (_: object, { signal, stepId }: ToolContext) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push(stepId);
        reject(new ToolError("called off"));
      });
    }),
  mended: ({ n }: { n: number }) => {
    if (!world.isMended) throw new ToolError("not yet");
    return { n: n + 1 };
  },
  large: ({ size }: { size: number }) => ({ text: "x".repeat(size) }),
  length: ({ text }: { text: string }) => ({ length: text.length }),
};
