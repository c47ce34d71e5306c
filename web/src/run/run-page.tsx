import { lazy, Suspense, useEffect } from "react";
import type { Outline } from "../../../src/compiler.ts";
import { useQuery } from "../data/use-query.ts";
import { EmptyState } from "../design/empty-state.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Loading } from "../design/loading.tsx";
import { Tabs } from "../design/tabs.tsx";
import { PlanGraph } from "../graph/plan-graph.tsx";
import { Link, useAddress, useSetQuery } from "../router.tsx";
import { ContextView } from "./context-view.tsx";
import { EventsView } from "./events-view.tsx";
import type { RunClient } from "./run-client.ts";
import { RunHead } from "./run-head.tsx";
import { StepPanel } from "./step-panel.tsx";
import { TimelineView } from "./timeline-view.tsx";
import { RunProvider, useOverview, useProblem, useRunClient } from "./use-run.ts";
import "./run.css";

/** Most runs ask nothing. */
const Questions = lazy(async () => ({ default: (await import("../questions/questions.tsx")).Questions }));

const RUN = `query Run($id: ID!) { run(id: $id) { plan dialect startedBy outline } }`;

export interface RunInfo {
  readonly plan: string | null;
  readonly dialect: string;
  readonly startedBy: string | null;
  readonly outline: Outline;
}

export default function RunPage({ params: [id = ""] }: { readonly params: readonly string[] }) {
  const { data, error, reload } = useQuery<{ readonly run: RunInfo | null }>(RUN, { id });
  const run = data?.run;
  const client = useRunClient(id, run?.outline);
  useEffect(() => {
    document.title = `${run?.plan ?? "Run"} · Sequitur`;
  }, [run?.plan]);
  if (run === null) {
    return (
      <EmptyState isPage title="There is no such run">
        <p>
          The server keeps no run <code>{id}</code>. It may have been cleaned up, or be in another store.
        </p>
        <Link to="/">Go to the runs</Link>
      </EmptyState>
    );
  }
  if (run === undefined && error !== undefined) return <ErrorState error={error} onRetry={reload} />;
  if (run === undefined || client === undefined) return <Loading what="the run" />;
  return (
    <RunProvider value={client}>
      <OpenRun id={id} run={run} client={client} />
    </RunProvider>
  );
}

function OpenRun({
  id,
  run,
  client,
}: {
  readonly id: string;
  readonly run: RunInfo;
  readonly client: RunClient;
}) {
  const { query } = useAddress();
  const setQuery = useSetQuery();
  const overview = useOverview(client);
  const problem = useProblem(client);
  const selected = query.get("step") ?? undefined;
  const select = (step: string | undefined): void => setQuery({ step });
  if (problem !== undefined) return <ErrorState error={problem} onRetry={() => window.location.reload()} />;
  return (
    <div className="page run">
      <h1 className="visually-hidden">Run of {run.plan ?? "an unnamed plan"}</h1>
      <RunHead id={id} run={run} client={client} overview={overview} />
      {overview?.isFollowing === true && overview.status === "waiting" && (
        <Suspense>
          <Questions runId={id} revision={overview.last} />
        </Suspense>
      )}
      <div className="run-columns" data-selected={selected !== undefined || undefined}>
        <section className="panel run-main" aria-label="The run">
          <Tabs
            label="Views of the run"
            selected={query.get("view") ?? "graph"}
            onSelect={(view) => setQuery({ view: view === "graph" ? undefined : view }, { replace: true })}
            tabs={[
              {
                key: "graph",
                name: "Graph",
                content: () => (
                  <div className="run-graph">
                    <PlanGraph
                      plan={run.outline}
                      states={client.states}
                      selected={selected}
                      onSelect={select}
                    />
                  </div>
                ),
              },
              {
                key: "timeline",
                name: "Timeline",
                content: () => <TimelineView selected={selected} onSelect={select} />,
              },
              { key: "context", name: "Context", content: () => <ContextView /> },
              { key: "events", name: "Events", content: () => <EventsView runId={id} onSelect={select} /> },
            ]}
          />
        </section>
        {selected !== undefined && (
          <StepPanel key={selected} runId={id} plan={run.outline} stepId={selected} onSelect={select} />
        )}
      </div>
    </div>
  );
}
