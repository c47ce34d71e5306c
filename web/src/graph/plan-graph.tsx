import {
  Background,
  BackgroundVariant,
  Controls,
  type EdgeTypes,
  type NodeTypes,
  ReactFlow,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Outline } from "../../../src/compiler.ts";
import { Loading } from "../design/loading.tsx";
import { FlowEdge } from "./flow-edge.tsx";
import { flowEdges, flowNodes } from "./flow-elements.ts";
import { GraphContext, NO_STATES, type NodeStates } from "./graph-actions.ts";
import { graphOf } from "./graph-model.ts";
import type { Layout } from "./layout.ts";
import { StepNode } from "./step-node.tsx";
import { useLayout } from "./use-layout.ts";
import "./graph.css";

const NODE_TYPES: NodeTypes = { step: StepNode };
const EDGE_TYPES: EdgeTypes = { flow: FlowEdge };

/** A plan as a graph: of a program that was compiled here, or of a run, with the states of its steps. */
export function PlanGraph({
  plan,
  states = NO_STATES,
  selected,
  onSelect,
}: {
  readonly plan: Outline;
  readonly states?: NodeStates;
  readonly selected?: string | undefined;
  readonly onSelect?: (id: string) => void;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const graph = useMemo(() => graphOf(plan, open), [plan, open]);
  const laidOut = useLayout(graph);
  const onToggle = useCallback((id: string) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const actions = useMemo(
    () => ({ states, onToggle, onSelect: (id: string) => onSelect?.(id) }),
    [states, onToggle, onSelect],
  );
  const nodes = useMemo(() => laidOut && flowNodes(laidOut.level, laidOut.layout), [laidOut]);
  const marked = useMemo(
    () => nodes?.map((node) => (node.id === selected ? { ...node, selected: true } : node)),
    [nodes, selected],
  );
  const edges = useMemo(
    () => laidOut && flowEdges(laidOut.level, laidOut.layout, selected),
    [laidOut, selected],
  );
  if (marked === undefined || edges === undefined || laidOut === undefined)
    return (
      <div className="graph">
        <Loading what="the graph" />
      </div>
    );
  const isLarge = marked.length > LARGE;
  return (
    <GraphContext value={actions}>
      <div className="graph" data-laid-out={laidOut.level === graph || undefined}>
        <ReactFlow
          nodes={marked}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          onlyRenderVisibleElements
          minZoom={isLarge ? LARGE_ZOOM_MIN : 0.1}
          maxZoom={1.5}
          proOptions={{ hideAttribution: true }}
          aria-label="Graph of the plan"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1} color="var(--line)" />
          <Controls showInteractive={false} />
          <FitWhenChanged
            layout={laidOut.layout}
            first={laidOut.level.nodes[0]?.id ?? ""}
            isLarge={isLarge}
          />
        </ReactFlow>
      </div>
    </GraphContext>
  );
}

/** Of a plan with more steps than that, the beginning is shown, large enough to be read: there is nothing to see in 2,000 dots. */
const LARGE = 250;
const LARGE_ZOOM_MIN = 0.35;
const LARGE_ZOOM = 0.6;
/** Smaller text is not read; the rest of the plan is a drag away. */
const READABLE_ZOOM = 0.5;
const MARGIN = 32;

/** A plan that has changed its shape, or got another room, is shown as a whole again. */
function FitWhenChanged({
  layout,
  first,
  isLarge,
}: {
  readonly layout: Layout;
  /** The id of the first step. */
  readonly first: string;
  readonly isLarge: boolean;
}) {
  const { setViewport } = useReactFlow();
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const fitting = Math.min((width - 2 * MARGIN) / layout.width, (height - 2 * MARGIN) / layout.height, 1);
    const zoom = Math.max(isLarge ? LARGE_ZOOM : READABLE_ZOOM, fitting);
    // Where not all of it can be seen, the first step can.
    const box = layout.boxes[first] ?? { x: 0, y: 0, height: 0 };
    const isWide = layout.width * zoom > width - 2 * MARGIN;
    const isTall = layout.height * zoom > height - 2 * MARGIN;
    void setViewport({
      x: isWide ? MARGIN - box.x * zoom : (width - layout.width * zoom) / 2,
      y: height / 2 - (isTall ? box.y + box.height / 2 : layout.height / 2) * zoom,
      zoom,
    });
  }, [setViewport, layout, first, isLarge, width, height]);
  return null;
}
