/*
 * One call of a tool or a composite: started, retried, repeated, ended.
 *
 * I1  A call is started at most once for each attempt, and an answer counts only for the attempt that is under way.
 * I2  An attempt that was answered or given up is never answered again: `running` is false then.
 */
import type { Json, JsonObject } from "../base/json.ts";
import { seededUnit } from "../base/random.ts";
import type { Backoff, Block, Step } from "../ir/program.ts";
import { abandonFrame } from "./abandon.ts";
import {
  answersAsItIs,
  checkedResponse,
  isPlain,
  NotCalled,
  ownArguments,
  plainArguments,
  prepareArguments,
} from "./arguments.ts";
import { holds } from "./condition.ts";
import { observe } from "./context.ts";
import { completeItem, failItem, refuseItems } from "./fan-out.ts";
import { ITEMS_RECORDED_MAX } from "./fan-out-state.ts";
import { evaluateWithFiles, evaluationError, type FileAccess, type Outcome } from "./file-access.ts";
import { openFrame } from "./frames.ts";
import { callId } from "./ids.ts";
import { isRecursive } from "./recursion.ts";
import { reopenFrame } from "./reopen.ts";
import { scopeOf } from "./resolve.ts";
import { activate, complete, settle } from "./settle.ts";
import { StartCommand } from "./start-command.ts";
import { Call, Frame, type RunState, type StepState } from "./state.ts";
import { failure, type StepError } from "./step-error.ts";
import { applyTransform } from "./transform.ts";
import type { Turn } from "./turn.ts";

export function newCall(state: RunState, frame: Frame, step: Step, item: number): Call {
  const call = new Call(state.nextCall++, frame, step, item);
  state.calls.set(call.id, call);
  return call;
}

/** May another call be started? One whose arguments wait for files takes its place already. */
export function hasRoom({ running, reads, setup }: RunState): boolean {
  return running + reads.size < setup.concurrencyMax;
}

/** Works out the arguments and starts the tool, or opens the composite. */
export function startCall(turn: Turn, call: Call): void {
  const { frame, step } = call;
  const { state } = turn;
  const record = activate(frame, step.index, "running");
  if (record.startTick === 0) record.startTick = state.tick;
  if (isPlain(state, step)) startPlain(turn, call);
  else evaluateWithFiles(turn, call, prepare, startPrepared);
}

function startPlain(turn: Turn, call: Call): void {
  let args: JsonObject;
  try {
    args = plainArguments(turn.state, call.frame, call.step, call.item);
  } catch (error) {
    const failed = evaluationError(error);
    endCall(turn, call);
    failCall(turn, call, failed);
    return;
  }
  startTool(turn, call, args);
}

function prepare({ state }: Turn, call: Call, files: FileAccess | undefined): JsonObject | NotCalled {
  try {
    return prepareArguments(state, call, files);
  } catch (error) {
    if (error instanceof NotCalled) return error;
    throw error;
  }
}

function startPrepared(turn: Turn, call: Call, outcome: Outcome<JsonObject | NotCalled>): void {
  if (!call.isOpen) return;
  if ("error" in outcome) {
    endCall(turn, call);
    failCall(turn, call, outcome.error);
  } else if (outcome.value instanceof NotCalled) {
    endCall(turn, call);
    if (call.item >= 0) refuseItems(turn, call, outcome.value);
    else settle(turn, call.frame, call.step.index, outcome.value.status, { reason: outcome.value.message });
  } else {
    call.arguments = outcome.value;
    recordArguments(call, outcome.value);
    if (call.step.call.kind === "block") openComposite(turn, call, call.step.call.block);
    else startTool(turn, call, ownArguments(turn.state, call));
  }
}

function recordArguments(call: Call, args: JsonObject): void {
  const record = call.frame.steps[call.step.index] as StepState;
  if (call.item < 0) record.arguments = args;
  else if (call.item < ITEMS_RECORDED_MAX) record.fanOut?.arguments.set(call.item, args);
}

function recordAttempt(call: Call): void {
  const record = call.frame.steps[call.step.index] as StepState;
  if (call.item < 0) record.attempts++;
  else if (call.attempt > 1) record.fanOut?.attempts.set(call.item, call.attempt);
}

export function startTool(turn: Turn, call: Call, args: JsonObject): void {
  call.running = true;
  turn.state.running++;
  recordAttempt(call);
  turn.add(new StartCommand(call, args));
}

function openComposite(turn: Turn, call: Call, number: number): void {
  const { program, setup } = turn.state;
  const block = program.blocks[number] as Block;
  const depth = call.frame.depth + (isRecursive(program, number) ? 1 : 0);
  const { frame, step } = call;
  const record = frame.steps[step.index] as StepState;
  recordAttempt(call);
  if (call.startTick === 0) call.startTick = turn.state.tick;
  if (depth > setup.depthMax) {
    const message = `${call.step.call.agent} has come to call itself ${depth} levels deep; ${setup.depthMax} is the most. What ends the recursion?`;
    endCall(turn, call);
    failCall(turn, call, failure("DefinitionError", message));
    return;
  }
  const { timeoutMs } = call.step.policy;
  if (timeoutMs !== undefined) turn.startTimer(timeoutName(call), turn.state.now + timeoutMs);
  const earlier = call.item < 0 ? record.frame : record.fanOut?.frames.get(call.item);
  if (frame.resumed.has(step.index) && earlier?.closed === true && call.attempt === 1) {
    earlier.call = call;
    reopenFrame(turn, earlier);
    return;
  }
  const inner = new Frame(block, call.arguments as JsonObject, call, `${callId(call)}.`, depth);
  if (call.item < 0) record.inner = inner;
  else record.fanOut?.frames.set(call.item, inner);
  openFrame(turn, inner);
}

/** The tool or composite has answered: transforms, validation, and on. */
export function answerCall(turn: Turn, call: Call, result: Json): void {
  if (answersAsItIs(call.step)) {
    completeTurn(turn, call, result, result);
    return;
  }
  evaluateWithFiles(turn, { call, attempt: call.attempt, result }, finishResult, takeResult);
}

/** What the tool, or the composite, of one attempt gave. */
interface Answer {
  readonly call: Call;
  readonly attempt: number;
  readonly result: Json;
}

function takeResult(turn: Turn, { call, attempt, result }: Answer, outcome: Outcome<Json>): void {
  if (!call.isOpen || call.attempt !== attempt) return;
  if ("value" in outcome) completeTurn(turn, call, result, outcome.value);
  else {
    const retryable = outcome.error.name === "SchemaValidationError";
    failAttempt(turn, call, { ...outcome.error, retryable });
  }
}

function finishResult({ state }: Turn, { call, result }: Answer, files: FileAccess | undefined): Json {
  const { frame, step } = call;
  const { signature } = step.call;
  let value = result;
  const scope = scopeOf(state, frame, files, call.previous);
  // A composite's own transforms have been applied where its response was made.
  if (step.call.kind === "tool" && signature?.transformResults !== undefined) {
    const inner = { ...scope, arguments: ownArguments(state, call), response: value };
    value = applyTransform(signature.transformResults, value, inner);
  }
  if (step.transformResults !== undefined)
    value = applyTransform(step.transformResults, value, { ...scope, response: value });
  return signature === undefined
    ? value
    : checkedResponse(state, frame, signature, value, `Response of ${signature.title}`);
}

/** A step that repeats is called again until its condition holds. Triggers see what the tool itself returned. */
function completeTurn(turn: Turn, call: Call, result: Json, value: Json): void {
  const { repeat, call: target } = call.step;
  if (turn.state.setup.context.observes) {
    observe(turn, { kind: "TurnTaken", agent: target.agent });
    if (target.kind === "tool")
      observe(turn, { kind: "ToolResponded", tool: target.tool, status: "succeeded", response: result });
  }
  if (repeat === undefined || call.turn + 1 >= repeat.turnsMax) {
    completeCall(turn, call, value);
    return;
  }
  const self = { step: call.step.index, value };
  evaluateWithFiles(
    turn,
    call,
    (_, __, files) => holds(repeat.until, { ...scopeOf(turn.state, call.frame, files, value), self }),
    (later, _, outcome) => {
      if (!call.isOpen) return;
      if ("error" in outcome) {
        endCall(later, call);
        failCall(later, call, outcome.error);
      } else if (outcome.value) completeCall(later, call, value);
      else takeTurn(later, call, value);
    },
  );
}

function takeTurn(turn: Turn, call: Call, previous: Json): void {
  forgetTimeout(turn, call);
  call.turn++;
  call.attempt = 1;
  call.previous = previous;
  turn.state.ready.push(call);
}

function completeCall(turn: Turn, call: Call, value: Json): void {
  endCall(turn, call);
  if (call.item >= 0) completeItem(turn, call, value);
  else complete(turn, call.frame, call.step.index, value);
}

/** One attempt has failed; another one follows where the policy allows it. */
export function failAttempt(turn: Turn, call: Call, error: StepError): void {
  const { policy } = call.step;
  if (call.step.call.kind === "tool") {
    const response = { code: error.code, name: error.name, message: error.message };
    observe(turn, { kind: "ToolResponded", tool: call.step.call.tool, status: "failed", response });
  }
  if (error.retryable !== false && call.attempt <= policy.retries) {
    const delayMs = Math.max(backoffDelay(policy.backoff, turn.state.seed, call), error.retryAfterMs ?? 0);
    forgetTimeout(turn, call);
    call.attempt++;
    turn.state.retrying++;
    turn.startTimer(`call:${call.id}`, turn.state.now + delayMs);
    return;
  }
  endCall(turn, call);
  failCall(turn, call, error);
}

/** Exponential, capped; jitter takes up to half of it away, by the run's seed. */
function backoffDelay(backoff: Backoff, seed: number, call: Pick<Call, "id" | "attempt">): number {
  const full = Math.min(backoff.capMs, backoff.baseMs * backoff.factor ** (call.attempt - 1));
  if (!backoff.jitter) return full;
  return Math.round(full * (0.5 + 0.5 * seededUnit(seed, call.id, call.attempt)));
}

function failCall(turn: Turn, call: Call, error: StepError): void {
  if (call.item >= 0) failItem(turn, call, error);
  else settle(turn, call.frame, call.step.index, "failed", { error });
}

/** Nobody waits for the call any more. */
export function endCall(turn: Turn, call: Call): void {
  turn.state.calls.delete(call.id);
  call.isOpen = false;
  forgetTimeout(turn, call);
  call.running = false;
}

/** A tool's time is watched by whoever calls it; a composite's by the core. */
export function timeoutName(call: Call): string {
  return `timeout:${call.id}:${call.turn}:${call.attempt}`;
}

function forgetTimeout(turn: Turn, call: Call): void {
  if (call.step.call.kind === "block") turn.state.timers.delete(timeoutName(call));
}

/** A composite that has run out of time is given up, with everything in it. */
export function timeOut(turn: Turn, call: Call): void {
  const { timeoutMs } = call.step.policy;
  const message = `${call.step.call.agent} did not answer within ${timeoutMs} ms`;
  const error: StepError = { name: "TimeoutError", code: "TIMEOUT", message };
  const record = call.frame.steps[call.step.index] as StepState;
  const frame = call.item < 0 ? record.frame : record.fanOut?.frames.get(call.item);
  if (frame !== undefined) abandonFrame(turn, frame, error);
  failAttempt(turn, call, error);
}
