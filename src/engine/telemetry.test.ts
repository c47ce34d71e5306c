import { context, metrics, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { agent, BEGIN, call, scene } from "../../test/scene.ts";
import type { JsonObject } from "../base/json.ts";

const spans = new InMemorySpanExporter();
const collected = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({
  exporter: collected,
  exportIntervalMillis: 3_600_000,
  exportTimeoutMillis: 1000,
});

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});
beforeEach(() => spans.reset());
afterAll(async () => {
  await reader.shutdown();
  trace.disable();
  metrics.disable();
  context.disable();
});

const ms = ([seconds, nanos]: [number, number]): number => seconds * 1000 + nanos / 1e6 - BEGIN;
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;

/** The finished spans as a tree of lines: what, from when to when, and the error's code. */
function tree(parent?: ReadableSpan, depth = 0): string[] {
  const all = spans.getFinishedSpans();
  const children = all.filter((span) => span.parentSpanContext?.spanId === (parent && idOf(parent)));
  children.sort((a, b) => ms(a.startTime) - ms(b.startTime) || (a.name < b.name ? -1 : 1));
  return children.flatMap((span) => {
    const error =
      span.status.code === SpanStatusCode.ERROR ? ` ${String(span.attributes["error.type"])}` : "";
    return [
      `${"  ".repeat(depth)}${span.name} ${ms(span.startTime)}-${ms(span.endTime)}${error}`,
      ...tree(span, depth + 1),
    ];
  });
}

const named = (name: string): ReadableSpan | undefined =>
  spans.getFinishedSpans().find((span) => span.name === name);

describe("spans", () => {
  test("run, step, attempt: with the times of the journal", async () => {
    const stage = await scene();
    await stage.run({
      name: "deliveries",
      plan: [
        { id: "a", tool: "wait", arguments: { ms: 30 } },
        { id: "b", tool: "echo", arguments: { x: "{{a.result}}" } },
      ],
    });
    expect(tree()).toEqual([
      "run deliveries 0-30",
      "  step a 0-30",
      "    attempt wait 0-30",
      "  step b 30-30",
      "    attempt echo 30-30",
    ]);
    expect(named("run deliveries")?.attributes).toMatchObject({
      "sequitur.plan.dialect": "actions",
      "sequitur.plan.name": "deliveries",
      "sequitur.run.status": "completed",
    });
    expect(named("step b")?.attributes).toMatchObject({
      "sequitur.step.id": "b",
      "sequitur.step.status": "completed",
    });
  });

  test("every attempt is one, and errors are recorded where they happened", async () => {
    const stage = await scene({ never: () => new Promise(() => {}) });
    const policy = { backoff: { base_ms: 10, jitter: false } };
    await stage.run({ steps: [{ tool: "never", timeout: 5, retryCount: 1, policy }, { tool: "echo" }] });
    expect(tree()).toEqual([
      "run 0-20 TIMEOUT",
      "  step 0 0-20 TIMEOUT",
      "    attempt never 0-5 TIMEOUT",
      "    attempt never 15-20 TIMEOUT",
    ]);
    const exception = named("attempt never")?.events[0];
    expect(exception?.name).toBe("exception");
    expect(exception?.attributes).toMatchObject({
      "exception.type": "TIMEOUT",
      "exception.message": "never did not answer within 5 ms",
    });
    expect(
      named("run")?.events.map(({ name, attributes }) => [name, attributes?.["sequitur.step.id"]]),
    ).toContainEqual(["step cancelled", "1"]);
  });

  test("a step that failed before it was called has one, too; what was skipped or blocked is an event of the run", async () => {
    const stage = await scene();
    await stage.run([
      { id: "a", tool: "echo" },
      { id: "b", tool: "echo", arguments: { x: "{{a.result.nothing}}" }, policy: { optional: true } },
      { id: "c", tool: "echo", arguments: { x: "{{b.result}}" } },
      { id: "d", tool: "echo", conditions: [{ param: 1, operator: "equals", value: 2 }] },
    ]);
    expect(tree()).toEqual([
      "run 0-0",
      "  step a 0-0",
      "    attempt echo 0-0",
      "  step b 0-0 RUNTIME_RESOLUTION",
    ]);
    expect(
      named("run")
        ?.events.map(({ name, attributes }) => [name, attributes?.["sequitur.step.id"]])
        .sort(),
    ).toEqual([
      ["step blocked", "c"],
      ["step skipped", "d"],
    ]);
  });

  test("composites and fan-outs nest", async () => {
    const stage = await scene();
    const inner = agent([call("i", "wait", { ms: "REF:arguments.n" })], {
      arguments: [{ name: "n", type_name: "number" }],
    });
    const over = { iterate_over: [10, 20], child_argument_name: "n" };
    const fan: JsonObject = { execution_id: "x", agent_definition: inner, parallel_execution: over };
    const outer: JsonObject = { execution_id: "outer", agent_definition: agent([fan]) };
    await stage.run(agent([outer]));
    expect(tree()).toEqual([
      "run 0-20",
      "  step outer 0-20",
      "    step x 0-20",
      "      step x 0-10",
      "        step i 0-10",
      "          attempt wait 0-10",
      "      step x 0-20",
      "        step i 0-20",
      "          attempt wait 0-20",
    ]);
    const ids = spans.getFinishedSpans().map(({ attributes }) => attributes["sequitur.step.id"]);
    expect(ids).toContain("outer.x[1].i");
  });

  test("what a tool traces lies below its attempt, and the run below whoever started it", async () => {
    const tracer = trace.getTracer("test");
    const stage = await scene({
      fetch: async () => tracer.startActiveSpan("http", async (span) => span.end()),
    });
    await tracer.startActiveSpan("request", async (span) => {
      await stage.run([{ id: "a", tool: "fetch" }]);
      span.end();
    });
    const parents = spans.getFinishedSpans().map((span) => {
      const above = spans.getFinishedSpans().find((other) => idOf(other) === span.parentSpanContext?.spanId);
      return [span.name, above?.name];
    });
    expect(Object.fromEntries(parents)).toEqual({
      http: "attempt fetch",
      "attempt fetch": "step a",
      "step a": "run",
      run: "request",
      request: undefined,
    });
  });

  test("nothing of arguments and results is in them", async () => {
    const stage = await scene();
    await stage.run([{ id: "a", tool: "echo", arguments: { password: "pa55word" } }]);
    const told = spans
      .getFinishedSpans()
      .map(({ name, attributes, events }) => ({ name, attributes, events }));
    expect(JSON.stringify(told)).not.toContain("pa55word");
  });

  test("a run that is cancelled, or whose engine is closed, leaves none open", async () => {
    const stage = await scene();
    const plan = [{ id: "a", tool: "wait", arguments: { ms: 50 } }];
    const run = await stage.engine.start(plan);
    await run.cancel("enough");
    expect(tree()).toEqual(["run 0-0 CANCELLED", "  step a 0-0", "    attempt wait 0-0 CANCELLED"]);
    spans.reset();
    await stage.engine.start(plan);
    await stage.engine.close();
    expect(tree()).toEqual(["run 0-0", "  step a 0-0", "    attempt wait 0-0"]);
    expect(named("run")?.attributes["sequitur.run.status"]).toBe("abandoned");
  });
});

describe("instruments", () => {
  test("tell what the engine has counted", async () => {
    const stage = await scene();
    await stage.run([{ id: "a", tool: "wait", arguments: { ms: 7 } }]);
    await stage.run([{ id: "a", tool: "fail", policy: { retries: 1 } }]);
    collected.reset();
    await reader.forceFlush();
    const found = collected
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const points = (name: string) =>
      found
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap((metric) => metric.dataPoints as unknown[]);
    expect(points("sequitur.runs")).toContainEqual(
      expect.objectContaining({ value: 1, attributes: { status: "failed" } }),
    );
    expect(points("sequitur.retries")).toContainEqual(expect.objectContaining({ value: 1 }));
    expect(points("sequitur.steps")).toContainEqual(
      expect.objectContaining({ attributes: { status: "completed" } }),
    );
    expect(points("sequitur.run.duration")).not.toEqual([]);
    expect(points("sequitur.step.duration")).not.toEqual([]);
  });
});
