import type { Json } from "../base/json.ts";
import { checkedResponse } from "./arguments.ts";
import { evaluateWithFiles, type FileAccess } from "./file-access.ts";
import { resolveTemplate, scopeOf } from "./resolve.ts";
import type { Frame, RunState, RunStatus } from "./state.ts";
import type { StepError } from "./step-error.ts";
import { applyTransform } from "./transform.ts";
import type { Turn } from "./turn.ts";

/** Looks at every step that waits for nothing. */
export function openFrame(turn: Turn, frame: Frame): void {
  const { waitsFor } = frame.block.graph;
  for (let i = 0; i < waitsFor.length; i++) if (waitsFor[i] === 0) turn.considerLater(frame, i);
  if (frame.left === 0) turn.finishLater(frame);
}

/** What a frame comes to, once all its steps have settled. */
export interface FrameEnd {
  readonly error: StepError | undefined;
  readonly response: Json | undefined;
}

export function closeFrame(turn: Turn, frame: Frame, then: (turn: Turn, end: FrameEnd) => void): void {
  if (frame.closed) return;
  frame.closed = true;
  const failed = frame.failure;
  // A run in the continue mode answers with what there is; everything else that failed has no response.
  if (failed !== undefined && (frame.call !== undefined || turn.state.mode === "stop")) {
    then(turn, { error: failed, response: undefined });
    return;
  }
  evaluateWithFiles(
    turn,
    frame,
    (_, __, files) => responseOf(turn.state, frame, files),
    (later, _, outcome) => {
      if ("value" in outcome) then(later, { error: failed, response: outcome.value });
      else then(later, { error: failed ?? outcome.error, response: undefined });
    },
  );
}

/** The response map, then the definition's own transforms. */
function responseOf(state: RunState, frame: Frame, files: FileAccess | undefined): Json | undefined {
  const { response: map, signature } = frame.block;
  if (map === undefined && signature?.transformResults === undefined) return undefined;
  const scope = scopeOf(state, frame, files);
  let value: Json = map === undefined ? {} : resolveTemplate(map, scope);
  if (signature?.transformResults !== undefined) {
    value = applyTransform(signature.transformResults, value, { ...scope, response: value });
  }
  // A composite's response is validated by its call, after the instruction's transforms.
  if (frame.call !== undefined || signature === undefined) return value;
  return checkedResponse(state, frame, signature, value, "The response");
}

/** What the end of the plan's own frame means for the run. */
export function runStatus(state: RunState, error: StepError | undefined): RunStatus {
  if (error === undefined) return "completed";
  const some = state.mode === "continue" && state.root.steps.some((step) => step.status === "completed");
  return some ? "partial_success" : "failed";
}
