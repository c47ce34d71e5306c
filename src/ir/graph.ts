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
  const seen = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    for (const need of (steps[i] as (typeof steps)[number]).needs) {
      if (seen[need.step] === i) continue;
      seen[need.step] = i;
      starts[need.step + 1] = (starts[need.step + 1] as number) + 1;
      waitsFor[i] = (waitsFor[i] as number) + 1;
    }
  }
  for (let i = 0; i < n; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number);
  const dependents = new Int32Array(starts[n] as number);
  const next = starts.slice(0, n);
  seen.fill(-1);
  for (let i = 0; i < n; i++) {
    for (const need of (steps[i] as (typeof steps)[number]).needs) {
      if (seen[need.step] === i) continue;
      seen[need.step] = i;
      const at = next[need.step] as number;
      dependents[at] = i;
      next[need.step] = at + 1;
    }
  }
  return { starts, dependents, waitsFor };
}
