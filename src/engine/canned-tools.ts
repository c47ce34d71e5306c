import type { Clock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import { getOwn, hasOwn, isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import { type ToolContext, ToolError, type ToolFunction } from "../tools/tool.ts";

/** A call that a canned tool has seen. */
export interface SeenCall {
  readonly tool: string;
  readonly params: JsonObject;
}

const ANSWERS = ["returns", "echo", "fails", "failsTimes", "cases"];

/** A tool of a plan test: it answers as its description says, on the test's clock, and notes its calls. */
export function cannedTool(name: string, canned: Json, clock: Clock, seen: SeenCall[]): ToolFunction {
  if (!isObject(canned)) throw invalid(name, "it must be an object");
  const answers = ANSWERS.filter((answer) => hasOwn(canned, answer));
  if (answers.length !== 1) {
    throw invalid(
      name,
      `it has ${answers.length === 0 ? "none" : answers.join(" and ")} of ${ANSWERS.join(", ")}; exactly one is needed`,
    );
  }
  let calls = 0;
  return async (params: JsonObject, context: ToolContext) => {
    seen.push({ tool: name, params });
    const call = calls++;
    const { delayMs } = canned;
    if (typeof delayMs === "number") await delay(clock, delayMs, context.signal);
    return answer(name, canned, params, call);
  };
}

function answer(name: string, canned: JsonObject, params: JsonObject, call: number): Json {
  if (hasOwn(canned, "returns")) return canned.returns as Json;
  if (canned.echo === true) return params;
  if (hasOwn(canned, "fails")) throw failureOf(canned.fails as Json);
  if (typeof canned.failsTimes === "number") {
    if (call < canned.failsTimes)
      throw new ToolError(`${name} fails (${call + 1} of ${canned.failsTimes})`, { code: "CANNED" });
    return canned.thenReturns ?? null;
  }
  for (const item of isList(canned.cases) ? canned.cases : []) {
    if (!isObject(item) || !matches(item.when ?? {}, params)) continue;
    if (hasOwn(item, "fails")) throw failureOf(item.fails as Json);
    return item.returns ?? null;
  }
  throw new ToolError(`No case of ${name} matches ${JSON.stringify(params)}.`, {
    code: "NO_CASE",
    retryable: false,
  });
}

function failureOf(fails: Json): ToolError {
  if (!isObject(fails))
    return new ToolError(typeof fails === "string" ? fails : "failed", { code: "CANNED" });
  const { message, code, retryable } = fails;
  return new ToolError(typeof message === "string" ? message : "failed", {
    code: typeof code === "string" ? code : "CANNED",
    retryable: retryable !== false,
  });
}

function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + ms, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      reject(signal.reason);
    });
  });
}

/** Everything that `expected` says holds of `actual`; objects may have more, lists are compared item by item. */
function matches(expected: Json, actual: Json | undefined): boolean {
  return mismatch(expected, actual, "") === undefined;
}

/** Where, and how, they differ first. */
export function mismatch(expected: Json, actual: Json | undefined, path: string): string | undefined {
  if (isObject(expected)) {
    if (!isObject(actual)) return differ(expected, actual, path);
    for (const key of Object.keys(expected)) {
      const found = mismatch(
        expected[key] as Json,
        getOwn(actual, key),
        path === "" ? key : `${path}.${key}`,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isList(expected)) {
    if (!isList(actual) || actual.length !== expected.length) return differ(expected, actual, path);
    for (const [i, item] of expected.entries()) {
      const found = mismatch(item, actual[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return Object.is(expected, actual) || expected === actual ? undefined : differ(expected, actual, path);
}

function differ(expected: Json, actual: Json | undefined, path: string): string {
  const shown = (value: Json | undefined): string => {
    const text = value === undefined ? "nothing" : JSON.stringify(value);
    return text.length > 200 ? `${text.slice(0, 199)}…` : text;
  };
  return `${path || "the result"}: expected ${shown(expected)}, got ${shown(actual)}`;
}

function invalid(name: string, why: string): SequiturError {
  return new SequiturError("INVALID_TEST", `The canned tool "${name}" is not usable: ${why}.`);
}
