import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolContext } from "../tools/tool.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { EventOptions } from "./event-stream.ts";

async function talking(): Promise<Engine> {
  return createEngine({
    tools: {
      talk: async ({ n }: { n: number }, { emit }: ToolContext) => {
        for (let i = 0; i < n; i++) {
          emit({ kind: "TextEmitted", text: String(i) });
          await new Promise(setImmediate);
        }
        return n;
      },
      echo: (params: unknown) => params,
    },
  });
}

async function numbers(engine: Engine, id: string, options: EventOptions = {}): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of engine.events(id, options)) seen.push(seq);
  return seen;
}

test("a reader that leaves and comes back, wherever, sees every event once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), async (patience) => {
      const engine = await talking();
      const { id } = await engine.start([{ id: "a", tool: "talk", arguments: { n: 20 } }]);
      const seen: number[] = [];
      for (const most of [...patience, Number.POSITIVE_INFINITY]) {
        let taken = 0;
        for await (const { seq } of engine.events(id, { after: seen.at(-1) ?? 0 })) {
          seen.push(seq);
          if (++taken >= most) break;
        }
      }
      expect(seen).toEqual(await numbers(engine, id));
      expect(seen).toEqual(seen.map((_, i) => i + 1));
    }),
    { numRuns: 25 },
  );
});

test("what has happened so far can be read without waiting for the rest", async () => {
  const engine = await talking();
  const { id } = await engine.start([{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } }]);
  expect(await numbers(engine, id, { follow: false })).toEqual([1, 2]);
});

test("a reader that waits can be called off", async () => {
  const engine = await talking();
  const { id } = await engine.start([{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } }]);
  const controller = new AbortController();
  const reading = numbers(engine, id, { signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  expect(await reading).toEqual([1, 2]);
});

test("a run that does not exist has no events", async () => {
  const engine = await talking();
  await expect(numbers(engine, "nope")).rejects.toMatchObject({ code: "UNKNOWN_RUN" });
});
