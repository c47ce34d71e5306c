/* A plan of a corpus, as it is between its own language and ours. */
import { isList, isObject, type Json, type JsonObject } from "../../src/base/json.ts";

export interface NeutralPlan {
  readonly id: string;
  readonly steps: readonly NeutralStep[];
  readonly tools: Readonly<Record<string, NeutralTool>>;
}

export interface NeutralStep {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, NeutralValue>>;
}

/** JSON Schemas, as far as the corpus has them. */
export interface NeutralTool {
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
}

/** A value in which strings have been split: `["text ", { step, path }]`. */
export type NeutralValue =
  | { readonly kind: "constant"; readonly value: Json }
  | { readonly kind: "text"; readonly parts: readonly (string | NeutralReference)[] }
  | { readonly kind: "list"; readonly items: readonly NeutralValue[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, NeutralValue])[] };

export interface NeutralReference {
  readonly step: string;
  readonly path: readonly (string | number)[];
}

/** Splits the strings of a value at the references that `pattern`, which is global, finds. */
export function neutral(
  value: Json,
  pattern: RegExp,
  refer: (match: RegExpExecArray) => NeutralReference | undefined,
): NeutralValue {
  if (typeof value === "string") return splitText(value, pattern, refer);
  if (isList(value)) return { kind: "list", items: value.map((item) => neutral(item, pattern, refer)) };
  if (!isObject(value)) return { kind: "constant", value };
  const entries = Object.entries(value).map(([key, item]) => [key, neutral(item, pattern, refer)] as const);
  return { kind: "object", entries };
}

function splitText(
  text: string,
  pattern: RegExp,
  refer: (match: RegExpExecArray) => NeutralReference | undefined,
): NeutralValue {
  const parts: (string | NeutralReference)[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const reference = refer(match);
    if (reference === undefined) continue;
    if (match.index > done) parts.push(text.slice(done, match.index));
    parts.push(reference);
    done = match.index + match[0].length;
  }
  if (parts.length === 0) return { kind: "constant", value: text };
  if (done < text.length) parts.push(text.slice(done));
  return { kind: "text", parts };
}

/** `a.b[0].c d` */
export function neutralPath(text: string): (string | number)[] {
  const path: (string | number)[] = [];
  for (const [, key, index, quoted] of text.matchAll(/([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)) {
    path.push(index === undefined ? (key ?? quoted ?? "") : Number(index));
  }
  return path;
}

export function referencesIn(value: NeutralValue): NeutralReference[] {
  switch (value.kind) {
    case "constant":
      return [];
    case "text":
      return value.parts.filter((part) => typeof part !== "string");
    case "list":
      return value.items.flatMap(referencesIn);
    case "object":
      return value.entries.flatMap(([, item]) => referencesIn(item));
  }
}
