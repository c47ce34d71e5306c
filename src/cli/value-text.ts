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

function listLines(list: readonly Json[]): string[] {
  if (list.length === 0) return ["[]"];
  return list.flatMap((item) => {
    const [first = "", ...rest] = valueLines(item);
    return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}

function objectLines(object: JsonObject): string[] {
  const entries = Object.entries(object).map(([key, value]) => [harmless(key), valueLines(value), value] as const);
  if (entries.length === 0) return ["{}"];
  const inline = entries.filter(([, lines, value]) => isInline(lines, value));
  const width = Math.max(0, ...inline.map(([key]) => widthOf(key)));
  return entries.flatMap(([key, lines, value]) => {
    if (isInline(lines, value)) return [`${key}${" ".repeat(width - widthOf(key) + 2)}${lines[0]}`];
    return [key, ...lines.map((line) => (line === "" ? "" : `  ${line}`))];
  });
}

function isInline(lines: readonly string[], value: Json): boolean {
  const isEmpty = lines[0] === "[]" || lines[0] === "{}";
  return lines.length === 1 && (typeof value !== "object" || value === null || isEmpty);
}
