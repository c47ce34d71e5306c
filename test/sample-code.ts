/*
 * The techniques of the documents' sample code, each in a few lines of our own, so that the tests of the traps can show that
 * they fall into them. Nothing else may use this file.
 */
import type { Json, JsonObject } from "../src/base/json.ts";

/** Document 4: results are spliced into the serialized arguments, which are then parsed again. */
export function spliceIntoJson(args: Json, results: JsonObject): Json {
  const text = JSON.stringify(args).replace(/\{\{([^}]+)\}\}/g, (_, path: string) => {
    const value = walkMembers(results, path.split("."));
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  return JSON.parse(text) as Json;
}

/** Document 3: `String.replace` puts the value into the text, and the path is taken from the data, root and all. */
export class ReplacingExecutor {
  readonly cache = new Map<number, { readonly success: boolean; readonly data: Json }>();

  resolve(text: string): Json {
    return text.replace(/\$\{step\[(\d+)\]\.([^}]+)\}/g, (_, step: string, path: string) => {
      const cached = this.cache.get(Number(step));
      // The document's cache is a class of its own, without the method that the message is made with.
      if (cached === undefined) throw new TypeError("cache.keys is not a function");
      return walkMembers(cached.data, path.split(".")) as string;
    });
  }

  /** Every plan goes into the same cache. */
  run(steps: readonly (() => Json)[]): void {
    for (const [i, step] of steps.entries()) this.cache.set(i, { success: true, data: step() });
  }
}

function walkMembers(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((current, key) => (current as Record<string, unknown> | null | undefined)?.[key], value);
}

export interface SampleStep {
  readonly id: string;
  readonly arguments: Json;
}

/** Document 4: ids are what `\w+` matches. */
export function findByWord(step: SampleStep): string[] {
  return [...JSON.stringify(step.arguments).matchAll(/\{\{(\w+)\./g)].map(([, id = ""]) => id);
}

/** Document 4: whatever cannot be put into a level is a circle. */
export function levelsOrCircle(plan: readonly SampleStep[]): string[][] {
  const levels: string[][] = [];
  const done = new Set<string>();
  while (done.size < plan.length) {
    const level = plan
      .filter(({ id }) => !done.has(id))
      .filter((step) => findByWord(step).every((id) => done.has(id)));
    if (level.length === 0) throw new Error("Circular dependency detected");
    levels.push(level.map(({ id }) => id));
    for (const { id } of level) done.add(id);
  }
  return levels;
}
