import type { RunFilter, StartOptions } from "../index.ts";
import { agentNodes, checkNode, explanationNode, toolNodes } from "./plan-node.ts";
import { refusal } from "./refusal.ts";
import { lineOf, page, type RunsView, runNode } from "./run-node.ts";
import type * as schema from "./schema-types.ts";

export function queries(view: RunsView, surroundings: StartOptions): schema.Query {
  const { engine, limits } = view;
  return {
    runs: ({ first, after, filter }) => listRuns(view, page(first ?? FIRST, limits), after, filter ?? {}),
    run: ({ id }) => runNode(view, id),
    tools: () => toolNodes(engine),
    agents: () => agentNodes(engine),
    checkPlan: (plan) => checkNode(engine, plan, surroundings),
    explainPlan: (plan) => explanationNode(engine, plan, surroundings),
  };
}

const FIRST = 20;

/** A Relay connection, forwards: a cursor names the last run that was seen. */
async function listRuns(
  view: RunsView,
  count: number,
  after: string | null | undefined,
  { status, plan, search, startedFrom, startedBefore }: schema.RunFilter,
): Promise<schema.RunConnection> {
  const filter: RunFilter = {
    ...(status && { status }),
    ...(typeof plan === "string" && { name: plan }),
    ...(typeof search === "string" && search.trim() !== "" && { search: search.trim() }),
    ...(startedFrom && { startedFrom: timeOf(startedFrom, "startedFrom") }),
    ...(startedBefore && { startedBefore: timeOf(startedBefore, "startedBefore") }),
    ...(after && { after: runAt(after) }),
    // One more than is shown says whether there is more.
    limit: count + 1,
  };
  const found = await view.engine.list(filter);
  const nodes = found.slice(0, count).map((run) => lineOf(view, run));
  const edges = nodes.map((node) => ({ cursor: cursorOf(node.id), node }));
  return {
    nodes,
    edges,
    pageInfo: {
      hasNextPage: found.length > count,
      hasPreviousPage: typeof after === "string",
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
  };
}

function timeOf(text: string, name: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw refusal(400, "INVALID_TIME", `"${name}" is no time: write it as 2026-01-31T12:00:00Z.`);
  return time;
}

const CURSOR = "run:";

function cursorOf(id: string): string {
  return Buffer.from(CURSOR + id).toString("base64url");
}

function runAt(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!text.startsWith(CURSOR)) throw refusal(400, "INVALID_CURSOR", `"after" is no cursor of this list.`);
  return text.slice(CURSOR.length);
}
