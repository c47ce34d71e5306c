/* The rows of a tree, as far as it is open: what a virtual list shows. */
import type { Path, Shown } from "./shown.ts";

export type Row =
  | { readonly kind: "value"; readonly path: Path; readonly value: Shown; readonly isOpen: boolean }
  /** There are entries that have not been loaded. */
  | { readonly kind: "more"; readonly path: Path; readonly from: number; readonly left: number };

/** A path as one text, to look it up by. */
export const pathKey = (path: Path): string => JSON.stringify(path);

/** Depth first, without recursion. `open` holds the keys of the paths that are open. */
export function rowsOf(root: Shown, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const stack: Row[] = [{ kind: "value", path: [], value: root, isOpen: open.has("[]") }];
  for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
    rows.push(row);
    if (row.kind === "more" || !row.isOpen) continue;
    const { value, path } = row;
    if (value.kind !== "list" && value.kind !== "object") continue;
    const { entries, length } = value;
    if (entries.length < length)
      stack.push({ kind: "more", path, from: entries.length, left: length - entries.length });
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i];
      if (entry === undefined) continue;
      const inside = [...path, entry.key];
      stack.push({ kind: "value", path: inside, value: entry.value, isOpen: open.has(pathKey(inside)) });
    }
  }
  return rows;
}

/** The tree with what was loaded at a path put in its place. */
export function withLoaded(root: Shown, path: Path, from: number, loaded: Shown): Shown {
  const [key, ...rest] = path;
  if (root.kind !== "list" && root.kind !== "object") return root;
  if (key === undefined) {
    if (loaded.kind !== "list" && loaded.kind !== "object") return root;
    return { ...loaded, entries: [...root.entries.slice(0, from), ...loaded.entries] };
  }
  const at = root.entries.findIndex((entry) => entry.key === key);
  const entry = root.entries[at];
  if (entry === undefined) return root;
  const value = withLoaded(entry.value, rest, from, loaded);
  return { ...root, entries: root.entries.with(at, { key, value }) };
}
