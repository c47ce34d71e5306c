import type { NodeProps } from "@xyflow/react";
import { memo, useContext } from "react";
import { StatusIcon } from "../design/status-badge.tsx";
import type { FlowNode } from "./flow-elements.ts";
import { GraphContext, useNodeState } from "./graph-actions.ts";
import { canOpen, type NodeState } from "./graph-model.ts";

/**
 * A step of the plan: its id, what it calls, how it stands. A button, so that a keyboard reaches it. Its ends are what React Flow
 * looks for to draw edges; its own component for them does more, and costs more than the rest of the node.
 */
export const StepNode = memo(function StepNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { onSelect, onToggle } = useContext(GraphContext);
  const { id, step, isOpen } = node;
  const state = useNodeState(id);
  const status = state?.status ?? "none";
  return (
    <div
      className="node"
      data-step={id}
      data-status={status}
      data-open={isOpen || undefined}
      data-selected={selected || undefined}
    >
      <div className="node-end target" data-handlepos="left" />
      <button type="button" className="node-main" aria-pressed={selected} onClick={() => onSelect(id)}>
        <span className="node-id">
          {state !== undefined && <StatusIcon status={status} />}
          <span className="visually-hidden">Step </span>
          <bdi>{step.id}</bdi>
          {state !== undefined && <span className="visually-hidden">, {status}, </span>}
        </span>
        <span className="node-calls">
          <span className="visually-hidden">calls </span>
          <bdi>{shortName(step.calls)}</bdi>
          <Marks node={node} attempts={state?.attempts ?? 0} />
        </span>
        {state?.items !== undefined && <Items items={state.items} />}
      </button>
      {canOpen(step) && (
        <button
          type="button"
          className="node-toggle"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Close" : "Open"} ${id}`}
          onClick={() => onToggle(id)}
        >
          {isOpen ? "−" : "+"}
        </button>
      )}
      <div className="node-end source" data-handlepos="right" />
    </div>
  );
});

/** `/core/http_request.agent` is long, and its last part says it. */
function shortName(name: string): string {
  return name.replace(/^.*\//, "").replace(/\.agent$/, "");
}

const MARKS: Readonly<Record<string, string>> = {
  condition: "if",
  fanOut: "each",
  repeat: "repeat",
  optional: "optional",
  question: "asks",
  confirmation: "confirm",
};

function Marks({ node, attempts }: { readonly node: FlowNode["data"]["node"]; readonly attempts: number }) {
  const words = node.step.marks.flatMap(({ kind, text }) => {
    const word = MARKS[kind];
    return word === undefined ? [] : [{ word, text }];
  });
  return (
    <>
      {words.slice(0, 2).map(({ word, text }) => (
        <span key={word + text} className="node-mark" title={text}>
          {word}
        </span>
      ))}
      {attempts > 1 && <span className="node-mark">×{attempts}</span>}
    </>
  );
}

function Items({ items: { total, done, failed } }: { readonly items: NonNullable<NodeState["items"]> }) {
  return (
    <span className="node-items">
      <span className="progress">
        <i style={{ width: `${total === 0 ? 100 : (100 * done) / total}%` }} />
      </span>
      <span>
        {done.toLocaleString("en")}/{total.toLocaleString("en")}
        {failed > 0 && ` · ${failed.toLocaleString("en")} failed`}
      </span>
    </span>
  );
}
