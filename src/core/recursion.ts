import type { Program } from "../ir/program.ts";

const known = new WeakMap<Program, ReadonlySet<number>>();

/** Can calls of this composite nest without an end? Where no circle of calls is in reach, they cannot. */
export function isRecursive(program: Program, block: number): boolean {
  let blocks = known.get(program);
  if (blocks === undefined) {
    blocks = findRecursive(program);
    known.set(program, blocks);
  }
  return blocks.has(block);
}

/** Takes blocks away that call none of those which are left, until nothing changes: what stays can reach a circle. */
function findRecursive(program: Program): ReadonlySet<number> {
  const callers = program.blocks.map(() => new Set<number>());
  const open = new Int32Array(program.blocks.length);
  for (const [number, block] of program.blocks.entries()) {
    const called = new Set(block.steps.flatMap(({ call }) => (call.kind === "block" ? [call.block] : [])));
    open[number] = called.size;
    for (const other of called) callers[other]?.add(number);
  }
  const left = new Set(program.blocks.keys());
  const queue = [...left].filter((number) => open[number] === 0);
  for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
    left.delete(number);
    for (const caller of callers[number] ?? []) {
      const rest = (open[caller] as number) - 1;
      open[caller] = rest;
      if (rest === 0) queue.push(caller);
    }
  }
  return left;
}
