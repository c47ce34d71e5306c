/* What a graph shows: the plan's outline, opened where somebody opened it, as nodes in nodes. */
import type { Outline, OutlineStep } from "../../../src/compiler.ts";

/** How a step stands. A plan that does not run has none. */
export interface NodeState {
  readonly status: string;
  readonly attempts?: number;
  readonly items?: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly running: number;
  };
}

export interface GraphNode {
  /** `outer.inner` */
  readonly id: string;
  readonly step: OutlineStep;
  readonly isOpen: boolean;
  /** What is inside, of a composite that is open. */
  readonly inside: GraphLevel | undefined;
}

export interface GraphLevel {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "data" | "control";
  readonly flows: readonly string[];
}

/** Composites that call themselves can be opened for ever: one step at a time, and no further than this. */
const DEPTH_MAX = 12;

export function graphOf(plan: Outline, open: ReadonlySet<string>): GraphLevel {
  return level(plan, 0, "", open, 0);
}

function level(
  plan: Outline,
  number: number,
  prefix: string,
  open: ReadonlySet<string>,
  depth: number,
): GraphLevel {
  const block = plan.blocks[number];
  if (block === undefined) return { nodes: [], edges: [] };
  return {
    nodes: block.steps.map((step): GraphNode => {
      const id = prefix + step.id;
      const isOpen = canOpen(step) && open.has(id) && depth < DEPTH_MAX;
      const inside =
        isOpen && step.block !== undefined ? level(plan, step.block, `${id}.`, open, depth + 1) : undefined;
      return { id, step, isOpen, inside };
    }),
    edges: block.edges.map(({ from, to, kind, flows }) => ({
      from: prefix + from,
      to: prefix + to,
      kind,
      flows,
    })),
  };
}

/** A fan-out has as many insides as it has items: those are in its list. */
export function canOpen(step: OutlineStep): boolean {
  return step.block !== undefined && step.eachAs === undefined;
}
