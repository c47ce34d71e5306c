/* Every type of trigger, one line each. */
export { agentText } from "./agent-text.ts";
export { agentTurnCount } from "./agent-turn-count.ts";
export { functionTrigger } from "./function.ts";
export { timerExpired } from "./timer-expired.ts";
export { toolResponse } from "./tool-response.ts";
export { uiResponse } from "./ui-response.ts";
