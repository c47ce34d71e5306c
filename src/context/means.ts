import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import type { Json } from "../base/json.ts";
import { walk } from "../expr/path.ts";
import type { Condition } from "../ir/condition.ts";
import { conditionHolds } from "../ir/evaluate-condition.ts";
import { sandboxed } from "./sandbox.ts";
import type { TriggerMeans } from "./trigger.ts";

let patterns: typeof RE2JS | undefined;

/** What the triggers of a variable may use. The engines behind patterns and functions are loaded when the first one is used. */
export function meansOf(variable: string): TriggerMeans {
  return { variable, holds, matcher, sandboxed };
}

function holds(conditions: Condition | undefined, value: Json): boolean {
  return conditions === undefined || conditionHolds(conditions, ({ path }) => walk(value, path) ?? null);
}

function matcher(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  patterns ??= (createRequire(import.meta.url)("re2js") as { RE2JS: typeof RE2JS }).RE2JS;
  const flags = ignoreCase ? patterns.CASE_INSENSITIVE : 0;
  const compiled = patterns.compile(patterns.translateRegExp(pattern), flags);
  return (text) => compiled.matcher(text).find();
}
