/* From a graph with a layout to what React Flow takes. */
import { type Edge, MarkerType, type Node, Position } from "@xyflow/react";
import type { GraphLevel, GraphNode } from "./graph-model.ts";
import { edgeKey, type Layout, type Waypoint } from "./layout.ts";

export type StepNodeData = { readonly node: GraphNode };
export type FlowNode = Node<StepNodeData, "step">;
export type FlowEdge = Edge<{ readonly waypoints: readonly Waypoint[] }, "flow">;

const HANDLE = 1;

export function flowNodes(level: GraphLevel, layout: Layout, parent?: string): FlowNode[] {
  return level.nodes.flatMap((node): FlowNode[] => {
    const box = layout.boxes[node.id];
    if (box === undefined) return [];
    const { x, y, width, height } = box;
    const own: FlowNode = {
      id: node.id,
      type: "step",
      position: { x, y },
      width,
      height,
      measured: { width, height },
      // Known from the start, so that nothing has to be measured before edges can be drawn.
      handles: [
        { type: "target", position: Position.Left, x: 0, y: height / 2, width: HANDLE, height: HANDLE },
        { type: "source", position: Position.Right, x: width, y: height / 2, width: HANDLE, height: HANDLE },
      ],
      data: { node },
      ...(parent !== undefined && { parentId: parent }),
    };
    return [own, ...(node.inside === undefined ? [] : flowNodes(node.inside, layout, node.id))];
  });
}

/** Labels of many edges are noise: they are shown where there are few, and for the selected step. */
const LABELLED_MAX = 60;
const LABEL_LENGTH_MAX = 14;

export function flowEdges(level: GraphLevel, layout: Layout, selected: string | undefined): FlowEdge[] {
  const all = edgesOf(level);
  return all.map(({ from, to, kind, flows }): FlowEdge => {
    const isNear = from === selected || to === selected;
    const label = all.length <= LABELLED_MAX || isNear ? labelOf(flows) : undefined;
    return {
      id: edgeKey(from, to),
      type: "flow",
      data: { waypoints: layout.routes[edgeKey(from, to)] ?? [] },
      source: from,
      target: to,
      className: `edge-${kind}${isNear ? " edge-near" : ""}`,
      markerEnd: { type: MarkerType.ArrowClosed, color: "var(--line-strong)", width: 14, height: 14 },
      ...(label !== undefined && { label }),
    };
  });
}

function edgesOf({ nodes, edges }: GraphLevel): GraphLevel["edges"] {
  return [...edges, ...nodes.flatMap(({ inside }) => (inside === undefined ? [] : edgesOf(inside)))];
}

function labelOf(flows: readonly string[]): string | undefined {
  const [first, ...more] = flows;
  if (first === undefined) return undefined;
  const text = first.length > LABEL_LENGTH_MAX ? `${first.slice(0, LABEL_LENGTH_MAX - 1)}…` : first;
  return more.length === 0 ? text : `${text} +${more.length}`;
}
