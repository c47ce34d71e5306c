import type { Json } from "../../../src/compiler.ts";
import { type Path, pathsWith, type Shown, shown, textOf, valueAt } from "./shown.ts";

/** Where a tree gets its value from: a value at hand, or one that a worker or a server keeps. */
export interface JsonSource {
  readonly root: Shown;
  /** What is at a path, from entry number `from` on. */
  readonly load: (path: Path, from: number) => Promise<Shown>;
  readonly search: (text: string) => Promise<readonly Path[]>;
  /** All of it, as text. */
  readonly text: (path: Path) => Promise<string>;
}

export function sourceOf(value: Json): JsonSource {
  return {
    root: shown(value),
    load: async (path, from) => shown(valueAt(value, path), from),
    search: async (text) => pathsWith(value, text),
    text: async (path) => textOf(valueAt(value, path)),
  };
}
