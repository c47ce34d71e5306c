/* What the server counts, in the text form that Prometheus reads. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { RunSummary } from "../index.ts";

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/** Read when somebody asks. */
export interface Gauges {
  readonly runsStarted: () => number;
  readonly runsLive: () => number;
  readonly callsActive: () => number;
  readonly runsQueued: () => number;
  readonly subscriptions: () => number;
}

export class Metrics {
  readonly #gauges: Gauges;
  readonly #requests = new Map<string, number>();
  readonly #finished = new Map<string, number>();
  readonly #buckets = BUCKETS.map(() => 0);
  #durationSum = 0;
  #durationCount = 0;
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor(gauges: Gauges) {
    this.#gauges = gauges;
    this.#delay.enable();
  }

  /** `route` is one of a few, not an address that a client made up. */
  noteRequest(route: string, status: number): void {
    add(this.#requests, `route="${route}",status="${status}"`);
  }

  noteEnd({ status, startedAt, finishedAt }: RunSummary): void {
    add(this.#finished, `status="${status}"`);
    if (finishedAt === undefined) return;
    const seconds = Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
    this.#durationSum += seconds;
    this.#durationCount++;
    for (const [i, bound] of BUCKETS.entries())
      if (seconds <= bound) this.#buckets[i] = (this.#buckets[i] ?? 0) + 1;
  }

  stop(): void {
    this.#delay.disable();
  }

  text(): string {
    const { heapUsed, rss } = process.memoryUsage();
    const { runsStarted, runsLive, callsActive, runsQueued, subscriptions } = this.#gauges;
    return [
      ...family("sequitur_http_requests_total", "counter", "Requests answered.", this.#requests),
      ...family("sequitur_runs_started_total", "counter", "Runs started.", runsStarted()),
      ...family("sequitur_runs_finished_total", "counter", "Runs ended, by status.", this.#finished),
      ...this.#durations(),
      ...family("sequitur_runs_live", "gauge", "Runs held by this process.", runsLive()),
      ...family("sequitur_calls_active", "gauge", "Tools being called.", callsActive()),
      ...family("sequitur_runs_queued", "gauge", "Runs waiting to be started.", runsQueued()),
      ...family("sequitur_subscriptions_open", "gauge", "Open subscriptions.", subscriptions()),
      ...family("process_resident_memory_bytes", "gauge", "Resident memory.", rss),
      ...family("nodejs_heap_used_bytes", "gauge", "Heap in use.", heapUsed),
      ...family(
        "nodejs_eventloop_delay_p99_seconds",
        "gauge",
        "Delay of the event loop.",
        this.#delay.percentile(99) / 1e9,
      ),
      "",
    ].join("\n");
  }

  #durations(): string[] {
    const name = "sequitur_run_duration_seconds";
    return [
      `# HELP ${name} Time from start to end of runs.`,
      `# TYPE ${name} histogram`,
      ...BUCKETS.map((bound, i) => `${name}_bucket{le="${bound}"} ${this.#buckets[i] ?? 0}`),
      `${name}_bucket{le="+Inf"} ${this.#durationCount}`,
      `${name}_sum ${this.#durationSum}`,
      `${name}_count ${this.#durationCount}`,
    ];
  }
}

function family(
  name: string,
  type: string,
  help: string,
  value: number | ReadonlyMap<string, number>,
): string[] {
  const lines =
    typeof value === "number"
      ? [`${name} ${value}`]
      : [...value].map(([labels, count]) => `${name}{${labels}} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
