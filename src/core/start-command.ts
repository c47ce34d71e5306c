import type { JsonObject } from "../base/json.ts";
import type { StartStep } from "./commands.ts";
import { callId } from "./ids.ts";
import type { Call } from "./state.ts";

/** The command that starts the current attempt of a call; `args` are the tool's own. */
export function startCommand(call: Call, args: JsonObject): StartStep {
  const { call: target, policy } = call.step;
  return {
    kind: "StartStep",
    call: call.id,
    attempt: call.attempt,
    step: callId(call),
    tool: target.kind === "tool" ? target.tool : "",
    agent: target.agent,
    arguments: args,
    timeoutMs: policy.timeoutMs,
    turn: call.turn,
  };
}
