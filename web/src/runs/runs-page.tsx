import { useEffect } from "react";
import { Button } from "../design/button.tsx";
import { EmptyState } from "../design/empty-state.tsx";
import { ErrorState } from "../design/error-state.tsx";
import { Loading } from "../design/loading.tsx";
import { Link, useAddress, useSetQuery } from "../router.tsx";
import { RunFiltersBar } from "./run-filters.tsx";
import { RunsTable } from "./runs-table.tsx";
import { type RunFilters, useRuns } from "./use-runs.ts";
import "./runs.css";

export default function RunsPage() {
  const { query } = useAddress();
  const setQuery = useSetQuery();
  const filters: RunFilters = {
    status: query.get("status") ?? "",
    search: query.get("search") ?? "",
    hours: query.get("hours") ?? "",
  };
  const { runs, error, hasMore, loadMore, reload } = useRuns(filters);
  useEffect(() => {
    document.title = "Runs · Sequitur";
  }, []);
  const isFiltered = filters.status !== "" || filters.search !== "" || filters.hours !== "";
  return (
    <div className="page">
      <div className="page-head">
        <h1>Runs</h1>
        <Link to="/edit" className="button" data-kind="primary">
          New run
        </Link>
      </div>
      <RunFiltersBar filters={filters} onChange={(values) => setQuery(values, { replace: true })} />
      {runs === undefined &&
        (error === undefined ? <Loading what="the runs" /> : <ErrorState error={error} onRetry={reload} />)}
      {runs?.length === 0 && (
        <NoRuns isFiltered={isFiltered} onClear={() => setQuery({ status: "", search: "", hours: "" })} />
      )}
      {runs !== undefined && runs.length > 0 && <RunsTable runs={runs} onChange={reload} />}
      {hasMore && (
        <p className="more">
          <Button onClick={loadMore}>Show older runs</Button>
        </p>
      )}
    </div>
  );
}

function NoRuns({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState title="No run fits">
        <p>There are no runs with this status, name and time.</p>
        <Button onClick={onClear}>Show all runs</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing has run yet">
      <p>
        Write a plan in the editor and press Run, or start one from a terminal with <code>sequitur run</code>.
        It will be listed here while it runs.
      </p>
      <Link to="/edit" className="button">
        Open the editor
      </Link>
    </EmptyState>
  );
}
