/* All types of triggers in one workflow: in memory, resumed at every event of its record, and replayed. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../src/base/json.ts";
import type { RunEvent } from "../src/core/events.ts";
import type { Driver } from "../src/drivers/driver.ts";
import { memoryDriver } from "../src/drivers/memory/driver.ts";
import {
  createEngine,
  type Engine,
  type Run,
  SimulatedClock,
  type ToolContext,
  ToolError,
  type TraceEvent,
} from "../src/index.ts";
import { BEGIN } from "./scene.ts";
import { traceOf } from "./trace-of.ts";

const RUN = "six";
const equals = (param: string, value: Json) => [{ param, operator: "equals", value }];
const workflow = {
  context_variables: {
    runtime_variables: [{ name: "mood", default: "calm" }],
    derived_variables: [
      { name: "said", triggers: [{ type: "agent_text", agent: "host", match: { equals: "GOODBYE" } }] },
      { name: "turned", triggers: [{ type: "agent_turn_count", agent: "host", at_least: 3 }] },
      {
        name: "scored",
        triggers: [{ type: "tool_response", tool: "score", conditions: equals("REF:response.score", 9) }],
      },
      { name: "failed", triggers: [{ type: "tool_response", tool: "score", status: "failed" }] },
      { name: "late", triggers: [{ type: "timer_expired", after_ms: 500 }] },
      {
        name: "agreed",
        triggers: [{ type: "ui_response", question: "opinion", conditions: equals("REF:answer", "yes") }],
      },
      {
        name: "allowed",
        triggers: [{ type: "ui_response", question: "end", conditions: equals("REF:answer", true) }],
      },
      {
        name: "rang",
        triggers: [{ type: "function", source: "(e) => e.kind === 'CustomEmitted' && e.event.bells > 2" }],
      },
      { name: "never", triggers: [{ type: "function", source: "(e) => e.text.length > 99" }] },
    ],
  },
  plan: [
    {
      id: "talk",
      tool: "host",
      arguments: { turn: "{{self.previous.turn}}", opinion: "{{PLACEHOLDER_opinion}}" },
      repeat: { until: equals("{{context.said}}", true), max: 9 },
    },
    {
      id: "score",
      tool: "score",
      dependencies: ["talk"],
      policy: { retries: 2, backoff: { jitter: false } },
    },
    { id: "pause", tool: "pause", dependencies: ["score"] },
    {
      id: "end",
      tool: "host",
      dependencies: ["pause"],
      arguments: { turn: 0 },
      conditions: equals("{{context.late}}", true),
      requires_confirmation: true,
    },
  ],
};

const tools = (clock: SimulatedClock) => ({
  host: ({ turn }: { turn: number | null }, { emit, context }: ToolContext) => {
    const next = (turn ?? 0) + 1;
    emit({ kind: "TextEmitted", text: next === 4 ? "GOODBYE" : "hello" });
    emit({ kind: "Bell", bells: next });
    context.set("mood", `turn ${next}`);
    return { turn: next };
  },
  score: (_params: unknown, { attempt }: ToolContext) => {
    if (attempt === 1) throw new ToolError("not yet", { code: "EARLY" });
    return { score: 9 };
  },
  pause: () => new Promise((resolve) => clock.at(clock.now() + 1_000, () => resolve(null))),
});

async function open(
  store: Driver,
  nowMs: number,
): Promise<{ readonly engine: Engine; readonly clock: SimulatedClock }> {
  const clock = new SimulatedClock(nowMs);
  return { clock, engine: await createEngine({ tools: tools(clock), store, clock }) };
}

/** Lets the run come to its end, and answers whatever it asks. */
async function finish(run: Run, clock: SimulatedClock): Promise<TraceEvent[]> {
  let ended = false;
  run.result.finally(() => {
    ended = true;
  });
  while (!ended) {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    const [question] = run.snapshot().questions ?? [];
    if (question?.kind === "input") await run.provideInputs({ opinion: "yes" });
    else if (question?.kind === "confirmation") await run.confirm("end", true);
    else if (!ended) clock.step();
  }
  return traceOf(run.events);
}

/** The variables in the order in which they changed, each with the recorded event that did it. */
function changesOf(trace: readonly TraceEvent[]): string[] {
  return trace.flatMap((event) => {
    if (event.kind === "TriggerFailed") return [`${event.name} failed`];
    if (event.kind !== "ContextChanged" || event.name === "mood") return [];
    const { seq } = event.cause as { seq: number };
    const cause = trace.find((candidate) => candidate.seq === seq);
    return [`${event.name} by ${cause?.kind} ${cause?.step ?? cause?.name ?? ""}`.trim()];
  });
}

const first = memoryDriver();
let trace: TraceEvent[] = [];
let journal: RunEvent[] = [];

beforeAll(async () => {
  const { engine, clock } = await open(first, BEGIN);
  trace = await finish(await engine.start(workflow, { runId: RUN, seed: 1 }), clock);
  journal = [...first.events(RUN)];
});

describe("all types of triggers in one workflow", () => {
  test("in memory, each sets its variable once", () => {
    expect(changesOf(trace)).toEqual([
      "agreed by InputProvided opinion",
      "never failed",
      "rang by CustomEmitted talk",
      "turned by StepSucceeded talk",
      "said by TextEmitted talk",
      "failed by StepFailed score",
      "scored by StepSucceeded score",
      "late by TimerFired late",
      "allowed by ConfirmationGiven end",
    ]);
    expect(trace.at(-1)).toMatchObject({ kind: "RunFinished", status: "completed" });
  });

  test("replayed, the trace is the same to the last field", async () => {
    const { engine } = await open(first, BEGIN);
    expect(await traceOf(engine.events(RUN))).toEqual(trace);
  });

  test("resumed at every event of its record, the same variables change at the same events", async () => {
    const found = first.find(RUN);
    if (found === undefined) throw new Error("there is no run");
    expect(journal.length).toBeGreaterThan(20);
    for (let length = 1; length < journal.length; length++) {
      const store = memoryDriver();
      const before = journal.slice(0, length);
      store.create(
        { ...found.record, status: "running", finishedAt: undefined },
        found.source,
        before[0] as RunEvent,
      );
      store.append(RUN, 1, before.slice(1));
      const { engine, clock } = await open(store, before.at(-1)?.at ?? BEGIN);
      const resumed = await finish(await engine.resume(RUN), clock);
      expect(changesOf(resumed), `resumed after ${length} events`).toEqual(changesOf(trace));
      expect((await engine.get(RUN))?.context).toEqual({ ...lastContext(), mood: "turn 1" });
    }
  }, 60_000);
});

function lastContext(): Record<string, Json> {
  const names = workflow.context_variables.derived_variables.map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, name !== "never"]));
}
