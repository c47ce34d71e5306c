/*
 * Functions that authors write into declarations, called where they can reach nothing.
 *
 * S1  Every call has a runtime of its own: what a function keeps from one call to the next is gone, so that its answer
 *     depends on its argument alone.
 * S2  Limits are counts, never times: the same call is stopped at the same place on any machine, and in a replay.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten-core";
import type { Json } from "../base/json.ts";
import { newQuickJs, type QuickJs, quickJsParts } from "./quickjs.ts";
import type { TriggerProblem } from "./trigger.ts";

/** The engine asks after every so many thousand instructions whether it may go on; so often it may. */
const INTERRUPTS_MAX = 500;
const STACK_BYTES = 256 * 1024;

let shared: QuickJs | undefined;

/** A function from its source: asks it about an argument. A source that is no function is a problem of each call. */
export function sandboxed(source: string): (argument: Json) => boolean | TriggerProblem {
  return (argument) => {
    shared ??= newQuickJs();
    try {
      return ask(shared, source, argument);
    } catch {
      // The instance has broken down, as deep recursion inside the engine can make it; the next call gets another one.
      shared = undefined;
      return { problem: "it brought the sandbox down", isFinal: true };
    }
  };
}

function ask(engine: QuickJs, source: string, argument: Json): boolean | TriggerProblem {
  const { DefaultIntrinsics } = quickJsParts().core;
  const runtime = engine.newRuntime({ maxStackSizeBytes: STACK_BYTES });
  const counter = limitInstructions(runtime);
  const context = runtime.newContext({ intrinsics: { ...DefaultIntrinsics, Date: false } });
  let answer: boolean | TriggerProblem;
  try {
    answer = answerOf(context, callOf(source, argument), counter);
  } finally {
    context.dispose();
    runtime.dispose();
  }
  // Memory that has been used up may be left in pieces: the next call must find it as this one did.
  if (typeof answer !== "boolean" && answer.isFinal) shared = undefined;
  return answer;
}

function limitInstructions(runtime: QuickJSRuntime): { interrupts: number } {
  const counter = { interrupts: 0 };
  runtime.setInterruptHandler(() => ++counter.interrupts > INTERRUPTS_MAX);
  return counter;
}

/** No chance either. The argument arrives as text, so that it is a value of the sandbox's own. */
function callOf(source: string, argument: Json): string {
  const text = JSON.stringify(JSON.stringify(argument));
  return `delete Math.random;\n(${source}\n)(JSON.parse(${text}));`;
}

function answerOf(
  context: QuickJSContext,
  code: string,
  counter: { readonly interrupts: number },
): boolean | TriggerProblem {
  const result = context.evalCode(code, "trigger.js", { type: "global", strict: true });
  if (result.error !== undefined) {
    const problem = explain(context, result.error, counter);
    result.error.dispose();
    return problem;
  }
  const type = typeOf(context, result.value);
  const answer = type === "boolean" && context.dump(result.value) === true;
  result.value.dispose();
  if (type === "boolean" || type === "undefined" || type === "null") return answer;
  return { problem: `it returned ${type}; only true and false are answers`, isFinal: false };
}

function typeOf(context: QuickJSContext, value: QuickJSHandle): string {
  const type = context.typeof(value);
  if (type !== "object") return type === "boolean" || type === "undefined" ? type : `a ${type}`;
  if (context.eq(value, context.null)) return "null";
  const state = context.getPromiseState(value);
  if (state.type === "fulfilled" && state.notAPromise === true) return "an object";
  if (state.type === "fulfilled") state.value.dispose();
  if (state.type === "rejected") state.error.dispose();
  return "a promise";
}

function explain(
  context: QuickJSContext,
  error: QuickJSHandle,
  { interrupts }: { readonly interrupts: number },
): TriggerProblem {
  if (interrupts > INTERRUPTS_MAX) return { problem: "it ran for too long", isFinal: true };
  const thrown: unknown = context.dump(error);
  // Where no memory is left, not even an error fits into it.
  if (thrown === null || thrown === undefined) return { problem: "it used too much memory", isFinal: true };
  const { name, message } = Object(thrown) as { name?: unknown; message?: unknown };
  if (name === "InternalError" && message === "out of memory") {
    return { problem: "it used too much memory", isFinal: true };
  }
  const words = typeof message === "string" ? `${String(name ?? "Error")}: ${message}` : String(thrown);
  return { problem: `it threw ${words.slice(0, 200)}`, isFinal: false };
}
