/* Where nodes stand. Each level is laid out for itself, from the inside out: an open composite is a node as large as its inside. */
import { layout as dagre, Graph } from "@dagrejs/dagre";
import type { GraphLevel } from "./graph-model.ts";

export interface Box {
  /** From the corner of the composite around it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Layout {
  readonly boxes: Readonly<Record<string, Box>>;
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 216;
export const NODE_HEIGHT = 64;
/** Room for the title of an open composite, and around its inside. */
export const HEAD_HEIGHT = 44;
const PADDING = 20;
/** The exact way of ranking takes minutes for large plans, and the simple one shows them as well. */
const EXACT_MAX = 300;

export function layoutOf({ nodes, edges }: GraphLevel): Layout {
  const boxes: Record<string, Box> = {};
  const graph = new Graph();
  graph.setGraph({
    rankdir: "LR",
    nodesep: 28,
    ranksep: 150,
    ranker: nodes.length > EXACT_MAX ? "longest-path" : "network-simplex",
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, inside } of nodes) graph.setNode(id, sizeOf(inside, boxes));
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre(graph);
  let width = 0;
  let height = 0;
  for (const { id } of nodes) {
    const node = graph.node(id) as Box;
    const box = {
      x: node.x - node.width / 2,
      y: node.y - node.height / 2,
      width: node.width,
      height: node.height,
    };
    boxes[id] = box;
    width = Math.max(width, box.x + box.width);
    height = Math.max(height, box.y + box.height);
  }
  return { boxes, width, height };
}

function sizeOf(
  inside: GraphLevel | undefined,
  boxes: Record<string, Box>,
): { width: number; height: number } {
  if (inside === undefined) return { width: NODE_WIDTH, height: NODE_HEIGHT };
  const { boxes: inner, width, height } = layoutOf(inside);
  for (const [id, box] of Object.entries(inner)) {
    const isDirect = inside.nodes.some((node) => node.id === id);
    boxes[id] = isDirect ? { ...box, x: box.x + PADDING, y: box.y + HEAD_HEIGHT } : box;
  }
  return {
    width: Math.max(NODE_WIDTH, width + 2 * PADDING),
    height: Math.max(NODE_HEIGHT, height + HEAD_HEIGHT + PADDING),
  };
}
