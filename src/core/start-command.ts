import type { StartStep } from "./commands.ts";
import { callId, idempotencyKey } from "./ids.ts";
import type { Call, RunState } from "./state.ts";

/** The command that starts the current attempt of a call; the same one again for a process that takes the run over. */
export function startCommand(state: RunState, call: Call): StartStep {
  const target = call.step.call;
  return {
    kind: "StartStep",
    call: call.id,
    attempt: call.attempt,
    step: callId(call),
    tool: target.kind === "tool" ? target.tool : "",
    agent: target.agent,
    arguments: call.arguments ?? {},
    timeoutMs: call.step.policy.timeoutMs,
    idempotencyKey: idempotencyKey(state.runId, call),
  };
}
