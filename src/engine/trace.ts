/*
 * A run's events as others see them: what was recorded, and, folded out of it again, what the core decided in answer. Nothing
 * of it is stored twice, and a trace read later is the trace that was seen live.
 */
import type { Json, JsonObject } from "../base/json.ts";
import { advance, isOver } from "../core/advance.ts";
import type { Command } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { FanOutState } from "../core/fan-out-state.ts";
import { callId } from "../core/ids.ts";
import type { Call, RunState } from "../core/state.ts";
import { errorRecord, isoTime } from "./result.ts";

/** `seq` counts from 1 without gaps; `step` is the id of the step it is about. */
export interface TraceEvent {
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly step?: string;
  readonly [key: string]: Json | undefined;
}

export class Tracer {
  readonly #state: RunState;
  /** Fan-outs whose size has been told. */
  readonly #begun = new WeakSet<FanOutState>();
  #seq = 0;

  /** `state` is of a run that has not started; the tracer alone advances it. */
  constructor(state: RunState) {
    this.#state = state;
  }

  get isOver(): boolean {
    return isOver(this.#state);
  }

  /** The recorded event, then what followed from it. */
  *next(event: RunEvent): Generator<TraceEvent> {
    const recorded = this.#recorded(event);
    const commands = advance(this.#state, event);
    const first = this.#number(event.at, recorded);
    yield first;
    const cause = { seq: first.seq, kind: first.kind };
    for (const command of commands) {
      const derived = derivedEvent(command, cause);
      if (derived === undefined) continue;
      const begins = command.kind === "StartStep" ? this.#begins(command.call) : [];
      yield this.#number(event.at, begins.length === 0 ? derived : { ...derived, begins });
    }
  }

  #number(at: number, event: Fields): TraceEvent {
    this.#seq++;
    const { kind, ...rest } = event;
    return { seq: this.#seq, kind, at: isoTime(at), ...rest };
  }

  /** The fan-outs that begin with a call, the outermost last: how many items they have is known from then on. */
  #begins(id: number): { readonly step: string; readonly items: number }[] {
    const begins: { readonly step: string; readonly items: number }[] = [];
    for (let call: Call | undefined = this.#state.calls.get(id); call !== undefined; call = call.frame.call) {
      const fanOut = call.item < 0 ? undefined : call.frame.steps[call.step.index]?.fanOut;
      if (fanOut === undefined || this.#begun.has(fanOut)) continue;
      this.#begun.add(fanOut);
      begins.push({ step: call.frame.prefix + call.step.id, items: fanOut.items.length });
    }
    return begins;
  }

  #recorded(event: RunEvent): Fields {
    const { at: _at, ...rest } = event;
    if (!("call" in rest)) return rest as unknown as Fields;
    const { call, ...fields } = rest;
    const known = this.#state.calls.get(call);
    const step = known === undefined ? {} : { step: callId(known) };
    if (fields.kind !== "StepFailed") return { ...fields, ...step } as unknown as Fields;
    return { ...fields, ...step, error: { ...errorRecord(fields.error) } };
  }
}

type Fields = JsonObject & { readonly kind: string };

/** Commands in the past tense; those that only a driver cares for are no news. */
function derivedEvent(command: Command, cause: JsonObject): Fields | undefined {
  switch (command.kind) {
    case "StartStep": {
      const { step, attempt, tool, agent, arguments: args } = command;
      return { kind: "StepStarted", step, attempt, tool, agent, arguments: args };
    }
    case "AskInput":
      return { kind: "InputAsked", names: command.names };
    case "AskConfirmation":
      return { kind: "ConfirmationAsked", step: command.step };
    case "AnnounceStep":
      return announced(command);
    case "AnnounceContext":
      return { kind: "ContextChanged", name: command.name, value: command.value, cause };
    case "AnnounceTriggerFailure":
      return { kind: "TriggerFailed", name: command.name, message: command.message };
    case "FinishRun":
      return finished(command);
    default:
      return undefined;
  }
}

function announced(command: Command & { kind: "AnnounceStep" }): Fields {
  const { step, status, reason, error } = command;
  const kinds: Readonly<Record<string, string>> = {
    skipped: "StepSkipped",
    blocked: "StepBlocked",
    cancelled: "StepCancelled",
    completed: "StepCompleted",
    failed: "StepGivenUp",
  };
  return {
    kind: kinds[status] ?? "StepSettled",
    step,
    status,
    ...(reason !== undefined && { reason }),
    ...(error !== undefined && { error: { ...errorRecord(error) } }),
  };
}

function finished(command: Command & { kind: "FinishRun" }): Fields {
  const { status, response, error } = command;
  return {
    kind: "RunFinished",
    status,
    ...(response !== undefined && { response }),
    ...(error !== undefined && { error: { ...errorRecord(error) } }),
  };
}
