/*
 * What can be told of a program without running it. Steps are named by their ids; the steps inside composite agents are their
 * agent's affair, except in `explain`, which counts them. Everything here is linear in the size of the program.
 */
import { type Json, setOwn } from "../base/json.ts";
import { dependencyGraph, dependencyNumbers, dependentsOf, levelNumbers } from "./dependencies.ts";
import type { Block, Program } from "./program.ts";

export { type CallCount, type Explanation, explain } from "./explain.ts";

export interface Placeholder {
  readonly name: string;
  readonly stepIds: readonly string[];
  readonly schema?: Json;
}

/** The steps that each step depends on, by id, in plan order. */
export function dependencies(program: Program): Record<string, string[]> {
  const { steps } = program.blocks[0];
  const result: Record<string, string[]> = {};
  for (const [i, needed] of dependencyNumbers(program.blocks[0]).entries()) {
    setOwn(
      result,
      idAt(steps, i),
      needed.map((step) => idAt(steps, step)),
    );
  }
  return result;
}

/** Steps that could run at once, by dependencies alone; plan order inside a level. */
export function levels(program: Program): string[][] {
  const block = program.blocks[0];
  return levelNumbers(block).map((level) => level.map((step) => idAt(block.steps, step)));
}

/** Everything that depends on the step, directly or not, in plan order. */
export function affectedBy(program: Program, id: string): string[] {
  const { steps } = program.blocks[0];
  const start = steps.findIndex((step) => step.id === id);
  if (start < 0) return [];
  const graph = dependencyGraph(program.blocks[0]);
  const seen = new Uint8Array(steps.length);
  seen[start] = 1;
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    for (const dependent of dependentsOf(graph, queue[head] as number)) {
      if (seen[dependent] === 1) continue;
      seen[dependent] = 1;
      queue.push(dependent);
    }
  }
  return steps.filter((_, i) => seen[i] === 1 && i !== start).map((step) => step.id);
}

/** What a person will be asked. */
export function placeholders(program: Program): Placeholder[] {
  return program.questions.map(({ name, stepIds, schema }) => {
    return schema === undefined ? { name, stepIds } : { name, stepIds, schema };
  });
}

function idAt(steps: Block["steps"], step: number): string {
  return steps[step]?.id ?? "";
}
