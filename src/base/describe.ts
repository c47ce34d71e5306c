import type { Json } from "./json.ts";
import { typeOf } from "./json.ts";

/** A value as a message names it: `the text "abc"`, `the number 5`, `a list`, `null`. */
export function describe(value: Json): string {
  switch (typeOf(value)) {
    case "string":
      return `the text ${quote(value as string)}`;
    case "number":
    case "boolean":
      return `the ${typeOf(value)} ${String(value)}`;
    case "list":
      return "a list";
    case "object":
      return "an object";
    case "null":
      return "null";
  }
}

/** Quoted and cut, so that a message stays one line whatever the value is. */
export function quote(text: string, charactersMax = 60): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
  return JSON.stringify(cut);
}

export function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** `1 step`, `7 steps`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
