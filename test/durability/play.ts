/*
 * Plays a workload on an engine of its own, on a simulated clock: time goes on only when nothing else can happen, so that the
 * same workload is the same run, to the millisecond, on every driver and after every crash.
 */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SimulatedClock } from "../../src/base/clock.ts";
import { canonicalJson, type Json, type JsonObject } from "../../src/base/json.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import {
  createEngine,
  type Engine,
  type Run,
  type RunResult,
  type StartOptions,
  type Tool,
  type ToolContext,
} from "../../src/index.ts";
import { scratchFolder } from "./scratch.ts";

/** A plan with everything it needs. What its tools give depends on their parameters, the step and the attempt alone. */
export interface Workload {
  readonly title: string;
  readonly plan: Json | string;
  readonly tools: Readonly<Record<string, Tool>>;
  readonly agents?: Readonly<Record<string, Json>>;
  readonly options?: StartOptions;
  /** What a person says when asked. */
  readonly answers?: JsonObject;
  /** Cancelled when everything that can happen by itself has happened, at this time after the start. */
  readonly cancelAfterMs?: number;
  readonly concurrency?: number;
  /** What is in the file store. */
  readonly files?: Readonly<Record<string, string>>;
}

/** One call of a tool. */
export interface SeenCall {
  readonly stepId: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
}

export const BEGIN = Date.UTC(2026, 0, 1);
export const RUN_ID = "run";

/** An engine on a store, as one process would have it. */
export interface Stage {
  readonly engine: Engine;
  readonly clock: SimulatedClock;
  readonly calls: SeenCall[];
  /** Lets everything happen that can happen without time going on. */
  readonly quiet: () => Promise<void>;
  /** For runs that read files. */
  readonly access: { readonly fileToken?: string };
}

export async function openStage(workload: Workload, driver: Driver, now = BEGIN): Promise<Stage> {
  const clock = new SimulatedClock(now);
  const calls: SeenCall[] = [];
  let writes = 0;
  const counted = countingWrites(driver, () => writes++);
  const tools = Object.entries(workload.tools).map(([name, tool]) => [name, watched(tool, calls)]);
  const engine = await createEngine({
    store: counted,
    clock,
    tools: Object.fromEntries(tools),
    ...(workload.agents && { agents: workload.agents }),
    ...(workload.concurrency !== undefined && { concurrency: workload.concurrency }),
    ...(workload.files && { files: { root: folderOf(workload.files) } }),
  });
  const access = workload.files ? { fileToken: await engine.issueFileToken({ read: ["/"], write: [] }) } : {};
  const quiet = async (): Promise<void> => {
    for (let before = -1; before !== writes; ) {
      before = writes;
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { engine, clock, calls, quiet, access };
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  // Every process sees the same times.
  for (const name of readdirSync(folder, { recursive: true })) utimesSync(join(folder, String(name)), 0, 0);
  return folder;
}

/** Whatever happens to a run is written, so that a store nobody writes to is a run in which nothing happens. */
function countingWrites(driver: Driver, onWrite: () => void): Driver {
  return new Proxy(driver, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (key === "append") onWrite();
        return value.apply(target, args);
      };
    },
  });
}

function watched(tool: Tool, calls: SeenCall[]): Tool {
  const run = typeof tool === "function" ? tool : tool.run;
  const seen = (params: unknown, context: ToolContext): unknown => {
    const { stepId, attempt, idempotencyKey } = context;
    calls.push({ stepId, attempt, idempotencyKey });
    return run(params, context);
  };
  return typeof tool === "function" ? seen : { ...tool, run: seen };
}

/** From the start to the end, or to where nothing can go on. */
export async function play(workload: Workload, stage: Stage): Promise<RunResult> {
  const options = { runId: RUN_ID, seed: 42, ...stage.access, ...workload.options };
  return finish(workload, stage, await stage.engine.start(workload.plan, options));
}

export async function finish(workload: Workload, stage: Stage, run: Run): Promise<RunResult> {
  const { clock, quiet } = stage;
  const cancelAt = BEGIN + (workload.cancelAfterMs ?? Number.POSITIVE_INFINITY);
  if (Number.isFinite(cancelAt) && cancelAt >= clock.now()) {
    clock.at(cancelAt, () => void run.cancel("enough"));
  }
  for (;;) {
    await quiet();
    if (run.isOver) return run.result;
    if (await answerOne(run, workload.answers ?? {})) continue;
    if (clock.step()) continue;
    if (run.snapshot().status === "waiting") return run.snapshot();
    // Files are read by the system, which takes its own time.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** One at a time: what a person says may lead to another question. */
async function answerOne(run: Run, answers: JsonObject): Promise<boolean> {
  for (const { name, kind } of run.snapshot().questions ?? []) {
    const answer = answers[name];
    if (answer === undefined) continue;
    if (kind === "input") await run.provideInputs({ [name]: answer });
    else await run.confirm(name, answer === true);
    return true;
  }
  return false;
}

/** Equal runs print equal bytes. */
export function canonicalResult(result: RunResult): string {
  return canonicalJson(JSON.parse(JSON.stringify(result)) as Json);
}
