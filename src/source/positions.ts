/**
 * Where values stand in a text. Compilation works on parsed values; positions are read once a document, when there is
 * something to report.
 */
import { keysOf, type Place, type SourceDocument } from "./place.ts";
import { Reader } from "./reader.ts";
import type { SyntaxFinding } from "./syntax.ts";

export { lineColumn } from "./lines.ts";

/** A value in the text: offsets of its first character and of the one behind it, and the same for its key. */
export interface PositionNode {
  readonly kind: "object" | "list" | "string" | "scalar";
  readonly start: number;
  readonly end: number;
  /** The decoded key, or the index in a list; `""` for the root. */
  readonly key: string | number;
  /** With its quotes; -1 where there is no key. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** In the order of the text; a repeated key is there repeatedly. */
  readonly children: readonly PositionNode[];
}

export interface Positions {
  readonly root: PositionNode | undefined;
  readonly problems: readonly SyntaxFinding[];
}

export function readPositions(text: string): Positions {
  return new Reader(text).read();
}

const known = new WeakMap<SourceDocument, Positions>();
const fieldsOf = new WeakMap<PositionNode, ReadonlyMap<string | number, PositionNode>>();

/** The positions of a document that has a text; read at the first question. */
function positionsOf(document: SourceDocument): Positions | undefined {
  if (document.text === undefined) return undefined;
  let positions = known.get(document);
  if (positions === undefined) {
    positions = readPositions(document.text);
    known.set(document, positions);
  }
  return positions;
}

/** The node of the value that the keys lead to from the root, if the document has a text and such a value. */
export function locate(
  document: SourceDocument,
  keys: readonly (string | number)[],
): PositionNode | undefined {
  let node = positionsOf(document)?.root;
  for (const key of keys) {
    if (node === undefined) return undefined;
    node = childAt(node, key);
  }
  return node;
}

/** Where the value at a place stands in its text, if it has one. */
export function spanOf(place: Place): { readonly from: number; readonly to: number } | undefined {
  const node = locate(place.document, keysOf(place));
  return node && { from: node.start, to: node.end };
}

/** Of a repeated key the last counts, as in `JSON.parse`. */
export function childAt(node: PositionNode, key: string | number): PositionNode | undefined {
  if (node.kind === "list") return typeof key === "number" ? node.children[key] : undefined;
  let fields = fieldsOf.get(node);
  if (fields === undefined) {
    fields = new Map(node.children.map((child) => [child.key, child]));
    fieldsOf.set(node, fields);
  }
  return fields.get(String(key));
}
