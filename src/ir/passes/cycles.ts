import type { Fix } from "../../source/diagnostic.ts";
import { editFix } from "../../source/findings.ts";
import { below, keysOf, pointerOf } from "../../source/place.ts";
import { buildGraph, type Graph } from "../graph.ts";
import type { Block } from "../program.ts";
import { forEachReference, type Template } from "../template.ts";
import type { Pass } from "./pass.ts";

/** Steps that wait for each other in a circle. One finding a knot, with the shortest way around, at its first step. */
export const checkCycles: Pass = (program, { findings }) => {
  for (const block of program.blocks) {
    if (isInOrder(block.graph) || isAcyclic(block.graph)) continue;
    for (const knot of knots(block)) {
      const path = shortestWayAround(block, knot);
      const first = block.steps[path[0] as number];
      const names = path.map((step) => block.steps[step]?.id ?? "");
      if (first !== undefined)
        findings.report("cycle", first.place, { path: names }, undefined, () => waysOut(block, path));
    }
  }
};

/** Without one of the arguments that refer along the circle. */
function* waysOut(block: Block, path: readonly number[]): Generator<Fix> {
  for (let i = 0; i + 1 < path.length; i++) {
    const step = block.steps[path[i] as number];
    if (step === undefined || step.arguments.kind !== "object") continue;
    const { keys, values, place } = step.arguments;
    for (const [k, name] of keys.entries()) {
      if (!refersTo(values[k] as Template, path[i + 1] as number)) continue;
      const pointer = pointerOf(keysOf(below(place, name)));
      yield editFix(`remove "${name}" of "${step.id}"`, { op: "remove", pointer });
    }
  }
}

function refersTo(template: Template, step: number): boolean {
  let found = false;
  forEachReference(template, ({ root }) => {
    if (root.kind === "result" && root.step === step) found = true;
  });
  return found;
}

/** In most plans, steps wait for earlier ones only. Dependents are in order, so the first one tells. */
function isInOrder({ starts, dependents }: Graph): boolean {
  for (let i = 0; i + 1 < starts.length; i++) {
    const first = starts[i] as number;
    if (first < (starts[i + 1] as number) && (dependents[first] as number) <= i) return false;
  }
  return true;
}

/** Kahn: every step can be taken away once nothing it waits for is left. */
function isAcyclic(graph: Graph): boolean {
  const left = graph.waitsFor.slice();
  const queue: number[] = [];
  for (let i = 0; i < left.length; i++) if (left[i] === 0) queue.push(i);
  for (let head = 0; head < queue.length; head++) {
    const step = queue[head] as number;
    const end = graph.starts[step + 1] as number;
    for (let k = graph.starts[step] as number; k < end; k++) {
      const dependent = graph.dependents[k] as number;
      const remaining = (left[dependent] as number) - 1;
      left[dependent] = remaining;
      if (remaining === 0) queue.push(dependent);
    }
  }
  return queue.length === left.length;
}

/** Tarjan's strongly connected components, without recursion; only those that hold a cycle. */
function knots(block: Block): Set<number>[] {
  const { starts, dependents } = buildGraph(block.steps);
  const n = block.steps.length;
  const order = new Int32Array(n).fill(-1);
  const low = new Int32Array(n);
  const onStack = new Uint8Array(n);
  const stack: number[] = [];
  const found: Set<number>[] = [];
  let counter = 0;
  for (let root = 0; root < n; root++) {
    if (order[root] !== -1) continue;
    const calls: { step: number; edge: number }[] = [{ step: root, edge: starts[root] as number }];
    order[root] = low[root] = counter++;
    stack.push(root);
    onStack[root] = 1;
    for (let frame = calls.at(-1); frame !== undefined; frame = calls.at(-1)) {
      if (frame.edge < (starts[frame.step + 1] as number)) {
        const next = dependents[frame.edge++] as number;
        if (order[next] === -1) {
          order[next] = low[next] = counter++;
          stack.push(next);
          onStack[next] = 1;
          calls.push({ step: next, edge: starts[next] as number });
        } else if (onStack[next] === 1) {
          low[frame.step] = Math.min(low[frame.step] as number, order[next] as number);
        }
        continue;
      }
      calls.pop();
      const parent = calls.at(-1);
      if (parent !== undefined)
        low[parent.step] = Math.min(low[parent.step] as number, low[frame.step] as number);
      if (low[frame.step] === order[frame.step]) {
        const knot = takeKnot(stack, onStack, frame.step);
        if (knot.size > 1 || waitsForItself(block, frame.step)) found.push(knot);
      }
    }
  }
  return found;
}

function takeKnot(stack: number[], onStack: Uint8Array, root: number): Set<number> {
  const knot = new Set<number>();
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    onStack[step] = 0;
    knot.add(step);
    if (step === root) break;
  }
  return knot;
}

function waitsForItself(block: Block, step: number): boolean {
  return block.steps[step]?.needs.some((need) => need.step === step) === true;
}

/** From the knot's first step along what each step waits for, back to it. */
function shortestWayAround(block: Block, knot: Set<number>): number[] {
  let first = Number.POSITIVE_INFINITY;
  for (const step of knot) first = Math.min(first, step);
  const cameFrom = new Map<number, number>();
  const queue = [first];
  for (let head = 0; head < queue.length; head++) {
    const step = queue[head] as number;
    for (const need of block.steps[step]?.needs ?? []) {
      if (!knot.has(need.step)) continue;
      if (need.step === first) return wayBack(cameFrom, step, first);
      if (cameFrom.has(need.step)) continue;
      cameFrom.set(need.step, step);
      queue.push(need.step);
    }
  }
  return [first, first];
}

function wayBack(cameFrom: ReadonlyMap<number, number>, last: number, first: number): number[] {
  const path = [first];
  for (let step: number | undefined = last; step !== undefined && step !== first; step = cameFrom.get(step))
    path.push(step);
  return [...path, first].reverse();
}
