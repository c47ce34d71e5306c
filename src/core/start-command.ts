import type { JsonObject } from "../base/json.ts";
import type { StartStep } from "./commands.ts";
import { callId } from "./ids.ts";
import type { Call } from "./state.ts";

/** The command that starts the current attempt of a call. What follows from the call is worked out when somebody asks. */
export class StartCommand implements StartStep {
  readonly kind = "StartStep";
  readonly call: number;
  readonly attempt: number;
  readonly turn: number;
  readonly arguments: JsonObject;
  readonly #of: Call;

  /** `args` are the tool's own. */
  constructor(call: Call, args: JsonObject) {
    this.call = call.id;
    this.attempt = call.attempt;
    this.turn = call.turn;
    this.arguments = args;
    this.#of = call;
  }

  get step(): string {
    return callId(this.#of);
  }

  get tool(): string {
    const { call } = this.#of.step;
    return call.kind === "tool" ? call.tool : "";
  }

  get agent(): string {
    return this.#of.step.call.agent;
  }

  get timeoutMs(): number | undefined {
    return this.#of.step.policy.timeoutMs;
  }

  /** As plain data, for other processes. */
  toJSON(): StartStep {
    const { kind, call, attempt, step, tool, agent, arguments: args, timeoutMs, turn } = this;
    return { kind, call, attempt, step, tool, agent, arguments: args, timeoutMs, turn };
  }
}
