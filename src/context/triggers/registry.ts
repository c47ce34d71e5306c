import type { TriggerType } from "../trigger.ts";
import { agentText } from "./agent-text.ts";
import { agentTurnCount } from "./agent-turn-count.ts";
import { functionTrigger } from "./function.ts";
import { timerExpired } from "./timer-expired.ts";
import { toolResponse } from "./tool-response.ts";
import { uiResponse } from "./ui-response.ts";

export type TriggerRegistry = ReadonlyMap<string, TriggerType>;

export function triggerRegistry(types: readonly TriggerType[]): TriggerRegistry {
  return new Map(types.map((type) => [type.type, type]));
}

/** Every type of trigger. */
export const TRIGGERS: TriggerRegistry = triggerRegistry([
  agentText,
  agentTurnCount,
  toolResponse,
  timerExpired,
  uiResponse,
  functionTrigger,
]);
