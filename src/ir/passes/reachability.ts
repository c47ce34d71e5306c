import type { Block, Program } from "../program.ts";
import type { Pass } from "./pass.ts";

/** Plans that do nothing, and agents that can do nothing but call themselves. */
export const checkReachability: Pass = (program, { findings }) => {
  for (const block of program.blocks) {
    if (block.steps.length === 0) findings.report("empty-plan", block.place, {});
  }
  const circle = endlessCircle(program);
  if (circle === undefined) return;
  const path = circle.map((number) => program.blocks[number]?.name || "the plan");
  const first = program.blocks[circle[0] as number] as Block;
  findings.report("endless-recursion", first.place, { path });
};

/** A circle of composites, each of which calls the next whatever happens. */
function endlessCircle(program: Program): number[] | undefined {
  const state = new Uint8Array(program.blocks.length);
  const path: number[] = [];
  const visit = (number: number): number[] | undefined => {
    if (state[number] === 2) return undefined;
    if (state[number] === 1) return [...path.slice(path.indexOf(number)), number];
    state[number] = 1;
    path.push(number);
    for (const called of alwaysCalled(program.blocks[number] as Block)) {
      const circle = visit(called);
      if (circle !== undefined) return circle;
    }
    path.pop();
    state[number] = 2;
    return undefined;
  };
  for (let number = 0; number < program.blocks.length; number++) {
    const circle = visit(number);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** A step that has no conditions, does not fan out and refers to no step is run whatever happens. */
function alwaysCalled(block: Block): number[] {
  const called: number[] = [];
  for (const { call, conditions, fanOut, needs } of block.steps) {
    if (call.kind === "block" && conditions === undefined && fanOut === undefined && needs.length === 0) called.push(call.block);
  }
  return called;
}
