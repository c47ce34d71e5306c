import { isObject, type JsonObject } from "../base/json.ts";
import type { RareMap } from "../base/rare.ts";

/** What the calls of models in one step took, over all attempts. */
export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Where the prices are known. */
  readonly cost?: number;
}

/** What a tool records when it has called a model. */
export const MODEL_USED = "ModelUsed";

export function noteUsage(usages: RareMap<string, Usage>, step: string, event: JsonObject): void {
  if (event.kind !== MODEL_USED || !isObject(event.usage)) return;
  const { inputTokens, outputTokens, cost } = event.usage;
  const before = usages.get(step);
  const total = typeof cost === "number" ? (before?.cost ?? 0) + cost : before?.cost;
  usages.set(step, {
    calls: (before?.calls ?? 0) + 1,
    inputTokens: (before?.inputTokens ?? 0) + Number(inputTokens),
    outputTokens: (before?.outputTokens ?? 0) + Number(outputTokens),
    ...(total !== undefined && { cost: total }),
  });
}
