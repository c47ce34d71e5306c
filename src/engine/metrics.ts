/*
 * What an engine has done since it was made, in numbers. Attempts are counted as they happen; steps when their run ends, out of
 * the state that the run has anyway, so that an event costs an increment and no more.
 *
 * I1  A step is counted once, by the process in which its run ended: a run that is resumed counts only what ran again.
 */
import type { Command } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import { stepId } from "../core/ids.ts";
import { type Frame, isSettled, type RunState, type StepState, type StepStatus } from "../core/state.ts";
import { isReferenceFailure, type StepError } from "../core/step-error.ts";
import { type DurationCounts, Durations } from "./durations.ts";

export interface EngineMetrics {
  readonly runs: {
    readonly started: number;
    /** Taken over from another process, or gone on with after a failure. */
    readonly resumed: number;
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
    readonly partial_success: number;
    readonly durations: DurationCounts;
  };
  /** Of runs that have ended, with the steps inside composite agents; items of a fan-out are its own affair. */
  readonly steps: {
    readonly completed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly blocked: number;
    readonly cancelled: number;
    /** Of steps that were called. */
    readonly durations: DurationCounts;
  };
  readonly attempts: {
    readonly started: number;
    readonly succeeded: number;
    readonly failed: number;
    /** Those that were not the first of their call. */
    readonly retries: number;
    readonly timeouts: number;
  };
  /** Steps and items that failed because a reference led nowhere, or to a step that had failed. */
  readonly referenceFailures: number;
}

type Ended = "completed" | "failed" | "skipped" | "blocked" | "cancelled";

export class Metrics {
  readonly #runs = { started: 0, resumed: 0, completed: 0, failed: 0, cancelled: 0, partial_success: 0 };
  readonly #steps: Record<Ended, number> = { completed: 0, failed: 0, skipped: 0, blocked: 0, cancelled: 0 };
  readonly #attempts = { started: 0, succeeded: 0, failed: 0, retries: 0, timeouts: 0 };
  #referenceFailures = 0;
  readonly #runDurations = new Durations();
  readonly #stepDurations = new Durations();
  /** Steps that were counted when their run ended for the first time, of runs that are gone on with. */
  readonly #counted = new WeakSet<StepState>();
  /** Looking a step up gives it a hash that nothing else needs: only where a run has been gone on with. */
  #hasCounted = false;

  /** An event has been handled; without one, a run was taken over. */
  turn(state: RunState, event: RunEvent | undefined, commands: readonly Command[]): void {
    if (event?.kind === "StepSucceeded") this.#attempts.succeeded++;
    else this.#countOther(state, event, commands);
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i] as Command;
      if (command.kind === "StartStep") {
        this.#attempts.started++;
        if (command.attempt > 1) this.#attempts.retries++;
      } else if (command.kind === "FinishRun") this.#countRun(state);
    }
  }

  #countOther(state: RunState, event: RunEvent | undefined, commands: readonly Command[]): void {
    switch (event?.kind) {
      case "RunStarted":
        this.#runs.started++;
        return;
      case undefined:
        this.#runs.resumed++;
        return;
      case "RunResumed":
        this.#runs.resumed++;
        this.#keep(state.root, announcedIn(commands));
        return;
      case "StepSuspended":
        this.#attempts.succeeded++;
        return;
      case "StepFailed":
        this.#attempts.failed++;
        if (event.error.code === "TIMEOUT") this.#attempts.timeouts++;
        return;
      default:
        return;
    }
  }

  #countRun(state: RunState): void {
    const { status } = state;
    if (status === "running" || status === "waiting") return;
    this.#runs[status]++;
    this.#runDurations.add(state.finishedAt - state.startedAt);
    this.#countSteps(state.root);
  }

  #countSteps(frame: Frame): void {
    const { steps } = frame;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i] as StepState;
      if (isSettled(step.status) && !(this.#hasCounted && this.#counted.has(step))) this.#countStep(step);
      if (step.inner !== undefined) for (const inner of framesOf(step)) this.#countSteps(inner);
    }
  }

  /** What has settled before a run is gone on with stays as it is; what settles in the same turn is announced. */
  #keep(frame: Frame, announced: ReadonlySet<string>): void {
    this.#hasCounted = true;
    for (const [i, step] of frame.steps.entries()) {
      if (isSettled(step.status) && !announced.has(stepId(frame, i))) this.#counted.add(step);
      for (const inner of framesOf(step)) this.#keep(inner, announced);
    }
  }

  #countStep(step: StepState): void {
    this.#steps[step.status as Extract<StepStatus, Ended>]++;
    if (step.startTick > 0) this.#stepDurations.add(step.endTick - step.startTick);
    if (step.fanOut === undefined) this.#countReferenceFailure(step.error);
    else for (const error of step.fanOut.errors.values()) this.#countReferenceFailure(error);
  }

  #countReferenceFailure(error: StepError | undefined): void {
    if (error !== undefined && isReferenceFailure(error)) this.#referenceFailures++;
  }

  snapshot(): EngineMetrics {
    return {
      runs: { ...this.#runs, durations: this.#runDurations.snapshot() },
      steps: { ...this.#steps, durations: this.#stepDurations.snapshot() },
      attempts: { ...this.#attempts },
      referenceFailures: this.#referenceFailures,
    };
  }
}

function* framesOf(step: StepState): Generator<Frame> {
  if (step.frame !== undefined) yield step.frame;
  if (step.fanOut !== undefined) yield* step.fanOut.frames.values();
}

function announcedIn(commands: readonly Command[]): Set<string> {
  return new Set(commands.flatMap((command) => (command.kind === "AnnounceStep" ? [command.step] : [])));
}
