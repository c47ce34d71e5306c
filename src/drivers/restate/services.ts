import {
  type Context,
  handlers,
  service,
  TerminalError,
  type WorkflowContext,
  type WorkflowSharedContext,
  workflow,
} from "@restatedev/restate-sdk";
import { SequiturError } from "../../base/error.ts";
import type { StartStep } from "../../core/commands.ts";
import type { RunStarted } from "../../core/events.ts";
import type { RunState } from "../../core/state.ts";
import type { Placement } from "../../ir/program.ts";
import type { ClusterEvent } from "../cluster.ts";
import type { Driver, RunRecord, RunSource } from "../driver.ts";
import type { Host } from "../run-loop.ts";
import type { BlobStore } from "./blobs.ts";
import { type Feed, RunFeed } from "./feed.ts";
import { ABORT_MS, INACTIVITY_MS, RETENTION_MS, RETRY_POLICY } from "./limits.ts";
import { type Told, takeIn } from "./read-model.ts";
import { ClusterRun } from "./run-handler.ts";
import { callSteps } from "./steps-handler.ts";
import {
  type Packed,
  promiseOf,
  RECORDS_SERVICE,
  RUN_SERVICE,
  type RunInput,
  type RunOutput,
  STEPS_SERVICE,
  type StepsInput,
} from "./wire.ts";

/** A run, compiled and not yet begun. */
interface OpenedRun {
  readonly state: RunState;
  readonly host: Host;
  readonly isSelfContained: boolean;
  readonly usesSecrets: boolean;
  record(): RunRecord;
}

/** Who compiles runs and calls tools: the engine's part of a worker. */
export interface Caller {
  open(source: RunSource, first: RunStarted): Promise<OpenedRun>;
  stepsOf(runId: string, usesSecrets: boolean): Host;
  placementOf(tool: string): Placement | undefined;
}

export interface ServiceParts {
  readonly caller: Caller;
  readonly feed: Feed;
  readonly blobs: BlobStore;
  readonly log: (message: string) => void;
  /** How long to sleep for so much time of the run's clock; the same, but for tests. */
  readonly sleepMs?: (ms: number) => number;
}

const OPTIONS = {
  inactivityTimeout: INACTIVITY_MS,
  abortTimeout: ABORT_MS,
  retryPolicy: RETRY_POLICY,
} as const;

/** What a worker offers to Restate. */
export function workerServices(parts: ServiceParts) {
  return [runService(parts), stepsService(parts)];
}

function runService(parts: ServiceParts) {
  const { caller, feed, blobs, log, sleepMs = (ms) => ms } = parts;
  const run = async (ctx: WorkflowContext, input: RunInput): Promise<RunOutput> => {
    const { source, first } = input;
    const opened = await caller.open(source, first).catch((error: unknown) => {
      log(`The run ${first.runId} cannot be carried out here: ${explain(error)}`);
      // Workers of an older version never will; one that lacks a tool may be started again with it.
      if (error instanceof SequiturError && error.code === "NEWER_JOURNAL")
        throw new TerminalError(error.message);
      throw error;
    });
    return new ClusterRun(ctx, {
      ...opened,
      feed: new RunFeed(source, () => opened.record(), feed),
      blobs,
      placementOf: ({ call, tool }: StartStep) => {
        if (!opened.isSelfContained) return "inline";
        return opened.state.calls.get(call)?.step.policy.placement ?? caller.placementOf(tool);
      },
      sleepMs,
    }).carryOut(input);
  };
  const tell = async (ctx: WorkflowSharedContext, event: ClusterEvent): Promise<void> => {
    await ctx.promise<ClusterEvent>(promiseOf(event)).resolve(event);
  };
  return workflow({
    name: RUN_SERVICE,
    handlers: { run, tell: handlers.workflow.shared(tell) },
    options: { ...OPTIONS, workflowRetention: RETENTION_MS, journalRetention: RETENTION_MS },
  });
}

function stepsService({ caller, blobs }: ServiceParts) {
  const call = (ctx: Context, input: StepsInput): Promise<Packed> =>
    callSteps(ctx, input, caller.stepsOf(input.runId, input.usesSecrets), blobs);
  return service({ name: STEPS_SERVICE, handlers: { call }, options: { ...OPTIONS, ingressPrivate: true } });
}

/** Takes what workers on other machines tell. It may be told anything again, so nothing of it needs a journal. */
export function recordsService(store: Driver) {
  const tell = async (_: Context, told: readonly Told[]): Promise<number[]> => takeIn(store, told);
  return service({ name: RECORDS_SERVICE, handlers: { tell }, options: { journalRetention: 0 } });
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
