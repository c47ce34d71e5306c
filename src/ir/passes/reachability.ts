import type { Block, Program } from "../program.ts";
import type { Pass } from "./pass.ts";

/** Plans that do nothing, and agents that can do nothing but call themselves. */
export const checkReachability: Pass = (program, { findings, survey }) => {
  // Where something is wrong with the list of steps, that has been said.
  if (!findings.hasErrors) {
    const empty = program.blocks.filter((block) => block.steps.length === 0);
    for (const { place } of empty) findings.report("empty-plan", place, {});
  }
  const circle = survey.composites ? endlessCircle(program) : undefined;
  if (circle === undefined) return;
  const path = circle.map((number) => program.blocks[number]?.name || "the plan");
  const first = program.blocks[circle[0] as number] as Block;
  findings.report("endless-recursion", first.place, { path });
};

/** A circle of composites, each of which calls the next whatever happens. Without recursion: agents may nest deeply. */
function endlessCircle(program: Program): number[] | undefined {
  const state = new Uint8Array(program.blocks.length);
  for (let root = 0; root < program.blocks.length; root++) {
    const path: { readonly number: number; readonly calls: number[] }[] = [];
    const enter = (number: number): void => {
      state[number] = 1;
      path.push({ number, calls: alwaysCalled(program.blocks[number] as Block) });
    };
    if (state[root] === 0) enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const called = top.calls.pop();
      if (called === undefined) {
        state[top.number] = 2;
        path.pop();
      } else if (state[called] === 1) {
        const numbers = path.map((entry) => entry.number);
        return [...numbers.slice(numbers.indexOf(called)), called];
      } else if (state[called] === 0) enter(called);
    }
  }
  return undefined;
}

/** A step that has no conditions, does not fan out and refers to no step is run whatever happens. */
function alwaysCalled(block: Block): number[] {
  const called: number[] = [];
  for (const { call, conditions, fanOut, needs } of block.steps) {
    if (call.kind === "block" && conditions === undefined && fanOut === undefined && needs.length === 0)
      called.push(call.block);
  }
  return called;
}
