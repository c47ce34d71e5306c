/** How a JSON text is laid out, so that what is added to it looks like what is there. */
import { isList, type Json } from "../base/json.ts";
import type { PositionNode } from "./positions.ts";

export interface Layout {
  readonly text: string;
  readonly lineEnd: string;
  /** One level of indentation, where the text is spread over lines. */
  readonly unit: string | undefined;
  /** Whether `:` and `,` are followed by a space. */
  readonly spaced: boolean;
}

/** Short lists of plain values stay on one line even in a text that is spread over many. */
const ONE_LINE_MAX = 60;

export function layoutOf(text: string, root: PositionNode): Layout {
  const first = root.children[0];
  const lead = first === undefined ? "" : text.slice(root.start + 1, startOf(first));
  const unit = lead.includes("\n") ? lead.slice(lead.lastIndexOf("\n") + 1) : undefined;
  return { text, lineEnd: text.includes("\r\n") ? "\r\n" : "\n", unit, spaced: isSpaced(text, root, unit) };
}

function isSpaced(text: string, root: PositionNode, unit: string | undefined): boolean {
  for (let node: PositionNode | undefined = root; node !== undefined; node = node.children[0]) {
    if (node.keyEnd >= 0) return /\s/.test(text.slice(node.keyEnd, node.start));
    const [first, second] = node.children;
    if (node.kind === "list" && first !== undefined && second !== undefined && second.keyEnd < 0) {
      if (unit === undefined) return /\s/.test(text.slice(first.end, second.start));
    }
  }
  return true;
}

/** Where the entry begins: at its key, if it has one. */
export function startOf(node: PositionNode): number {
  return node.keyStart >= 0 ? node.keyStart : node.start;
}

/** The white space between the comma and the next entry of a list or object. */
export function separatorOf(layout: Layout, node: PositionNode): string {
  const [first, second] = node.children;
  if (first !== undefined && second !== undefined) {
    const gap = layout.text.slice(first.end, startOf(second));
    return gap.slice(gap.indexOf(",") + 1);
  }
  const lead = first === undefined ? "" : layout.text.slice(node.start + 1, startOf(first));
  if (lead.includes("\n")) return lead;
  return layout.spaced ? " " : "";
}

/** The colon of the object's entries, with the white space around it. */
export function colonOf(layout: Layout, node: PositionNode): string {
  const first = node.children[0];
  const colon = first === undefined ? "\n" : layout.text.slice(first.keyEnd, first.start);
  if (!/[\r\n]/.test(colon)) return colon;
  return layout.spaced ? ": " : ":";
}

/** The white space at the beginning of the line that `offset` is in. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  let end = start;
  while (end < offset && (text[end] === " " || text[end] === "\t")) end++;
  return text.slice(start, end);
}

/** A value as text; `indent` is that of the line it begins in, undefined where everything stands on one line. */
export function printValue(layout: Layout, value: Json, indent: string | undefined): string {
  const compact = JSON.stringify(value);
  if (typeof value !== "object" || value === null || compact.length === 2) return compact;
  const oneLine = layout.spaced ? spacedOut(value) : compact;
  const isPlainList = isList(value) && value.every((item) => typeof item !== "object" || item === null);
  if (indent === undefined || (isPlainList && oneLine.length <= ONE_LINE_MAX)) return oneLine;
  const lines = JSON.stringify(value, null, layout.unit || "  ");
  return lines.replaceAll("\n", layout.lineEnd + indent);
}

/** Line breaks in printed JSON are layout only: those in strings are escaped. */
function spacedOut(value: Json): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ", ").replace(/\n */g, "");
}
