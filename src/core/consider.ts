import type { Step } from "../ir/program.ts";
import { newCall } from "./calls.ts";
import { explainConditions, holds } from "./condition.ts";
import { beginFanOut } from "./fan-out.ts";
import { evaluateWithFiles } from "./file-access.ts";
import { isGateClosed, mayStart } from "./gate.ts";
import { stepId } from "./ids.ts";
import { judgeNeeds } from "./needs.ts";
import { scopeOf } from "./resolve.ts";
import { activate, ask, hold, settle } from "./settle.ts";
import { type Frame, isSettled, type StepState } from "./state.ts";
import type { Turn } from "./turn.ts";

/** Every step that this one waits for has settled: will it run? */
export function consider(turn: Turn, frame: Frame, index: number): void {
  if ((frame.steps[index] as StepState).status !== "pending") return;
  const step = frame.block.steps[index] as Step;
  const verdict = judgeNeeds(frame, step);
  const closed = isGateClosed(turn, frame);
  if (verdict.kind === "blocked" || (verdict.kind === "failed" && closed)) {
    const reason = verdict.kind === "blocked" ? verdict.reason : verdict.error.message;
    settle(turn, frame, index, "blocked", { reason });
  } else if (closed && !mayStart(turn, frame, index)) {
    hold(turn, frame, index);
  } else if (verdict.kind === "failed") {
    settle(turn, frame, index, "failed", { error: verdict.error });
  } else if (step.conditions === undefined) {
    proceed(turn, frame, step);
  } else checkConditions(turn, frame, step);
}

function checkConditions(turn: Turn, frame: Frame, step: Step): void {
  const { conditions } = step;
  if (conditions === undefined) return;
  activate(frame, step.index, "running");
  evaluateWithFiles(
    turn,
    step,
    (_, __, files) => {
      const scope = scopeOf(turn.state, frame, files);
      return holds(conditions, scope) ? undefined : explainConditions(conditions, scope);
    },
    (later, _, outcome) => {
      if (isSettled((frame.steps[step.index] as StepState).status)) return;
      if ("error" in outcome) settle(later, frame, step.index, "failed", { error: outcome.error });
      else if (outcome.value !== undefined)
        settle(later, frame, step.index, "skipped", { reason: outcome.value });
      else proceed(later, frame, step);
    },
  );
}

/** Asks for what a person has to say, or puts the step into the queue. */
function proceed(turn: Turn, frame: Frame, step: Step): void {
  const { state } = turn;
  if (frame.call === undefined && state.openInputs.size > 0 && asksOpenQuestion(turn, step)) {
    ask(frame, step.index);
    state.waitingForInputs.push(step.index);
  } else if (step.requiresConfirmation && !frame.confirmed.has(step.index)) {
    ask(frame, step.index);
    const id = stepId(frame, step.index);
    state.confirmations.set(id, { frame, step });
    turn.add({ kind: "AskConfirmation", step: id });
  } else enqueue(turn, frame, step);
}

/** A person has answered what the step was waiting for. */
export function proceedAnswered(turn: Turn, frame: Frame, step: Step): void {
  if (!frame.asking.delete(step.index)) return;
  if (mayStart(turn, frame, step.index)) proceed(turn, frame, step);
  else hold(turn, frame, step.index);
}

function asksOpenQuestion(turn: Turn, step: Step): boolean {
  const { program, openInputs } = turn.state;
  return program.questions.some(({ name, stepIds }) => openInputs.has(name) && stepIds.includes(step.id));
}

function enqueue(turn: Turn, frame: Frame, step: Step): void {
  if (step.fanOut !== undefined) {
    beginFanOut(turn, frame, step, step.fanOut);
    return;
  }
  activate(frame, step.index, "ready");
  turn.state.ready.push(newCall(turn.state, frame, step, -1));
}
