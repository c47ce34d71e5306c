import { useEffect, useState } from "react";
import type { RunFilters } from "./use-runs.ts";

const STATUSES = ["running", "waiting", "completed", "failed", "cancelled", "partial_success"] as const;
const TIMES = [
  { hours: "", name: "Any time" },
  { hours: "1", name: "Last hour" },
  { hours: "24", name: "Last day" },
  { hours: "168", name: "Last week" },
] as const;
/** Nobody wants a request for every letter. */
const TYPING_MS = 200;

export function RunFiltersBar({
  filters,
  onChange,
}: {
  readonly filters: RunFilters;
  readonly onChange: (values: Partial<RunFilters>) => void;
}) {
  return (
    <search className="filters" aria-label="Filter runs">
      <SearchBox value={filters.search} onChange={(search) => onChange({ search })} />
      <select
        className="input"
        aria-label="Status"
        value={filters.status}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">Any status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {status.replaceAll("_", " ")}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Started"
        value={filters.hours}
        onChange={(event) => onChange({ hours: event.target.value })}
      >
        {TIMES.map(({ hours, name }) => (
          <option key={hours} value={hours}>
            {name}
          </option>
        ))}
      </select>
    </search>
  );
}

function SearchBox({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <input
      className="input"
      type="search"
      placeholder="Search by plan or id"
      aria-label="Search by plan or id"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
