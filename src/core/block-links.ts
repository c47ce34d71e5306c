import type { Block, Need } from "../ir/program.ts";
import type { Frame } from "./state.ts";

/** How a block's steps hang together when something fails; worked out once for each block, when it is first needed. */
export interface BlockLinks {
  /** Steps whose conditions look at how `step` ended. */
  handlersOf(step: number): readonly number[];
  /** Steps whose failure `step` may handle. */
  handledBy(step: number): readonly number[];
  /** A step with explicit dependencies on how others end, or one that waits for such steps only. */
  isCleanUp(step: number): boolean;
  /** Steps that use, directly or not, what a matching step would have given. */
  affectedBy(matches: (step: number) => boolean): Uint8Array;
  /** The failed step that `step` needs, for messages. */
  failedNeed(step: number, frame: Frame): string;
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
    affectedBy: (matches) => affectedBy(block, matches),
    failedNeed: (step, frame) => {
      const culprit = block.steps[step]?.needs.find((need) => usesResult(need) && isBad(frame, need.step));
      return culprit === undefined ? "a step above it" : `"${frame.prefix}${block.steps[culprit.step]?.id}"`;
    },
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

function isBad(frame: Frame, step: number): boolean {
  const status = frame.steps[step]?.status;
  return status === "failed" || status === "blocked" || status === "cancelled";
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

function affectedBy(block: Block, matches: (step: number) => boolean): Uint8Array {
  const marks = new Uint8Array(block.steps.length);
  forEachInOrder(block, (index) => {
    const needs = block.steps[index]?.needs ?? [];
    if (needs.some((need) => usesResult(need) && (marks[need.step] === 1 || matches(need.step))))
      marks[index] = 1;
  });
  return marks;
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
