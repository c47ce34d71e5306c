/*
 * A step depends on the steps that it refers to and on its explicit dependencies. The plan order of a step plan is no
 * dependency: it says when a step runs, not what it needs. Here steps are numbers, as in the block's graph, and every
 * function is linear in the number of steps and edges.
 */
import { buildGraph, type Graph } from "./graph.ts";
import type { Block, Need } from "./program.ts";

/** For each step, the numbers of the steps that it depends on, ascending. */
export function dependencyNumbers(block: Block): number[][] {
  return block.steps.map(({ needs }) => {
    const numbers = new Set(needs.filter(isDependency).map((need) => need.step));
    return [...numbers].sort((a, b) => a - b);
  });
}

/** The levels of a block, as numbers of steps. */
export function levelNumbers(block: Block): number[][] {
  const graph = dependencyGraph(block);
  const levelOf = new Int32Array(block.steps.length);
  for (const step of settlingOrder(graph)) {
    const next = (levelOf[step] as number) + 1;
    for (const dependent of dependentsOf(graph, step)) {
      if ((levelOf[dependent] as number) < next) levelOf[dependent] = next;
    }
  }
  const result: number[][] = [];
  for (const [step, level] of levelOf.entries()) {
    while (result.length <= level) result.push([]);
    result[level]?.push(step);
  }
  return result;
}

/** The longest chain of steps in which each depends on the one before; of several, the one that ends first in the plan. */
export function longestChain(block: Block): number[] {
  const numbers = dependencyNumbers(block);
  const length = new Int32Array(numbers.length);
  const before = new Int32Array(numbers.length).fill(-1);
  let last = -1;
  for (const step of settlingOrder(dependencyGraph(block))) {
    for (const needed of numbers[step] ?? []) {
      if ((length[needed] as number) <= (length[step] as number) && before[step] !== -1) continue;
      length[step] = length[needed] as number;
      before[step] = needed;
    }
    length[step] = (length[step] as number) + 1;
  }
  for (let step = 0; step < length.length; step++) {
    if (last < 0 || (length[step] as number) > (length[last] as number)) last = step;
  }
  const chain: number[] = [];
  for (let step = last; step >= 0; step = before[step] as number) chain.push(step);
  return chain.reverse();
}

function isDependency(need: Need): boolean {
  return need.mode !== "order";
}

export function dependencyGraph(block: Block): Graph {
  return buildGraph(block.steps.map((step) => ({ needs: step.needs.filter(isDependency) })));
}

/** Every step after all that it depends on. A program has no cycles, so every step has its turn. */
function settlingOrder(graph: Graph): number[] {
  const left = graph.waitsFor.slice();
  const order: number[] = [];
  for (let step = 0; step < left.length; step++) if (left[step] === 0) order.push(step);
  for (let head = 0; head < order.length; head++) {
    for (const dependent of dependentsOf(graph, order[head] as number)) {
      const remaining = (left[dependent] as number) - 1;
      left[dependent] = remaining;
      if (remaining === 0) order.push(dependent);
    }
  }
  return order;
}

export function dependentsOf(graph: Graph, step: number): Int32Array {
  return graph.dependents.subarray(graph.starts[step], graph.starts[step + 1]);
}
