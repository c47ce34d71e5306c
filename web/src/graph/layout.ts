/* Where nodes stand. Each level is laid out for itself, from the inside out: an open composite is a node as large as its inside. */
import { layout as dagre, Graph } from "@dagrejs/dagre";
import { layOut } from "../../../src/ir/drawing/layered-layout.ts";
import type { GraphLevel } from "./graph-model.ts";

export interface Box {
  /** From the corner of the composite around it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point that an edge goes through, from the middle of the right side of the box that it leaves. */
export interface Waypoint {
  readonly dx: number;
  readonly dy: number;
}

export interface Layout {
  readonly boxes: Readonly<Record<string, Box>>;
  /** Of the edges that pass other boxes, by `edgeKey`. */
  readonly routes: Readonly<Record<string, readonly Waypoint[]>>;
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 192;
export const NODE_HEIGHT = 64;
/** Room for the title of an open composite, and around its inside. */
export const HEAD_HEIGHT = 44;
const PADDING = 20;
/** Dagre shortens edges and avoids crossings as well as it can, which takes seconds beyond that; our own layout is linear. */
const DAGRE_MAX = 300;

interface Size {
  readonly width: number;
  readonly height: number;
}

export const edgeKey = (from: string, to: string): string => `${from}→${to}`;

export function layoutOf(level: GraphLevel): Layout {
  const boxes: Record<string, Box> = {};
  const routes: Record<string, readonly Waypoint[]> = {};
  const sizes = level.nodes.map(({ inside }) => sizeOf(inside, boxes, routes));
  const placed = level.nodes.length > DAGRE_MAX ? byColumns(level, sizes) : byDagre(level, sizes, routes);
  let width = 0;
  let height = 0;
  for (const [i, { id }] of level.nodes.entries()) {
    const box = placed[i];
    if (box === undefined) continue;
    boxes[id] = box;
    width = Math.max(width, box.x + box.width);
    height = Math.max(height, box.y + box.height);
  }
  return { boxes, routes, width, height };
}

function byDagre(
  { nodes, edges }: GraphLevel,
  sizes: readonly Size[],
  routes: Record<string, readonly Waypoint[]>,
): Box[] {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 28, ranksep: 104 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [i, { id }] of nodes.entries()) graph.setNode(id, { ...(sizes[i] as Size) });
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre(graph);
  for (const { from, to } of edges) {
    const { points = [] } = graph.edge(from, to) as { readonly points?: readonly { x: number; y: number }[] };
    // Both ends, and one between neighbours, are no detour.
    if (points.length <= 3) continue;
    const source = graph.node(from) as Box;
    const right = source.x + source.width / 2;
    routes[edgeKey(from, to)] = points.slice(1, -1).map(({ x, y }) => ({ dx: x - right, dy: y - source.y }));
  }
  return nodes.map(({ id }) => {
    const { x, y, width, height } = graph.node(id) as Box;
    return { x: x - width / 2, y: y - height / 2, width, height };
  });
}

function byColumns({ nodes, edges }: GraphLevel, sizes: readonly Size[]): readonly Box[] {
  const numberOf = new Map(nodes.map(({ id }, i) => [id, i]));
  const levels: number[][] = [];
  for (const [i, { step }] of nodes.entries()) {
    while (levels.length <= step.level) levels.push([]);
    levels[step.level]?.push(i);
  }
  const numbered = edges.map(({ from, to, kind }) => ({
    from: numberOf.get(from) ?? 0,
    to: numberOf.get(to) ?? 0,
    kind,
  }));
  const steps = nodes.map(({ id, step: { calls, kind, level } }) => ({
    id,
    calls,
    kind,
    level,
    waitsFor: [],
    marks: [],
  }));
  return layOut({ title: "", steps, edges: numbered, levels }, sizes).boxes;
}

function sizeOf(
  inside: GraphLevel | undefined,
  boxes: Record<string, Box>,
  routes: Record<string, readonly Waypoint[]>,
): Size {
  if (inside === undefined) return { width: NODE_WIDTH, height: NODE_HEIGHT };
  const { boxes: inner, routes: innerRoutes, width, height } = layoutOf(inside);
  Object.assign(routes, innerRoutes);
  for (const [id, box] of Object.entries(inner)) {
    const isDirect = inside.nodes.some((node) => node.id === id);
    boxes[id] = isDirect ? { ...box, x: box.x + PADDING, y: box.y + HEAD_HEIGHT } : box;
  }
  return {
    width: Math.max(NODE_WIDTH, width + 2 * PADDING),
    height: Math.max(NODE_HEIGHT, height + HEAD_HEIGHT + PADDING),
  };
}
