/*
 * The spans of one run, made from what its loop sees: events, and the commands that answer them.
 *
 * I1  A span that was started is ended: with its step, with its run, or when the run leaves this process.
 * I2  Times are those of the events, so that a trace shows what the journal shows.
 */
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import type { AnnounceStep, Command, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import { callId, stepId } from "../core/ids.ts";
import type { Call, Frame, RunState } from "../core/state.ts";
import type { StepError } from "../core/step-error.ts";
import type { OpenTelemetryApi } from "./telemetry.ts";

/** Told how long things took. */
export interface DurationRecorder {
  run(ms: number, status: string): void;
  step(ms: number, status: string): void;
}

interface OpenSpan {
  readonly span: Span;
  /** In which what lies below it is started. */
  readonly context: Context;
  readonly startedAt: number;
}

interface OpenAttempt extends OpenSpan {
  readonly call: Call;
}

export class RunSpans {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: Tracer;
  readonly #state: RunState;
  readonly #recorder: DurationRecorder;
  readonly #parent: Context;
  #run: OpenSpan | undefined;
  readonly #steps = new Map<string, OpenSpan>();
  readonly #attempts = new Map<number, OpenAttempt>();

  constructor(api: OpenTelemetryApi, tracer: Tracer, state: RunState, recorder: DurationRecorder) {
    this.#api = api;
    this.#tracer = tracer;
    this.#state = state;
    this.#recorder = recorder;
    this.#parent = api.context.active();
  }

  /** An event has been handled; without one, the run was taken over from another process. */
  turn(event: RunEvent | undefined, commands: readonly Command[]): void {
    try {
      this.#see(event, commands);
    } catch (error) {
      // An exporter that throws must not take the run with it.
      this.#api.diag.error("sequitur: a span could not be recorded", error);
    }
  }

  #see(event: RunEvent | undefined, commands: readonly Command[]): void {
    const at = event?.at ?? this.#state.now;
    this.#run ??= this.#startRun(at, event?.kind !== "RunStarted");
    let answered: Call | undefined;
    if (event?.kind === "StepSucceeded" || event?.kind === "StepSuspended")
      answered = this.#endAttempt(event.call, at, undefined);
    else if (event?.kind === "StepFailed") answered = this.#endAttempt(event.call, at, event.error);
    for (const command of commands) this.#command(command, at);
    const error = event?.kind === "StepFailed" ? event.error : undefined;
    if (answered !== undefined) this.#endCalls(answered, at, error);
    // The run's own end comes last: what ended with it has ended by itself.
    const end = commands.find((command) => command.kind === "FinishRun");
    if (end !== undefined) this.#finish(end.status, end.error, at);
  }

  #command(command: Command, at: number): void {
    switch (command.kind) {
      case "StartStep":
        this.#startAttempt(command, at);
        return;
      case "AbortStep":
        this.#endAttempt(command.call, at, cancelled(command.reason));
        return;
      case "AnnounceStep":
        this.#announced(command, at);
        return;
      default:
        return;
    }
  }

  /** Runs what starts a tool as part of its attempt, so that what the tool traces lies below it. */
  around(command: StartStep, start: () => void): void {
    const attempt = this.#attempts.get(command.call);
    if (attempt === undefined) start();
    else this.#api.context.with(attempt.context, start);
  }

  #startRun(at: number, resumed: boolean): OpenSpan {
    const { program, runId } = this.#state;
    const name = program.name === undefined ? "run" : `run ${program.name}`;
    return this.#start(name, this.#parent, at, {
      "sequitur.run.id": runId,
      "sequitur.plan.dialect": program.dialect,
      ...(program.name !== undefined && { "sequitur.plan.name": program.name }),
      ...(resumed && { "sequitur.run.resumed": true }),
    });
  }

  #start(name: string, parent: Context, at: number, attributes: Attributes): OpenSpan {
    const span = this.#tracer.startSpan(name, { startTime: at, attributes }, parent);
    return { span, context: this.#api.trace.setSpan(parent, span), startedAt: at };
  }

  #startAttempt(command: StartStep, at: number): void {
    const call = this.#state.calls.get(command.call);
    if (call === undefined) return;
    const step = this.#spanOfCall(call, at);
    const open = this.#start(`attempt ${command.tool}`, step.context, at, {
      "sequitur.tool": command.tool,
      "sequitur.attempt": command.attempt,
      "sequitur.step.id": command.step,
    });
    this.#attempts.set(command.call, { ...open, call });
  }

  /** A call's own span: below its fan-out, below the composite that it is part of. */
  #spanOfCall(call: Call, at: number): OpenSpan {
    const step = this.#steps.get(callId(call));
    if (step !== undefined) return step;
    const parent =
      call.item < 0
        ? this.#contextOf(call.frame, at)
        : this.#spanOfStep(call.frame, call.step.index, at).context;
    return this.#startStep(callId(call), call.step.id, call.step.call.agent, parent, at);
  }

  #spanOfStep(frame: Frame, index: number, at: number): OpenSpan {
    const id = stepId(frame, index);
    const step = frame.block.steps[index];
    return (
      this.#steps.get(id) ??
      this.#startStep(id, step?.id ?? "", step?.call.agent ?? "", this.#contextOf(frame, at), at)
    );
  }

  #contextOf(frame: Frame, at: number): Context {
    if (frame.call !== undefined) return this.#spanOfCall(frame.call, at).context;
    return this.#run?.context ?? this.#parent;
  }

  #startStep(id: string, name: string, agent: string, parent: Context, at: number): OpenSpan {
    const open = this.#start(`step ${name}`, parent, at, { "sequitur.step.id": id, "sequitur.agent": agent });
    this.#steps.set(id, open);
    return open;
  }

  #endAttempt(number: number, at: number, error: StepError | undefined): Call | undefined {
    const attempt = this.#attempts.get(number);
    if (attempt === undefined) return undefined;
    this.#attempts.delete(number);
    this.#end(attempt, at, error);
    return attempt.call;
  }

  /** What the answer has brought to an end without a word: the call itself, and items that are composites. */
  #endCalls(answered: Call, at: number, error: StepError | undefined): void {
    let why = error;
    for (let call: Call | undefined = answered; call !== undefined; call = call.frame.call) {
      if (call.isOpen) return;
      const record = call.frame.steps[call.step.index];
      const failed = call.item < 0 ? record?.error : (record?.fanOut?.errors.get(call.item) ?? why);
      this.#endStep(callId(call), failed === undefined ? "completed" : "failed", failed, at);
      why = undefined;
    }
  }

  #announced({ step, status, reason, error }: AnnounceStep, at: number): void {
    const wasCalled = this.#steps.has(step);
    if (status === "failed" && !wasCalled) {
      this.#startStep(
        step,
        step.slice(step.lastIndexOf(".") + 1),
        "",
        this.#run?.context ?? this.#parent,
        at,
      );
    }
    if (wasCalled || status === "failed") this.#endStep(step, status, error, at);
    else {
      const about = { "sequitur.step.id": step, ...(reason !== undefined && { "sequitur.reason": reason }) };
      this.#run?.span.addEvent(`step ${status}`, about, at);
    }
  }

  #endStep(id: string, status: string, error: StepError | undefined, at: number): void {
    const step = this.#steps.get(id);
    if (step === undefined) return;
    this.#steps.delete(id);
    step.span.setAttribute("sequitur.step.status", status);
    this.#end(step, at, error);
    this.#recorder.step(at - step.startedAt, status);
  }

  #end({ span }: OpenSpan, at: number, error: StepError | undefined): void {
    if (error !== undefined) {
      const { name, code, message } = error;
      span.recordException({ name, code, message }, at);
      span.setAttribute("error.type", code);
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message });
    }
    span.end(at);
  }

  #finish(status: string, error: StepError | undefined, at: number): void {
    this.#endAll(at, "cancelled");
    if (this.#run === undefined) return;
    this.#run.span.setAttribute("sequitur.run.status", status);
    this.#end(this.#run, at, error);
    this.#run = undefined;
    this.#recorder.run(at - this.#state.startedAt, status);
  }

  #endAll(at: number, status: string): void {
    for (const attempt of this.#attempts.values()) this.#end(attempt, at, undefined);
    this.#attempts.clear();
    // The innermost were started last.
    for (const id of [...this.#steps.keys()].reverse()) this.#endStep(id, status, undefined, at);
  }

  /** The run goes on in another process, or in none. */
  abandon(at: number): void {
    this.#endAll(at, "abandoned");
    this.#run?.span.setAttribute("sequitur.run.status", "abandoned");
    this.#run?.span.end(at);
    this.#run = undefined;
  }
}

function cancelled(message: string): StepError {
  return { name: "CancelledError", code: "CANCELLED", message };
}
