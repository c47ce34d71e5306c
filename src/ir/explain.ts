/*
 * What a program will do, and at most how often. Blocks are counted from the plan downwards: a block runs as often as all
 * steps that call it, together; what calls itself has no bound. Conditions are not evaluated: a step that may be skipped
 * counts as one that runs.
 */
import { isList } from "../base/json.ts";
import { longestChain } from "./dependencies.ts";
import type { Block, Program, Question, Step } from "./program.ts";

export interface Explanation {
  /** What is called, in the order in which the plan names it. */
  readonly calls: readonly CallCount[];
  /** The sum of them; null where there is no bound. */
  readonly callsMax: number | null;
  /** Ids of steps, each of which waits for the one before. */
  readonly longestChain: readonly string[];
  readonly questions: readonly ExplainedQuestion[];
  /** Steps that wait for a person's yes. */
  readonly confirmations: readonly string[];
  /** Tools that say they change something. */
  readonly sideEffects: readonly string[];
}

export interface CallCount {
  /** `agent`: its definition is not at hand, so what it calls is not known. */
  readonly kind: "tool" | "agent";
  readonly name: string;
  /** Retries and turns counted; null where only the run can tell. */
  readonly callsMax: number | null;
  /** Why there is no bound. */
  readonly unbounded?: "fan-out" | "recursion";
  /** The steps that call it. A step inside an agent has the id of the first way to it, as in `outer.inner`. */
  readonly stepIds: readonly string[];
}

export interface ExplainedQuestion {
  readonly name: string;
  readonly stepIds: readonly string[];
  readonly description?: string;
}

export function explain(program: Program): Explanation {
  const usage = countRuns(program);
  const calls = new Map<string, Tally>();
  const confirmations: string[] = [];
  const sideEffects = new Set<string>();
  for (const [number, block] of program.blocks.entries()) {
    const { runs, prefix, recursive } = usage[number] as Usage;
    if (runs === 0) continue;
    for (const step of block.steps) {
      const id = prefix + step.id;
      if (step.requiresConfirmation) confirmations.push(id);
      if (step.call.kind === "block") continue;
      if (step.call.kind === "tool" && step.call.signature?.sideEffects === true)
        sideEffects.add(step.call.tool);
      tally(calls, step, id, times(runs, callsOf(step)), recursive);
    }
  }
  const counts = [...calls.values()].map(publish);
  const { steps } = program.blocks[0];
  return {
    calls: counts,
    callsMax: bounded([...calls.values()].reduce((sum, call) => sum + call.count, 0)),
    longestChain: longestChain(program.blocks[0]).map((step) => steps[step]?.id ?? ""),
    questions: program.questions.map(explainQuestion),
    confirmations,
    sideEffects: [...sideEffects],
  };
}

interface Tally {
  readonly kind: "tool" | "agent";
  readonly name: string;
  readonly stepIds: string[];
  count: number;
  recursive: boolean;
}

function tally(
  calls: Map<string, Tally>,
  { call }: Step,
  id: string,
  count: number,
  recursive: boolean,
): void {
  const kind = call.kind === "tool" ? "tool" : "agent";
  const name = call.kind === "tool" ? call.tool : call.agent;
  const key = `${kind} ${name}`;
  const known = calls.get(key) ?? { kind, name, stepIds: [], count: 0, recursive: false };
  known.count += count;
  known.recursive ||= recursive;
  known.stepIds.push(id);
  calls.set(key, known);
}

function publish({ kind, name, stepIds, count, recursive }: Tally): CallCount {
  const callsMax = bounded(count);
  if (callsMax !== null) return { kind, name, callsMax, stepIds };
  return { kind, name, callsMax, unbounded: recursive ? "recursion" : "fan-out", stepIds };
}

function explainQuestion({ name, stepIds, description }: Question): ExplainedQuestion {
  return description === undefined ? { name, stepIds } : { name, stepIds, description };
}

/** How often a block runs at most, and the id of the first step that leads into it. */
interface Usage {
  runs: number;
  prefix: string;
  recursive: boolean;
}

/** Callers before the called. What is never reached that way is in a circle of calls, or below one. */
function countRuns(program: Program): Usage[] {
  const usage = program.blocks.map((): Usage => ({ runs: 0, prefix: "", recursive: false }));
  const callers = new Int32Array(program.blocks.length);
  const reached = reachedBlocks(program, usage);
  for (const number of reached) {
    for (const called of calledBlocks(program.blocks[number]))
      callers[called] = (callers[called] as number) + 1;
  }
  const ready = callers[0] === 0 ? [0] : [];
  const done = new Set(ready);
  if (usage[0] !== undefined) usage[0].runs = 1;
  for (let head = 0; head < ready.length; head++) {
    const caller = ready[head] as number;
    for (const step of program.blocks[caller]?.steps ?? []) {
      if (step.call.kind !== "block") continue;
      const called = usage[step.call.block] as Usage;
      called.runs += times(usage[caller]?.runs ?? 0, callsOf(step));
      const left = (callers[step.call.block] as number) - 1;
      callers[step.call.block] = left;
      if (left > 0) continue;
      ready.push(step.call.block);
      done.add(step.call.block);
    }
  }
  for (const number of reached) {
    const entry = usage[number];
    if (entry === undefined || done.has(number)) continue;
    entry.runs = Number.POSITIVE_INFINITY;
    entry.recursive = true;
  }
  return usage;
}

/** Every block that the plan can get to, itself first; notes the first way to each. */
function reachedBlocks(program: Program, usage: readonly Usage[]): number[] {
  const order = [0];
  const seen = new Set(order);
  for (let head = 0; head < order.length; head++) {
    const number = order[head] as number;
    const block = program.blocks[number];
    for (const step of block?.steps ?? []) {
      if (step.call.kind !== "block" || seen.has(step.call.block)) continue;
      seen.add(step.call.block);
      order.push(step.call.block);
      const called = usage[step.call.block];
      if (called !== undefined) called.prefix = `${usage[number]?.prefix ?? ""}${step.id}.`;
    }
  }
  return order;
}

function calledBlocks(block: Block | undefined): number[] {
  return (block?.steps ?? []).flatMap((step) => (step.call.kind === "block" ? [step.call.block] : []));
}

/** How often one run of its block calls the step's tool at most. */
function callsOf(step: Step): number {
  return times(times(itemsOf(step), step.repeat?.turnsMax ?? 1), step.policy.retries + 1);
}

/** The length of a collection is known where the plan spells it out. */
function itemsOf({ fanOut }: Step): number {
  if (fanOut === undefined) return 1;
  if (fanOut.over.kind === "list") return fanOut.over.items.length;
  if (fanOut.over.kind === "constant" && isList(fanOut.over.value)) return fanOut.over.value.length;
  return Number.POSITIVE_INFINITY;
}

/** An empty collection in a circle of calls is still empty. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

function bounded(count: number): number | null {
  return Number.isSafeInteger(count) ? count : null;
}
