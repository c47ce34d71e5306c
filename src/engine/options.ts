import type { Clock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { RunStarted } from "../core/events.ts";
import type { Cluster } from "../drivers/cluster.ts";
import type { Store } from "../drivers/open-store.ts";
import type { DialectName } from "../ir/program.ts";
import type { ModelTable } from "../tools/model/model-options.ts";
import type { Tool } from "../tools/tool.ts";
import type { LogEntry } from "./executor.ts";
import type { RemoteToolOptions, RemoteTools } from "./remote-tools.ts";
import type { Budget } from "./run-budget.ts";
import type { SecretSource } from "./secrets.ts";
import type { ServiceOptions } from "./services.ts";

export interface EngineOptions extends ServiceOptions, Pick<RemoteToolOptions, "mcpServers" | "openapi"> {
  /** Servers and APIs that have been opened before; the engine closes them. */
  readonly remoteTools?: RemoteTools;
  readonly tools?: Readonly<Record<string, Tool>>;
  /** Definitions by path, or a folder of them. */
  readonly agents?: Readonly<Record<string, Json>> | string;
  readonly functions?: Readonly<Record<string, (...args: Json[]) => Json>>;
  readonly store?: Store;
  /** Who carries out the runs, instead of this process; the store is where it tells of them. */
  readonly cluster?: Cluster;
  /** Recorded with each run, so that another process finds its tools: module paths and folders. */
  readonly environment?: JsonObject;
  /** Calls under way at once, over all runs. */
  readonly concurrency?: number;
  /** How deep agents that call themselves may do so. */
  readonly depthMax?: number;
  /** Steps of one plan. */
  readonly stepsMax?: number;
  /** Items of one fan-out. */
  readonly itemsMax?: number;
  /** Values of `{ "$secret": "NAME" }`; the environment's, if not given (`SEQUITUR_SECRET_NAME`, `SEQUITUR_SECRETS_FILE`). */
  readonly secrets?: SecretSource;
  /** Models by name, for `model_text`, `model_object`, `embedding` and the planner; `default` is the one that is meant where none is named. */
  readonly models?: ModelTable;
  /** What the models of a run may take, where the run is started without a budget of its own. */
  readonly budget?: Budget;
  readonly clock?: Clock;
  readonly log?: (entry: LogEntry) => void;
}

export interface StartOptions {
  readonly arguments?: Json;
  /** Answers to the plan's placeholders. */
  readonly inputs?: JsonObject;
  readonly contextVariables?: Json;
  /** Initial values of context variables. */
  readonly context?: JsonObject;
  readonly mode?: "stop" | "continue";
  readonly dialect?: DialectName;
  readonly file?: string;
  readonly fileToken?: string;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /** What models may take, all steps together; when it is spent, no model is called any more. */
  readonly budget?: Budget;
  readonly runId?: string;
  /** However often, and at the same time, a run is asked for under one key: it is started once. */
  readonly idempotencyKey?: string;
  /** Recorded with the run and shown with it; nothing acts on it. */
  readonly metadata?: JsonObject;
  /** The source of all chance in the run: the same one gives the same delays between attempts. */
  readonly seed?: number;
  /** Start the steps that need no answer before a person has answered. */
  readonly eager?: boolean;
  readonly load?: (path: string) => string | undefined;
}

const CONCURRENCY = 64;
/** A cluster takes long fan-outs in parts: eight parts of 250 items are under way at once. */
const CLUSTER_CONCURRENCY = 2_000;
const DEPTH_MAX = 64;

/** The limits that a run is started with, and keeps: a process that takes it over has to decide as this one would. */
export function limitsOf(options: EngineOptions): RunStarted["limits"] {
  const usual = options.cluster === undefined ? CONCURRENCY : CLUSTER_CONCURRENCY;
  const { concurrency = usual, depthMax = DEPTH_MAX, itemsMax } = options;
  return {
    concurrency: orNull(positive("concurrency", concurrency)),
    depth: orNull(positive("depthMax", depthMax)),
    items: itemsMax ?? null,
  };
}

function positive(name: string, value: number): number {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value > 0)) return value;
  throw new SequiturError("INVALID_OPTION", `"${name}" must be a whole number from 1, not ${String(value)}.`);
}

/** Infinity has no JSON form. */
function orNull(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
