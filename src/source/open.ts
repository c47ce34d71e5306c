/**
 * Opens a document: text or an already parsed value in, a value that is safe to walk out. Texts that are fine take the
 * fast way, `JSON.parse` and two scans; only those that are not are read with positions.
 */
import { isList, type Json } from "../base/json.ts";
import { BYTE_ORDER_MARK } from "./lines.ts";
import { checkParsed } from "./parsed-value.ts";
import type { SourceDocument } from "./place.ts";
import { readPositions } from "./positions.ts";
import { LEVELS_MAX, type SyntaxFinding, wording } from "./syntax.ts";

export type { SyntaxFinding } from "./syntax.ts";

export interface Opened {
  /**
   * There is one if the source is JSON and not too deep. A repeated key is a problem, but one that leaves a document
   * (in which the last counts), so that the rest of it can be checked as well.
   */
  readonly document: SourceDocument | undefined;
  readonly problems: readonly SyntaxFinding[];
}

export function openDocument(source: string | Json, file?: string): Opened {
  if (typeof source === "string") return openText(source, file);
  const problems = checkParsed(source);
  const document = { file, text: undefined, value: source };
  return problems.length > 0 ? { document: undefined, problems } : { document, problems };
}

function openText(text: string, file: string | undefined): Opened {
  const { levels, colons } = measureText(text);
  if (levels > LEVELS_MAX) {
    const { problems } = readPositions(text);
    if (problems.some((problem) => problem.code !== "duplicate-key"))
      return { document: undefined, problems };
  }
  let value: Json;
  try {
    value = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text) as Json;
  } catch (error) {
    return { document: undefined, problems: syntaxProblems(text, error) };
  }
  // Every key has one colon; a key that stands twice is in the value once.
  const problems = colons === countKeys(value) ? [] : readPositions(text).problems;
  return { document: { file, text, value }, problems };
}

function syntaxProblems(text: string, error: unknown): readonly SyntaxFinding[] {
  const { problems } = readPositions(text);
  if (problems.some((problem) => problem.code !== "duplicate-key")) return problems;
  // The reader is more generous than JSON somewhere; the parser's own words are better than none.
  const message = error instanceof Error ? error.message : String(error);
  const said = wording.parserSays(message);
  return [{ code: "json-syntax", ...said, from: 0, to: 0, pointer: "" }, ...problems];
}

/** How deep a JSON text is nested, and how many keys it has, repeated ones included. Of other texts, something. */
function measureText(text: string): { readonly levels: number; readonly colons: number } {
  let colons = 0;
  let level = 0;
  let levels = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 34) at = closingQuote(text, at);
    else if (c === 58) colons++;
    else if (c === 123 || c === 91) {
      if (++level > levels) levels = level;
    } else if (c === 125 || c === 93) level--;
  }
  return { levels, colons };
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 34) return at;
    if (c === 92) at++;
  }
  return text.length;
}

/** Without recursion; for a value that `JSON.parse` made. */
function countKeys(root: Json): number {
  let count = 0;
  const open: object[] = isContainer(root) ? [root] : [];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isList(value)) {
      for (const item of value) if (isContainer(item)) open.push(item);
    } else {
      // `for … in` makes no list of the keys. It sees inherited keys as well, of which these values have none.
      for (const key in value) {
        count++;
        const item: unknown = value[key as keyof typeof value];
        if (isContainer(item)) open.push(item);
      }
    }
  }
  return count;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
