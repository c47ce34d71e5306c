/*
 * Plans as language models write them, turned into a list of calls that is independent of any language of ours. The three
 * notations are described in the corpus's README. What isn't clear is an `unclear`, with the reason.
 */
import { isObject, type Json } from "../../src/base/json.ts";
import { literalInActions, literalInSteps, mapStrings } from "./escape.ts";

export interface LlmRow {
  readonly id: string;
  readonly syntax: "$N" | "#E N" | "<GENERATED>-N";
  readonly plan_text: string;
  readonly refs: number;
}

/** A call; strings in `input` still hold references in the notation's own form. `after` are calls that it must follow. */
export interface LlmCall {
  readonly number: number;
  readonly tool: string;
  readonly input: Json;
  readonly after: readonly number[];
}

export type LlmPlan =
  | { readonly kind: "calls"; readonly calls: readonly LlmCall[]; readonly reference: RegExp }
  | { readonly kind: "unclear"; readonly why: string };

export function readLlmPlan({ syntax, plan_text: text }: LlmRow): LlmPlan {
  if (syntax === "$N") return { kind: "calls", calls: readCompiler(text), reference: /\$(\d+)/g };
  if (syntax === "#E N") return { kind: "calls", calls: readRewoo(text), reference: /#E(\d+)/g };
  return readHugging(text);
}

/** `N. tool(args)`; the last one, `join()`, follows all others. */
function readCompiler(text: string): LlmCall[] {
  const calls: LlmCall[] = [];
  for (const [, number, tool = "", args = ""] of text.matchAll(/^(\d+)\. (\w+)\((.*)\)$/gm)) {
    const after = tool === "join" ? calls.map((call) => call.number) : [];
    calls.push({ number: Number(number), tool, input: { args: readArguments(args) }, after });
  }
  return calls;
}

/** Strings in either quote, lists of them, and, as some models write it, text without quotes. */
function readArguments(text: string): Json {
  if (text === "") return [];
  const quoted = text.replace(/'((?:[^'\\]|\\.)*)'/g, (_, inner: string) => JSON.stringify(inner));
  try {
    return JSON.parse(`[${quoted}]`) as Json;
  } catch {
    return [text];
  }
}

/** `#EN = Tool[input]` */
function readRewoo(text: string): LlmCall[] {
  return [...text.matchAll(/^#E(\d+) = (\w+)\[(.*)\]$/gm)].map(([, number, tool = "", input = ""]) => {
    return { number: Number(number), tool, input: { input }, after: [] };
  });
}

/** `[{ task, id, dep, args }]` */
function readHugging(text: string): LlmPlan {
  let list: Json;
  try {
    list = JSON.parse(text) as Json;
  } catch {
    return { kind: "unclear", why: "the text is not JSON" };
  }
  const calls = (list as readonly Json[]).filter(isObject).map((call): LlmCall => {
    const after = (call.dep as readonly number[]).filter((id) => id >= 0);
    return { number: call.id as number, tool: call.task as string, input: call.args as Json, after };
  });
  return { kind: "calls", calls, reference: /<GENERATED>?-(\d+)>?/g };
}

type Written = LlmPlan & { readonly kind: "calls" };

export function toActions({ calls, reference }: Written): Json {
  return calls.map(({ number, tool, input, after }) => ({
    id: `call-${number}`,
    tool,
    arguments: mapStrings(input, (text) =>
      replaceReferences(text, reference, literalInActions, (n) => `{{call-${n}.result}}`),
    ),
    dependencies: after.map((n) => `call-${n}`),
  }));
}

export function toSteps({ calls, reference }: Written): Json {
  const places = new Map(calls.map(({ number }, i) => [number, i]));
  return {
    steps: calls.map(({ tool, input, after }) => ({
      tool,
      params: mapStrings(input, (text) =>
        replaceReferences(text, reference, literalInSteps, (n) => `\${step[${places.get(n)}].data}`),
      ),
      dependsOn: after.map((n) => places.get(n) ?? -1),
    })),
  };
}

/** Everything between references is text, whatever it looks like. */
export function replaceReferences(
  text: string,
  reference: RegExp,
  literal: (text: string) => string,
  write: (number: number) => string,
): string {
  let [written, at] = ["", 0];
  for (const match of text.matchAll(reference)) {
    written += literal(text.slice(at, match.index)) + write(Number(match[1]));
    at = match.index + match[0].length;
  }
  return written + literal(text.slice(at));
}
