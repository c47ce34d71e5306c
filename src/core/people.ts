/* What people say: answers to the questions of a plan, and yes or no to a step. */
import { proceedAnswered } from "./consider.ts";
import { observe } from "./context.ts";
import type { ConfirmationGiven, InputProvided } from "./events.ts";
import { openFrame } from "./frames.ts";
import { settle } from "./settle.ts";
import type { Turn } from "./turn.ts";

/** A question is answered; without `eager`, the plan begins when none is left. */
export function answerQuestion(turn: Turn, event: InputProvided): void {
  const { state } = turn;
  if (!state.openInputs.delete(event.name)) return;
  state.inputs.set(event.name, event.value);
  observe(turn, { kind: "InputProvided", name: event.name, value: event.value });
  if (!state.eager) {
    if (state.openInputs.size === 0) openFrame(turn, state.root);
    return;
  }
  const waiting = state.waitingForInputs;
  state.waitingForInputs = [];
  for (const index of waiting) {
    const step = state.program.blocks[0].steps[index];
    if (step !== undefined) proceedAnswered(turn, state.root, step);
  }
}

/** A person has said yes or no to a step. */
export function confirm(turn: Turn, event: ConfirmationGiven): void {
  const asked = turn.state.confirmations.get(event.step);
  if (asked === undefined) return;
  turn.state.confirmations.delete(event.step);
  const { frame, step } = asked;
  observe(turn, { kind: "InputProvided", name: event.step, value: event.yes });
  if (event.yes) {
    frame.confirmed.add(step.index);
    proceedAnswered(turn, frame, step);
  } else settle(turn, frame, step.index, "cancelled", { reason: "a person said no" });
}
