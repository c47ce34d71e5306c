/* Engines as processes of their own would have them, on one store, with tools that note their calls. */
import { onTestFinished } from "vitest";
import { SimulatedClock } from "../../src/base/clock.ts";
import type { Json } from "../../src/base/json.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";
import type { OpenOptions } from "../../src/drivers/sqlite/open.ts";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type Tool,
  type ToolContext,
} from "../../src/index.ts";

interface Process {
  readonly engine: Engine;
  readonly clock: SimulatedClock;
  readonly called: string[];
}

/** An engine as a process of its own would have it, with tools that note their calls. */
export async function begin(
  file: string,
  tools: Record<string, Tool>,
  options: OpenOptions & Pick<EngineOptions, "concurrency"> & { readonly now?: number } = {},
): Promise<Process> {
  const called: string[] = [];
  const clock = new SimulatedClock(options.now ?? 1_000_000);
  const noted = Object.entries(tools).map(([name, tool]) => {
    const run = typeof tool === "function" ? tool : tool.run;
    const noting = (params: object, context: ToolContext): unknown => {
      called.push(context.stepId);
      return run(params, context);
    };
    return [name, noting];
  });
  const { concurrency } = options;
  const store = await sqliteDriver(file, { ...options, clock });
  const engine = await createEngine({
    store,
    clock,
    tools: Object.fromEntries(noted),
    ...(concurrency && { concurrency }),
  });
  onTestFinished(() => engine.close());
  return { engine, clock, called };
}

export async function turns(count = 6): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A tool whose calls answer when they are told to. */
export function held() {
  const answers: ((value: Json) => void)[] = [];
  const signals: AbortSignal[] = [];
  const tool = (_: object, { signal }: ToolContext) =>
    new Promise<Json>((resolve) => {
      signals.push(signal);
      answers.push(resolve);
    });
  return { tool, answers, signals };
}

export const give = () => ({ n: 1 });
export const chain: Json = [
  { id: "a", tool: "give" },
  { id: "b", tool: "act", arguments: { n: "{{a.result.n}}" } },
  { id: "c", tool: "give", dependencies: ["b"] },
];
