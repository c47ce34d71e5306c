/** From a spot in a parsed document to a place that a person or an editor can go to. */
import type { Spot } from "./diagnostic.ts";
import { sourceOffset } from "./escapes.ts";
import { type LineStarts, lineColumnIn, lineStarts } from "./lines.ts";
import { keysOf, type Place, pointerOf, rootPlace, type SourceDocument, valueAt } from "./place.ts";
import { locate, type PositionNode } from "./positions.ts";

/** Lines and columns from 1; the ends are those of the character behind the last. */
export interface Location {
  readonly pointer: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  readonly startOffset?: number;
  readonly endOffset?: number;
}

/** Findings of several documents come mixed, so the lines of each are kept as long as it is. */
const linesOf = new WeakMap<SourceDocument, LineStarts>();

/** What is missing is shown at the nearest thing around it that is there. */
export function resolveSpot(spot: Spot): Location {
  const { document } = spot.place;
  const place = nearestThere(spot.place);
  const keys = keysOf(place);
  const location = { pointer: pointerOf(keys), ...(document.file !== undefined && { file: document.file }) };
  const node = locate(document, keys);
  if (document.text === undefined || node === undefined) return location;
  const exact = place === spot.place ? spot : { place };
  const { from, to } = rangeOf(document.text, node, exact);
  const starts = linesOf.get(document) ?? lineStarts(document.text);
  linesOf.set(document, starts);
  const start = lineColumnIn(starts, from);
  const end = lineColumnIn(starts, to);
  return {
    ...location,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    startOffset: from,
    endOffset: to,
  };
}

function nearestThere(place: Place): Place {
  for (let at: Place | undefined = place; at !== undefined; at = at.up) {
    if (valueAt(at) !== undefined) return at;
  }
  return rootPlace(place.document);
}

function rangeOf(
  text: string,
  node: PositionNode,
  spot: Spot,
): { readonly from: number; readonly to: number } {
  if (spot.on === "key" && node.keyStart >= 0) return { from: node.keyStart, to: node.keyEnd };
  if (spot.from === undefined || node.kind !== "string") return { from: node.start, to: node.end };
  const from = sourceOffset(text, node.start, node.end, spot.from);
  const to = spot.to === undefined ? node.end - 1 : sourceOffset(text, node.start, node.end, spot.to);
  return { from, to: Math.max(from, to) };
}
