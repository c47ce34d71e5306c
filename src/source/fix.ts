/** Carries out fixes: on a text, keeping its layout, or on a parsed value. */
import { isList, isObject, type Json, setOwn } from "../base/json.ts";
import { type Change, inOrder, mergeFixes } from "./changes.ts";
import type { Edit, Fix } from "./diagnostic.ts";
import { escaped, sourceOffset } from "./escapes.ts";
import { colonOf, indentAt, type Layout, layoutOf, printValue, separatorOf, startOf } from "./layout.ts";
import { BYTE_ORDER_MARK } from "./lines.ts";
import { childAt, type PositionNode, readPositions } from "./positions.ts";
import { type Applied, spliceText, type TextEdit } from "./text-edits.ts";

/**
 * Applies fixes to a JSON text. A fix that does not fit the text, or that is in conflict with one before it, is skipped.
 * Everything the fixes do not speak of stays as it is, byte for byte.
 */
export function applyFixes(text: string, fixes: readonly Pick<Fix, "edits">[]): Applied {
  const value = parsed(text);
  const root = value === undefined ? undefined : readPositions(text).root;
  if (value === undefined || root === undefined) return { text, applied: 0, skipped: fixes.length };
  const { change, applied, skipped } = mergeFixes(value, fixes);
  const writer = new FixWriter(layoutOf(text, root));
  writer.write(root, change, undefined);
  return { text: spliceText(text, writer.edits), applied, skipped };
}

/** Applies the edits of one fix to a value, which itself is not changed; all of them or, if one does not fit, none. */
export function applyEdits(value: Json, edits: readonly Edit[]): Json {
  return changed(value, mergeFixes(value, [{ edits }]).change);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text) as Json;
  } catch {
    return undefined;
  }
}

function changed(value: Json, change: Change): Json {
  if (change.replacement !== undefined) return change.replacement.value;
  if (change.inside === 0) return value;
  if (typeof value === "string") return spliceText(value, inOrder(change.splices));
  if (isList(value)) return changedList(value, change);
  return isObject(value) ? changedObject(value, change) : value;
}

function changedList(value: readonly Json[], change: Change): Json {
  const list: Json[] = [];
  const added = additionsByIndex(change, undefined);
  for (let i = 0; i <= value.length; i++) {
    for (const addition of added.get(i) ?? []) list.push(addition.value);
    const item = value[i];
    const below = change.below.get(String(i));
    if (item !== undefined && below?.removed !== true)
      list.push(below === undefined ? item : changed(item, below));
  }
  return list;
}

function changedObject(value: { readonly [key: string]: Json }, change: Change): Json {
  const object: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    const below = change.below.get(key);
    if (item === undefined || below?.removed === true) continue;
    setOwn(object, below?.renamed ?? key, below === undefined ? item : changed(item, below));
  }
  for (const { key, value: item } of change.added) setOwn(object, key, item);
  return object;
}

/** What is added before which entry; `index` where everything goes to the same place, as in objects. */
function additionsByIndex(change: Change, index: number | undefined): ReadonlyMap<number, Change["added"]> {
  const groups = new Map<number, Change["added"]>();
  for (const addition of change.added) {
    const at = index ?? addition.index;
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [addition]);
    else group.push(addition);
  }
  return groups;
}

/** Collects text edits in the order of the text. */
class FixWriter {
  readonly edits: TextEdit[] = [];
  readonly #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  write(node: PositionNode, change: Change, outer: PositionNode | undefined): void {
    const { text } = this.#layout;
    if (change.replacement !== undefined) {
      const indent = this.#isSpread(outer) ? indentAt(text, node.start) : undefined;
      this.#edit(node.start, node.end, printValue(this.#layout, change.replacement.value, indent));
    } else if (change.inside === 0) {
      return;
    } else if (node.kind === "string") {
      for (const splice of inOrder(change.splices)) {
        const from = sourceOffset(text, node.start, node.end, splice.from);
        this.#edit(from, sourceOffset(text, node.start, node.end, splice.to), escaped(splice.text));
      }
    } else {
      this.#writeEntries(node, change, outer);
    }
  }

  /** Goes through the entries; what is added and removed between two that stay is one edit. */
  #writeEntries(node: PositionNode, change: Change, outer: PositionNode | undefined): void {
    const added = additionsByIndex(change, node.kind === "list" ? undefined : node.children.length);
    const gap = new Gap(this, node, this.#layout);
    for (let i = 0; i <= node.children.length; i++) {
      for (const { key, value } of added.get(i) ?? []) gap.added.push(this.#entry(node, outer, key, value));
      const entry = node.children[i];
      if (entry === undefined) break;
      const below = change.below.get(String(entry.key));
      if (below?.removed === true) {
        gap.removed.push(entry);
        continue;
      }
      gap.end(entry);
      if (below === undefined) continue;
      if (below.renamed !== undefined)
        this.#edit(entry.keyStart, entry.keyEnd, JSON.stringify(below.renamed));
      // Of a repeated key only the last is in the value that the change is about.
      if (childAt(node, entry.key) === entry) this.write(entry, below, node);
    }
    gap.end(undefined, this.#isSpread(outer));
  }

  #entry(node: PositionNode, outer: PositionNode | undefined, key: string, value: Json): string {
    const separator = separatorOf(this.#layout, node);
    const { text, unit } = this.#layout;
    let indent: string | undefined;
    if (separator.includes("\n")) indent = separator.slice(separator.lastIndexOf("\n") + 1);
    else if (node.children.length === 0 && this.#isSpread(outer))
      indent = indentAt(text, node.start) + (unit ?? "  ");
    const printed = printValue(this.#layout, value, indent);
    return node.kind === "list" ? printed : JSON.stringify(key) + colonOf(this.#layout, node) + printed;
  }

  /** Whether the entries of `node` stand on lines of their own. */
  #isSpread(node: PositionNode | undefined): boolean {
    return node === undefined
      ? this.#layout.unit !== undefined
      : separatorOf(this.#layout, node).includes("\n");
  }

  #edit(from: number, to: number, text: string): void {
    this.edits.push({ from, to, text });
  }
}

/** What changes between two entries that stay. */
class Gap {
  readonly added: string[] = [];
  readonly removed: PositionNode[] = [];
  #before: PositionNode | undefined;
  readonly #writer: FixWriter;
  readonly #node: PositionNode;
  readonly #layout: Layout;

  constructor(writer: FixWriter, node: PositionNode, layout: Layout) {
    this.#writer = writer;
    this.#node = node;
    this.#layout = layout;
  }

  /** `after` is the entry behind the gap; `spread` says how an empty list or object is filled. */
  end(after: PositionNode | undefined, spread = false): void {
    if (this.added.length > 0 || this.removed.length > 0) this.#writer.edits.push(this.#edit(after, spread));
    this.added.length = 0;
    this.removed.length = 0;
    this.#before = after;
  }

  #edit(after: PositionNode | undefined, spread: boolean): TextEdit {
    const separator = `,${separatorOf(this.#layout, this.#node)}`;
    const first = this.removed[0];
    const last = this.removed.at(-1);
    if (first !== undefined && last !== undefined) {
      if (this.added.length > 0)
        return { from: startOf(first), to: last.end, text: this.added.join(separator) };
      if (this.#before !== undefined) return { from: this.#before.end, to: last.end, text: "" };
      if (after !== undefined) return { from: startOf(first), to: startOf(after), text: "" };
      return { from: this.#node.start + 1, to: this.#node.end - 1, text: "" };
    }
    if (after !== undefined) {
      const text = this.added.map((entry) => entry + separator).join("");
      return { from: startOf(after), to: startOf(after), text };
    }
    if (this.#before !== undefined) {
      const text = this.added.map((entry) => separator + entry).join("");
      return { from: this.#before.end, to: this.#before.end, text };
    }
    return this.#fill(spread, separator);
  }

  /** The first entries of an empty list or object. */
  #fill(spread: boolean, separator: string): TextEdit {
    const { start, end } = this.#node;
    if (!spread) return { from: start + 1, to: end - 1, text: this.added.join(separator) };
    const { text, lineEnd, unit } = this.#layout;
    const outer = lineEnd + indentAt(text, start);
    const inner = outer + (unit ?? "  ");
    return { from: start + 1, to: end - 1, text: inner + this.added.join(`,${inner}`) + outer };
  }
}
