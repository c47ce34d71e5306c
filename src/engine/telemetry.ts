/*
 * OpenTelemetry: a span for each run, below it one for each step, below that one for each attempt, and the engine's metrics as
 * instruments. A process without an SDK has none of it: whether there is one is looked at once, when the engine is made, and
 * the API is not even loaded where there is none.
 *
 * Spans name steps, tools and errors. What goes into a step and comes out of it is nobody's business but the journal's.
 */
import type * as Api from "@opentelemetry/api";
import type { RunState } from "../core/state.ts";
import { type EngineMetrics, Metrics } from "./metrics.ts";
import { RunSpans } from "./run-spans.ts";

export type OpenTelemetryApi = typeof Api;

/** Where every copy of the API, of this major version, keeps what an SDK has registered. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

async function openTelemetry(metrics: Metrics): Promise<Telemetry | undefined> {
  if (!(REGISTERED in globalThis)) return undefined;
  // The API comes with the SDK that registered itself; where it cannot be found from here, there is nothing to tell it.
  const api = await import("@opentelemetry/api").catch(() => undefined);
  return api && new Telemetry(api, metrics);
}

/** What counts and traces an engine's runs. */
export interface Monitoring {
  readonly metrics: Metrics;
  readonly telemetry: Telemetry | undefined;
}

export async function openMonitoring(): Promise<Monitoring> {
  const metrics = new Metrics();
  return { metrics, telemetry: await openTelemetry(metrics) };
}

const INSTRUMENTATION = "sequitur";

class Telemetry {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: Api.Tracer;
  readonly #runDuration: Api.Histogram;
  readonly #stepDuration: Api.Histogram;
  readonly #stopObserving: () => void;

  constructor(api: OpenTelemetryApi, metrics: Metrics) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(INSTRUMENTATION);
    const meter = api.metrics.getMeter(INSTRUMENTATION);
    this.#runDuration = meter.createHistogram("sequitur.run.duration", {
      unit: "ms",
      description: "How long runs took, by status.",
    });
    this.#stepDuration = meter.createHistogram("sequitur.step.duration", {
      unit: "ms",
      description: "How long calls of steps took, with all their attempts, by status.",
    });
    this.#stopObserving = observe(meter, metrics);
  }

  /** The spans of a run, as part of whatever is being traced where it is started. */
  spansOf(state: RunState): RunSpans {
    return new RunSpans(this.#api, this.#tracer, state, {
      run: (ms, status) => this.#runDuration.record(ms, { status }),
      step: (ms, status) => this.#stepDuration.record(ms, { status }),
    });
  }

  close(): void {
    this.#stopObserving();
  }
}

/** Counters that are read when somebody collects them: counting costs nothing that `Metrics` does not do anyway. */
function observe(meter: Api.Meter, metrics: Metrics): () => void {
  const counter = (name: string, description: string): Api.ObservableCounter =>
    meter.createObservableCounter(name, { description });
  const runs = counter("sequitur.runs", "Runs that have ended, by status.");
  const started = counter("sequitur.runs.started", "Runs that were started.");
  const steps = counter("sequitur.steps", "Steps of runs that have ended, by status.");
  const attempts = counter("sequitur.attempts", "Calls of tools, by outcome.");
  const retries = counter("sequitur.retries", "Calls of tools that were not the first of their step.");
  const timeouts = counter("sequitur.timeouts", "Calls of tools that did not answer in time.");
  const references = counter("sequitur.reference_failures", "Steps that failed over a reference.");
  const all = [runs, started, steps, attempts, retries, timeouts, references];
  const read = (result: Api.BatchObservableResult): void => {
    const now: EngineMetrics = metrics.snapshot();
    const { durations: _runs, started: startedRuns, resumed: _resumed, ...runsByStatus } = now.runs;
    const { durations: _steps, ...stepsByStatus } = now.steps;
    for (const [status, count] of Object.entries(runsByStatus)) result.observe(runs, count, { status });
    for (const [status, count] of Object.entries(stepsByStatus)) result.observe(steps, count, { status });
    result.observe(started, startedRuns);
    result.observe(attempts, now.attempts.succeeded, { outcome: "succeeded" });
    result.observe(attempts, now.attempts.failed, { outcome: "failed" });
    result.observe(retries, now.attempts.retries);
    result.observe(timeouts, now.attempts.timeouts);
    result.observe(references, now.referenceFailures);
  };
  meter.addBatchObservableCallback(read, all);
  return () => meter.removeBatchObservableCallback(read, all);
}
