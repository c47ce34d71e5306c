/*
 * A value for people: names and values below each other, texts as they are. Programs take `--json`.
 *
 *     title   Report
 *     counts
 *       lines  120
 *     files
 *       - path  /a.txt
 *         size  5
 */
import { harmless, type Json, type JsonObject, widthOf } from "../compiler.ts";
import { cut } from "./styled-line.ts";

/** Lines without an end; control characters show as their pictures. */
export function valueLines(value: Json): string[] {
  if (typeof value === "string") return value.replace(/\n$/, "").split("\n").map(textLine);
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value)) return listLines(value as readonly Json[]);
  return objectLines(value as JsonObject);
}

/** The value on one line, cut to so many columns. */
export function valueInline(value: Json, columns: number): string {
  return cut(harmless(typeof value === "string" ? value : JSON.stringify(value)), columns);
}

/** Not more than so many lines, and how many are missing. */
export function cutLines(lines: readonly string[], linesMax: number): string[] {
  if (lines.length <= linesMax) return [...lines];
  return [...lines.slice(0, linesMax - 1), `… ${lines.length - linesMax + 1} more lines`];
}

function textLine(line: string): string {
  return line.split("\t").map(harmless).join("    ");
}

const FILL_COLUMNS = 80;
const SHORT = 30;

function listLines(list: readonly Json[]): string[] {
  const texts = list.map((item) =>
    typeof item === "object" && item !== null ? undefined : JSON.stringify(item),
  );
  if (texts.every((text) => text !== undefined && text.length <= SHORT)) return filled(texts as string[]);
  return list.flatMap((item) => {
    const [first = "", ...rest] = valueLines(item);
    return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

/** Short values beside each other, as many in a line as there is room for. */
function filled(texts: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "[";
  for (const [i, text] of texts.entries()) {
    const piece = i < texts.length - 1 ? `${text}, ` : text;
    if (line.length + piece.length > FILL_COLUMNS) {
      lines.push(line.trimEnd());
      line = " ";
    }
    line += piece;
  }
  return [...lines, `${line}]`].map(harmless);
}

function objectLines(object: JsonObject): string[] {
  const entries = Object.entries(object).map(
    ([key, value]) => [harmless(key), valueLines(value), value] as const,
  );
  if (entries.length === 0) return ["{}"];
  const inline = entries.filter(([, lines, value]) => isInline(lines, value));
  const width = Math.max(0, ...inline.map(([key]) => widthOf(key)));
  return entries.flatMap(([key, lines, value]) => {
    if (isInline(lines, value)) return [`${key}${" ".repeat(width - widthOf(key) + 2)}${lines[0]}`];
    return [key, ...lines.map((line) => (line === "" ? "" : `  ${line}`))];
  });
}

function isInline(lines: readonly string[], value: Json): boolean {
  const [first = ""] = lines;
  return (
    lines.length === 1 &&
    (typeof value !== "object" || value === null || first.startsWith("[") || first === "{}")
  );
}
