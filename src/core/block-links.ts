import { referenceNodes } from "../expr/free-names.ts";
import type { Reference } from "../expr/reference.ts";
import type { Block, Need, Step } from "../ir/program.ts";
import { forEachReference } from "../ir/template.ts";
import type { Transform } from "../ir/transform.ts";

/** How a block's steps hang together when something fails; worked out once for each block, when it is first needed. */
export interface BlockLinks {
  /** Steps whose conditions look at how `step` ended. */
  handlersOf(step: number): readonly number[];
  /** Steps whose failure `step` may handle. */
  handledBy(step: number): readonly number[];
  /** A step with explicit dependencies on how others end, or one that waits for such steps only. */
  isCleanUp(step: number): boolean;
  /** For each step, a step that matches and whose result it would have used, directly or not; -1 where there is none. */
  culprits(matches: (step: number) => boolean): Int32Array;
  /** Does `step` use the result of `other` anywhere but in its conditions? */
  usesBeyondConditions(step: number, other: number): boolean;
}

const NONE: readonly number[] = [];
const links = new WeakMap<Block, BlockLinks>();

export function linksOf(block: Block): BlockLinks {
  let found = links.get(block);
  if (found === undefined) {
    found = buildLinks(block);
    links.set(block, found);
  }
  return found;
}

function buildLinks(block: Block): BlockLinks {
  const handlers = new Map<number, number[]>();
  const handled = new Map<number, number[]>();
  for (const step of block.steps) {
    for (const need of step.needs) {
      if (need.mode !== "handles") continue;
      push(handlers, need.step, step.index);
      push(handled, step.index, need.step);
    }
  }
  let cleanUps: Uint8Array | undefined;
  return {
    handlersOf: (step) => handlers.get(step) ?? NONE,
    handledBy: (step) => handled.get(step) ?? NONE,
    isCleanUp: (step) => {
      cleanUps ??= findCleanUps(block);
      return cleanUps[step] === 1;
    },
    culprits: (matches) => findCulprits(block, matches),
    usesBeyondConditions: (step, other) => usesBeyondConditions(block.steps[step] as Step, other),
  };
}

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function usesResult(need: Need): boolean {
  return need.mode === "data" || need.mode === "succeeded";
}

function findCleanUps(block: Block): Uint8Array {
  const marks = new Uint8Array(block.steps.length);
  forEachInOrder(block, (index) => {
    const needs = block.steps[index]?.needs ?? [];
    const explicit = needs.some((need) => need.mode === "settled");
    if (explicit || (needs.length > 0 && needs.every((need) => marks[need.step] === 1))) marks[index] = 1;
  });
  return marks;
}

function findCulprits(block: Block, matches: (step: number) => boolean): Int32Array {
  const culprits = new Int32Array(block.steps.length).fill(-1);
  forEachInOrder(block, (index) => {
    for (const need of block.steps[index]?.needs ?? []) {
      if (!usesResult(need)) continue;
      const culprit = matches(need.step) ? need.step : (culprits[need.step] as number);
      if (culprit < 0) continue;
      culprits[index] = culprit;
      return;
    }
  });
  return culprits;
}

function usesBeyondConditions(step: Step, other: number): boolean {
  let found = false;
  const visit = ({ root }: Reference): void => {
    found ||= root.kind === "result" && root.step === other;
  };
  forEachReference(step.arguments, visit);
  if (step.fanOut !== undefined) forEachReference(step.fanOut.over, visit);
  forEachInTransform(step.transformArguments, visit);
  forEachInTransform(step.transformResults, visit);
  return found;
}

function forEachInTransform(transform: Transform | undefined, visit: (reference: Reference) => void): void {
  for (const { value } of [...(transform?.variables ?? []), ...(transform?.outputs ?? [])]) {
    if (value.kind === "template") forEachReference(value.template, visit);
    else for (const { reference } of referenceNodes(value.expression)) visit(reference);
  }
}

/** Visits every step after all that it waits for. */
function forEachInOrder(block: Block, visit: (index: number) => void): void {
  const { starts, dependents, waitsFor } = block.graph;
  const left = waitsFor.slice();
  const queue: number[] = [];
  for (let i = 0; i < left.length; i++) if (left[i] === 0) queue.push(i);
  for (let head = 0; head < queue.length; head++) {
    const index = queue[head] as number;
    visit(index);
    for (let k = starts[index] as number; k < (starts[index + 1] as number); k++) {
      const dependent = dependents[k] as number;
      left[dependent] = (left[dependent] as number) - 1;
      if (left[dependent] === 0) queue.push(dependent);
    }
  }
}
