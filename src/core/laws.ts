/*
 * What holds in every run, whatever the plan and whatever happens: named predicates over the trace of (event, commands), each
 * looked at after every event. A law that is broken says how, in a sentence; one that holds says nothing.
 */
import { linksOf } from "./block-links.ts";
import type { Command, StartStep } from "./commands.ts";
import type { RunEvent } from "./events.ts";
import { type Call, type Frame, isSettled, type RunState, type StepState, type StepStatus } from "./state.ts";

/** One event, what the core answered, and the state after that, which a law may look at and never changes. */
export interface TraceEntry {
  readonly event: RunEvent;
  readonly commands: readonly Command[];
  readonly state: RunState;
  /** `framesOf` the state, for all laws together. */
  readonly frames: readonly Frame[];
}

/** A law for one run: it is shown every entry, in order. */
export type Law = (entry: TraceEntry) => string | undefined;

function starts(commands: readonly Command[]): StartStep[] {
  return commands.filter((command) => command.kind === "StartStep");
}

/** A call, a turn of it and an attempt are started once. */
function everyStepStartsAtMostOncePerAttempt(): Law {
  const seen = new Set<string>();
  return ({ commands }) => {
    for (const { call, attempt, turn, step } of starts(commands)) {
      const key = `${call} ${turn} ${attempt}`;
      if (seen.has(key)) return `attempt ${attempt} of ${step} was started twice`;
      seen.add(key);
    }
    return undefined;
  };
}

/** Attempts count up from 1, never past what the policy allows, and all carry the same key. */
function attemptsCountUp(): Law {
  const last = new Map<string, number>();
  return ({ commands, state }) => {
    for (const { call, attempt, step, turn } of starts(commands)) {
      const key = `${call} ${turn}`;
      const before = last.get(key) ?? 0;
      const allowed = (state.calls.get(call)?.step.policy.retries ?? 0) + 1;
      if (attempt !== before + 1) return `attempt ${attempt} of ${step} follows attempt ${before}`;
      if (attempt > allowed) return `attempt ${attempt} of ${step}, of which ${allowed} are allowed`;
      last.set(key, attempt);
    }
    return undefined;
  };
}

function nothingStartsAfterFinish(): Law {
  let finished = false;
  return ({ commands }) => {
    for (const command of commands) {
      if (finished) return `${command.kind} after the run had finished`;
      finished = command.kind === "FinishRun";
    }
    return undefined;
  };
}

function cancelledRunsStartNothing(): Law {
  let cancelled = false;
  return ({ event, commands }) => {
    cancelled ||= event.kind === "CancelRequested";
    const [first] = starts(commands);
    return cancelled && first !== undefined
      ? `${first.step} was started after the run was cancelled`
      : undefined;
  };
}

function noStepStartsBeforeItsNeedsSettled(): Law {
  return ({ commands, state }) => {
    for (const { call: number, step } of starts(commands)) {
      const call = state.calls.get(number);
      if (call === undefined) return `${step} was started, but nobody waits for it`;
      const open = call.step.needs.find((need) => !isSettled(stateOf(call.frame, need.step).status));
      if (open !== undefined)
        return `${step} was started before ${call.frame.block.steps[open.step]?.id} had ended`;
    }
    return undefined;
  };
}

/** Once a failure is known to be nobody's business, only clean-up steps and handlers begin. */
function nothingNewStartsAfterAFailure(): Law {
  let failed = new Set<Frame>();
  return ({ commands, state, frames }) => {
    if (state.mode !== "stop") return undefined;
    const before = failed;
    failed = new Set(frames.filter((frame) => frame.failure !== undefined));
    for (const { call: number, step, attempt } of starts(commands)) {
      const call = state.calls.get(number);
      const isNew = attempt === 1 && call !== undefined && call.turn === 0 && call.item <= 0;
      if (isNew && before.has(call.frame) && !mayBeginLate(call)) {
        return `${step} was started although ${call.frame.block.steps[call.frame.culprit]?.id} had failed`;
      }
    }
    return undefined;
  };
}

function mayBeginLate({ frame, step }: Call): boolean {
  const links = linksOf(frame.block);
  if (links.isCleanUp(step.index)) return true;
  return links.handledBy(step.index).some((task) => stateOf(frame, task).status === "failed");
}

function stateOf(frame: Frame, step: number): StepState {
  return frame.steps[step] as StepState;
}

/** A step that has ended stays as it ended. A run that is resumed is another story. */
function everyStepSettlesAtMostOnce(): Law {
  const settled = new Map<StepState, StepStatus>();
  return ({ frames }) => {
    for (const frame of frames) {
      for (const [i, step] of frame.steps.entries()) {
        const before = settled.get(step);
        const id = `${frame.prefix}${frame.block.steps[i]?.id}`;
        if (before !== undefined && before !== step.status)
          return `${id} was ${before} and is ${step.status}`;
        if (isSettled(step.status)) settled.set(step, step.status);
      }
    }
    return undefined;
  };
}

/** The counters that save the scheduler from looking at everything say what looking at everything would say. */
function countersAreRight(): Law {
  return ({ state, frames }) => {
    for (const frame of frames) {
      const open = frame.steps.filter((step) => !isSettled(step.status));
      if (open.length !== frame.left)
        return `${frame.prefix}: ${open.length} steps are open, not ${frame.left}`;
      const active = open.filter((step) => step.status !== "pending");
      if (active.length !== frame.active)
        return `${frame.prefix}: ${active.length} are active, not ${frame.active}`;
    }
    const running = state.calls.all().filter((call) => call.running).length;
    return running === state.running ? undefined : `${running} calls are running, not ${state.running}`;
  };
}

export function framesOf(root: Frame): Frame[] {
  const frames = [root];
  for (let head = 0; head < frames.length; head++) {
    for (const { frame, fanOut } of (frames[head] as Frame).steps) {
      if (frame !== undefined) frames.push(frame);
      for (const inner of fanOut?.frames.values() ?? []) frames.push(inner);
    }
  }
  return frames;
}

/** Never more calls than the run's limit, nor more items than their fan-out's; an abort is for a call that is under way. */
function concurrencyIsBounded(): Law {
  const underWay = new Map<number, string>();
  return ({ event, commands, state, frames }) => {
    if ("call" in event) underWay.delete(event.call);
    for (const command of commands) {
      if (command.kind === "AbortStep" && !underWay.delete(command.call))
        return `call ${command.call} is aborted, but not under way`;
      if (command.kind === "StartStep") underWay.set(command.call, command.step);
    }
    const { concurrencyMax } = state.setup;
    if (underWay.size > concurrencyMax)
      return `${underWay.size} calls at once, of which ${concurrencyMax} are allowed`;
    for (const frame of frames) {
      for (const { fanOut, index, id } of frame.block.steps) {
        const active = stateOf(frame, index).fanOut?.active ?? 0;
        const most = fanOut?.concurrencyMax ?? Number.POSITIVE_INFINITY;
        if (active > most) return `${active} items of ${id} at once, of which ${most} are allowed`;
      }
    }
    return undefined;
  };
}

/** Whatever was started has been answered or called off when the run finishes, and every step has ended. */
function everythingHasEndedAtTheFinish(): Law {
  return ({ commands, state, frames }) => {
    if (!commands.some((command) => command.kind === "FinishRun")) return undefined;
    if (state.calls.size > 0) return `${state.calls.size} calls are left over`;
    const open = frames.find((frame) => frame.left > 0);
    return open === undefined ? undefined : `${open.left} steps of "${open.prefix}" have not ended`;
  };
}

/** A run that is not over waits for an answer, a timer or a person: it never stands still by itself. */
function aRunThatIsNotOverWaitsForSomething(): Law {
  return ({ state }) => {
    if (state.status !== "running" && state.status !== "waiting") return undefined;
    const awaited =
      state.running + state.timers.size + state.reads.size + state.confirmations.size + state.openInputs.size;
    return awaited > 0 ? undefined : "the run stands still, and nothing can move it";
  };
}

/** All laws, for one run. */
export const LAWS: Readonly<Record<string, () => Law>> = {
  everyStepStartsAtMostOncePerAttempt,
  attemptsCountUp,
  nothingStartsAfterFinish,
  cancelledRunsStartNothing,
  noStepStartsBeforeItsNeedsSettled,
  nothingNewStartsAfterAFailure,
  everyStepSettlesAtMostOnce,
  countersAreRight,
  concurrencyIsBounded,
  everythingHasEndedAtTheFinish,
  aRunThatIsNotOverWaitsForSomething,
};

/** Watches one run; what it gives is the name of the law that was broken, and how. */
export function watchLaws(): (entry: Omit<TraceEntry, "frames">) => string | undefined {
  const laws = Object.entries(LAWS).map(([name, law]) => ({ name, check: law() }));
  return (seen) => {
    const entry = { ...seen, frames: framesOf(seen.state.root) };
    for (const { name, check } of laws) {
      const broken = check(entry);
      if (broken !== undefined) return `${name}: ${broken}`;
    }
    return undefined;
  };
}
