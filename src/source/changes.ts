/*
 * The edits of many fixes, merged into one tree of changes over a value. Both ways of carrying them out, on the value
 * and on the text, follow this tree; so they agree on what is possible and on what is in conflict.
 *
 * I1  All pointers are those of the value as it was. Edits do not see each other.
 * I2  A fix is taken as a whole or not at all.
 * I3  Nothing changes inside a value that is replaced or removed, and no object gets a key twice.
 */
import { getOwn, isList, isObject, type Json } from "../base/json.ts";
import type { Edit, Fix } from "./diagnostic.ts";
import { LEVELS_MAX } from "./syntax.ts";

export interface Change {
  replacement: { readonly value: Json } | undefined;
  removed: boolean;
  /** The new key of the entry. */
  renamed: string | undefined;
  readonly splices: Splice[];
  /** `index` is where a list gets the value: before the item that has this index now. */
  readonly added: { readonly key: string; readonly index: number; readonly value: Json }[];
  readonly below: Map<string, Change>;
  /** How many edits change the inside of this value. */
  inside: number;
  /** How many entries each key would have, for the keys that edits are about. */
  readonly keyCounts: Map<string, number>;
}

export type Splice = Extract<Edit, { readonly op: "splice" }>;

export interface Merged {
  readonly change: Change;
  readonly applied: number;
  readonly skipped: number;
}

export function mergeFixes(value: Json, fixes: readonly Pick<Fix, "edits">[]): Merged {
  const tree = new ChangeTree(value);
  let applied = 0;
  for (const fix of fixes) if (tree.take(fix.edits)) applied++;
  return { change: tree.root, applied, skipped: fixes.length - applied };
}

/** Splices of one string in the order in which they are carried out; they do not overlap. */
export function inOrder(splices: readonly Splice[]): Splice[] {
  return splices.toSorted((a, b) => a.from - b.from || a.to - b.to);
}

/** Where an edit points: the value, its change, and the changes above it. */
interface Target {
  readonly value: Json;
  readonly change: Change;
  readonly above: readonly Change[];
  readonly outer: Json | undefined;
  readonly key: string;
}

class ChangeTree {
  readonly root = emptyChange();
  readonly #value: Json;
  #undo: (() => void)[] = [];
  /** Objects that may have got a key twice. */
  #touched: { readonly change: Change; readonly key: string }[] = [];

  constructor(value: Json) {
    this.#value = value;
  }

  take(edits: readonly Edit[]): boolean {
    this.#undo = [];
    this.#touched = [];
    const possible = edits.every((edit) => this.#takeEdit(edit));
    if (possible && this.#touched.every(({ change, key }) => (change.keyCounts.get(key) ?? 0) <= 1))
      return true;
    for (const undo of this.#undo.reverse()) undo();
    return false;
  }

  #takeEdit(edit: Edit): boolean {
    const target = this.#find(edit.pointer);
    if (target === undefined || target.change.removed) return false;
    switch (edit.op) {
      case "replace":
        return this.#replace(target, edit.value);
      case "remove":
        return this.#remove(target);
      case "rename":
        return this.#rename(target, edit.key);
      case "add":
        return this.#addTo(target, edit.key, edit.value);
      case "splice":
        return this.#splice(target, edit);
    }
  }

  #replace({ change, above }: Target, value: Json): boolean {
    if (change.replacement !== undefined || change.inside > 0) return false;
    change.replacement = { value };
    this.#undo.push(() => {
      change.replacement = undefined;
    });
    this.#countInside(above);
    return true;
  }

  #remove({ change, above, outer, key }: Target): boolean {
    const untouched = change.replacement === undefined && change.renamed === undefined && change.inside === 0;
    if (!untouched || outer === undefined) return false;
    change.removed = true;
    this.#undo.push(() => {
      change.removed = false;
    });
    this.#countInside(above);
    if (!isList(outer)) this.#countKey(outer, above.at(-1), key, -1);
    return true;
  }

  #rename({ change, above, outer, key }: Target, to: string): boolean {
    if (change.renamed !== undefined || outer === undefined || isList(outer)) return false;
    change.renamed = to;
    this.#undo.push(() => {
      change.renamed = undefined;
    });
    this.#countInside(above);
    this.#countKey(outer, above.at(-1), key, -1);
    this.#countKey(outer, above.at(-1), to, 1);
    return true;
  }

  #addTo({ value: outer, change, above }: Target, key: string, value: Json): boolean {
    if (change.replacement !== undefined) return false;
    let index = 0;
    if (isList(outer)) {
      const position = key === "-" ? outer.length : indexOf(key);
      if (position === undefined || position > outer.length) return false;
      index = position;
    } else if (!isObject(outer)) {
      return false;
    }
    change.added.push({ key, index, value });
    this.#undo.push(() => change.added.pop());
    this.#countInside([...above, change]);
    if (!isList(outer)) this.#countKey(outer, change, key, 1);
    return true;
  }

  #splice({ value, change, above }: Target, splice: Splice): boolean {
    if (change.replacement !== undefined || typeof value !== "string") return false;
    if (!(0 <= splice.from && splice.from <= splice.to && splice.to <= value.length)) return false;
    if (change.splices.some((other) => other.from < splice.to && splice.from < other.to)) return false;
    change.splices.push(splice);
    this.#undo.push(() => change.splices.pop());
    this.#countInside([...above, change]);
    return true;
  }

  #countInside(changes: readonly Change[]): void {
    for (const change of changes) change.inside++;
    this.#undo.push(() => {
      for (const change of changes) change.inside--;
    });
  }

  #countKey(object: Json, change: Change | undefined, key: string, by: number): void {
    if (change === undefined || !isObject(object)) return;
    const before = change.keyCounts.get(key) ?? (getOwn(object, key) === undefined ? 0 : 1);
    change.keyCounts.set(key, before + by);
    this.#undo.push(() => change.keyCounts.set(key, before));
    this.#touched.push({ change, key });
  }

  #find(pointer: string): Target | undefined {
    const keys = keysIn(pointer);
    // Deeper down a text has no positions.
    if (keys === undefined || keys.length >= LEVELS_MAX) return undefined;
    let target: Target = { value: this.#value, change: this.root, above: [], outer: undefined, key: "" };
    const above: Change[] = [];
    for (const key of keys) {
      const { value: outer, change } = target;
      if (change.replacement !== undefined || change.removed) return undefined;
      const value = childOf(outer, key);
      if (value === undefined) return undefined;
      above.push(change);
      target = { value, change: changeBelow(change, key), above, outer, key };
    }
    return target;
  }
}

function emptyChange(): Change {
  return {
    replacement: undefined,
    removed: false,
    renamed: undefined,
    splices: [],
    added: [],
    below: new Map(),
    inside: 0,
    keyCounts: new Map(),
  };
}

function changeBelow(change: Change, key: string): Change {
  let below = change.below.get(key);
  if (below === undefined) {
    below = emptyChange();
    change.below.set(key, below);
  }
  return below;
}

function childOf(value: Json, key: string): Json | undefined {
  if (isList(value)) {
    const index = indexOf(key);
    return index === undefined ? undefined : value[index];
  }
  return isObject(value) ? getOwn(value, key) : undefined;
}

function indexOf(key: string): number | undefined {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) ? Number(key) : undefined;
}

function keysIn(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  const keys = pointer.slice(1).split("/");
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
