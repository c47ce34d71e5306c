/*
 * A stage for runs: an engine on a simulated clock, tools that note how they were called, and short forms for agents. Time goes
 * on when everything that can happen at this moment has happened, so no test waits and none depends on how fast the machine is.
 */
import { invariant } from "../src/base/invariant.ts";
import type { Json, JsonObject } from "../src/base/json.ts";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type Run,
  type RunResult,
  SimulatedClock,
  type StartOptions,
  type ToolContext,
  ToolError,
} from "../src/index.ts";

export interface Call {
  readonly tool: string;
  readonly stepId: string;
  readonly params: JsonObject;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Milliseconds since the scene began. */
  readonly at: number;
}

type SceneTool = (params: never, context: ToolContext) => unknown;

/** The time at which every scene begins. */
export const BEGIN = Date.UTC(2026, 0, 1);

export class Scene {
  readonly clock = new SimulatedClock(BEGIN);
  readonly calls: Call[] = [];
  /** Calls under way, and the most there were at once. */
  active = 0;
  activeMost = 0;
  #engine: Engine | undefined;

  get engine(): Engine {
    invariant(this.#engine, "A scene is made by scene()");
    return this.#engine;
  }

  set engine(engine: Engine) {
    this.#engine = engine;
  }

  /** The ids of the steps that were called, in order. */
  get called(): string[] {
    return this.calls.map((call) => call.stepId);
  }

  get now(): number {
    return this.clock.now() - BEGIN;
  }

  start(plan: Json | string, options: StartOptions = {}): Promise<Run> {
    return this.play(this.engine.start(plan, options));
  }

  run(plan: Json | string, options: StartOptions = {}): Promise<RunResult> {
    return this.play(this.engine.run(plan, options));
  }

  /** Lets time go on until the promise is settled. */
  async play<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = (): void => {
      settled = true;
    };
    promise.then(done, done);
    while (!settled) {
      await macrotask();
      if (!settled) this.clock.step();
    }
    return promise;
  }

  /** Lets everything happen that can happen without time going on. */
  async settle(): Promise<void> {
    for (let i = 0; i < 3; i++) await macrotask();
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.at(this.clock.now() + ms, resolve));
  }

  watch(tool: string, run: SceneTool): (params: JsonObject, context: ToolContext) => Promise<unknown> {
    return async (params, context) => {
      const { stepId, attempt, idempotencyKey } = context;
      this.calls.push({
        tool,
        stepId,
        params: structuredClone(params),
        attempt,
        idempotencyKey,
        at: this.now,
      });
      this.active++;
      this.activeMost = Math.max(this.activeMost, this.active);
      try {
        return await run(params as never, context);
      } finally {
        this.active--;
      }
    };
  }
}

function macrotask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Tools that every scene has: `echo` gives what it got, `give` its `value`, `fail` fails with its `message` and `code`,
 * `wait` takes `ms` and gives its `value`.
 */
function commonTools(scene: Scene): Record<string, SceneTool> {
  return {
    echo: (params: JsonObject) => params,
    give: ({ value }: { value?: Json }) => value,
    fail: ({
      message = "it broke",
      code = "BROKEN",
      retryable,
    }: {
      message?: string;
      code?: string;
      retryable?: boolean;
    }) => {
      throw new ToolError(message, { code, ...(retryable !== undefined && { retryable }) });
    },
    wait: async ({ ms, value }: { ms: number; value?: Json }) => {
      await scene.wait(ms);
      return value ?? { ms };
    },
  };
}

export async function scene(
  tools: Record<string, SceneTool> = {},
  options: Omit<EngineOptions, "tools" | "clock"> = {},
): Promise<Scene> {
  const stage = new Scene();
  const watched = Object.entries({ ...commonTools(stage), ...tools }).map(([name, run]) => [
    name,
    stage.watch(name, run),
  ]);
  stage.engine = await createEngine({ ...options, tools: Object.fromEntries(watched), clock: stage.clock });
  return stage;
}

/** A primitive agent that is the tool, and an instruction that calls it. */
export function call(id: string, tool: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const { definition, ...rest } = more;
  const inline = { system_event_endpoint: tool, ...(definition as JsonObject | undefined) };
  return { execution_id: id, agent_definition: inline, arguments: args, ...rest };
}

/** A composite. */
export function agent(instructions: readonly Json[], more: JsonObject = {}): JsonObject {
  return { instructions, ...more };
}

export function field(name: string, type_name: string, more: JsonObject = {}): JsonObject {
  return { name, type_name, ...more };
}

export function when(param: Json, operator: string, value?: Json): JsonObject {
  return { param, operator, ...(value !== undefined && { value }) };
}

/** The status of each step. */
export function statuses(result: RunResult): Record<string, string> {
  return Object.fromEntries(Object.entries(result.steps).map(([id, step]) => [id, step.status]));
}
