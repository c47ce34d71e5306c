import { expect, test } from "vitest";
import { buildGraph } from "./graph.ts";
import type { Need, NeedMode } from "./program.ts";

const step = (...needs: [step: number, mode: NeedMode][]): { needs: Need[] } => ({
  needs: needs.map(([number, mode]) => ({ step: number, mode })),
});

function dependentsOf(graph: ReturnType<typeof buildGraph>, index: number): number[] {
  return [...graph.dependents.slice(graph.starts[index], graph.starts[index + 1])];
}

test("who waits for a step is told in the order of the plan", () => {
  const graph = buildGraph([
    step(),
    step([0, "data"]),
    step(),
    step([0, "data"], [2, "data"]),
    step([0, "data"]),
  ]);
  expect([0, 1, 2, 3, 4].map((index) => dependentsOf(graph, index))).toEqual([[1, 3, 4], [], [3], [], []]);
  expect([...graph.waitsFor]).toEqual([0, 1, 0, 2, 1]);
  expect([...graph.starts]).toEqual([0, 3, 3, 4, 4, 4]);
});

test("a pair of steps counts once, in however many ways one needs the other", () => {
  const graph = buildGraph([step(), step(), step([0, "data"], [0, "succeeded"], [1, "order"], [0, "order"])]);
  expect([0, 1, 2].map((index) => dependentsOf(graph, index))).toEqual([[2], [2], []]);
  expect([...graph.waitsFor]).toEqual([0, 0, 2]);
});

test("steps may wait for later ones, and for themselves", () => {
  const graph = buildGraph([step([1, "data"]), step([1, "data"])]);
  expect(dependentsOf(graph, 1)).toEqual([0, 1]);
});
