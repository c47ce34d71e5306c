import { createContext, useContext, useSyncExternalStore } from "react";
import type { NodeState } from "./graph-model.ts";

/** The states of all steps. Nodes listen each to its own, so that a change draws what has changed and nothing else. */
export interface NodeStates {
  readonly get: (id: string) => NodeState | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

export const NO_STATES: NodeStates = { get: () => undefined, subscribe: () => () => {} };

export interface GraphActions {
  readonly states: NodeStates;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

export const GraphContext = createContext<GraphActions>({
  states: NO_STATES,
  onSelect: () => {},
  onToggle: () => {},
});

export function useNodeState(id: string): NodeState | undefined {
  const { states } = useContext(GraphContext);
  return useSyncExternalStore(states.subscribe, () => states.get(id));
}
