import {
  Background,
  BackgroundVariant,
  Controls,
  type NodeTypes,
  ReactFlow,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Outline } from "../../../src/compiler.ts";
import { Loading } from "../design/loading.tsx";
import { flowEdges, flowNodes } from "./flow-elements.ts";
import { GraphContext, NO_STATES, type NodeStates } from "./graph-actions.ts";
import { graphOf } from "./graph-model.ts";
import { StepNode } from "./step-node.tsx";
import { useLayout } from "./use-layout.ts";
import "./graph.css";

const NODE_TYPES: NodeTypes = { step: StepNode };

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
  const edges = useMemo(() => laidOut && flowEdges(laidOut.level, selected), [laidOut, selected]);
  if (marked === undefined || edges === undefined || laidOut === undefined)
    return (
      <div className="graph">
        <Loading what="the graph" />
      </div>
    );
  return (
    <GraphContext value={actions}>
      <div className="graph" data-laid-out={laidOut.level === graph || undefined}>
        <ReactFlow
          nodes={marked}
          edges={edges}
          nodeTypes={NODE_TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          onlyRenderVisibleElements
          minZoom={0.05}
          maxZoom={1.5}
          fitView
          fitViewOptions={FIT}
          proOptions={{ hideAttribution: true }}
          aria-label="Graph of the plan"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1} color="var(--line)" />
          <Controls showInteractive={false} />
          <FitWhenChanged shape={laidOut} />
        </ReactFlow>
      </div>
    </GraphContext>
  );
}

const FIT = { padding: 0.12, maxZoom: 1 };

/** A plan that has changed its shape, or got another room, is shown as a whole again. */
function FitWhenChanged({ shape }: { readonly shape: object }) {
  const { fitView } = useReactFlow();
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new shape or room is the reason.
  useEffect(() => {
    void fitView(FIT);
  }, [fitView, shape, width, height]);
  return null;
}
