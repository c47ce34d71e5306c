/* Which plans call a tool or an agent: the agents of the server, and the runs that were started last. */
import { useEffect, useMemo, useState } from "react";
import type { Json } from "../../../src/compiler.ts";
import { ask } from "../data/graphql.ts";
import type { ServerAgent } from "../data/surroundings.ts";

interface RecentRun {
  readonly id: string;
  readonly plan: string | null;
  readonly source: Json;
}

export interface UsedBy {
  /** Paths of agents. */
  readonly agents: readonly string[];
  readonly runs: readonly RecentRun[];
}

const RUNS_MAX = 20;
const NOBODY: UsedBy = { agents: [], runs: [] };

/** Asked by the name of a tool, or the path of an agent. */
export function useUses(agents: readonly ServerAgent[] | undefined): (name: string) => UsedBy {
  const runs = useRecentRuns();
  return useMemo(() => {
    const uses = new Map<string, { readonly agents: string[]; readonly runs: RecentRun[] }>();
    const entry = (name: string) => {
      const known = uses.get(name) ?? { agents: [], runs: [] };
      uses.set(name, known);
      return known;
    };
    const definitions = new Map((agents ?? []).map(({ path, definition }) => [path, definition]));
    for (const [path, definition] of definitions) {
      for (const name of calledNames(definition)) entry(name).agents.push(path);
    }
    for (const run of runs) {
      for (const name of reached(run.source, definitions)) entry(name).runs.push(run);
    }
    return (name) => uses.get(name) ?? NOBODY;
  }, [agents, runs]);
}

function useRecentRuns(): readonly RecentRun[] {
  const [runs, setRuns] = useState<readonly RecentRun[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    recentRuns(ended.signal).then(setRuns, () => undefined);
    return () => ended.abort();
  }, []);
  return runs;
}

async function recentRuns(signal: AbortSignal): Promise<readonly RecentRun[]> {
  const list = "query Recent($first: Int) { runs(first: $first) { nodes { id } } }";
  const { runs } = await ask<{ runs: { nodes: { id: string }[] } }>(list, { first: RUNS_MAX }, signal);
  const one = "query Plan($id: ID!) { run(id: $id) { id plan source } }";
  const found = await Promise.all(
    runs.nodes.map(({ id }) => ask<{ run: RecentRun | null }>(one, { id }, signal).then(({ run }) => run)),
  );
  return found.filter((run) => run !== null);
}

/** What a plan calls, and what the agents that it calls do. */
function reached(source: Json, definitions: ReadonlyMap<string, Json>): ReadonlySet<string> {
  const names = new Set(calledNames(source));
  for (const name of names) for (const inner of calledNames(definitions.get(name) ?? null)) names.add(inner);
  return names;
}

const CALLS = new Set(["tool", "system_event_endpoint", "agent_definition_path", "tool_definition_path"]);

function calledNames(plan: Json): ReadonlySet<string> {
  const names = new Set<string>();
  const open: unknown[] = [typeof plan === "string" ? parsed(plan) : plan];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === "string" && CALLS.has(key)) names.add(inner);
        else if (typeof inner === "object" && inner !== null) open.push(inner);
      }
    }
  }
  return names;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
