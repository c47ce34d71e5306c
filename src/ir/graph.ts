import type { Need } from "./program.ts";

/**
 * Who waits for whom, in flat arrays: the steps that wait for step `i` are
 * `dependents[starts[i]] … dependents[starts[i + 1] - 1]`, and step `i` waits for `waitsFor[i]` steps. A pair of steps counts
 * once, however many references connect them.
 */
export interface Graph {
  readonly starts: Int32Array;
  readonly dependents: Int32Array;
  readonly waitsFor: Int32Array;
}

export function buildGraph(steps: readonly { readonly needs: readonly Need[] }[]): Graph {
  const n = steps.length;
  const starts = new Int32Array(n + 1);
  const waitsFor = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const needs = distinct((steps[i] as (typeof steps)[number]).needs);
    waitsFor[i] = needs.length;
    for (let k = 0; k < needs.length; k++) {
      const { step } = needs[k] as Need;
      starts[step] = (starts[step] as number) + 1;
    }
  }
  // Where the dependents of each step end; filling them in from the last makes that where they begin.
  for (let i = 1; i <= n; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
  const dependents = new Int32Array(starts[n] as number);
  for (let i = n - 1; i >= 0; i--) {
    const needs = distinct((steps[i] as (typeof steps)[number]).needs);
    for (let k = 0; k < needs.length; k++) {
      const { step } = needs[k] as Need;
      const at = (starts[step] as number) - 1;
      starts[step] = at;
      dependents[at] = i;
    }
  }
  return { starts, dependents, waitsFor };
}

/** Each step once. A step is there more than once only in several modes, which few steps have. */
function distinct(needs: readonly Need[]): readonly Need[] {
  for (let i = 1; i < needs.length; i++) {
    if ((needs[i] as Need).mode !== (needs[0] as Need).mode)
      return [...new Map(needs.map((need) => [need.step, need])).values()];
  }
  return needs;
}
