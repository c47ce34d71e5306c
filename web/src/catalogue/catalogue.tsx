import type { ReactNode } from "react";
import { EmptyState } from "../design/empty-state.tsx";
import { SearchField } from "../design/search-field.tsx";
import { useAddress, useSetQuery } from "../router.tsx";
import "./catalogue.css";

export interface Entry {
  readonly name: string;
  readonly description: string | null;
  /** A word or two at the right of the name. */
  readonly marks: readonly string[];
}

const SHOWN_MAX = 500;
const TEXT_MAX = 160;

/** A list to search and choose from, with what was chosen beside it; both are in the address. */
export function Catalogue<T extends Entry>({
  title,
  entries,
  empty,
  details,
}: {
  readonly title: string;
  readonly entries: readonly T[];
  readonly empty: ReactNode;
  readonly details: (entry: T) => ReactNode;
}) {
  const { query } = useAddress();
  const setQuery = useSetQuery();
  const search = query.get("search") ?? "";
  const wanted = search.trim().toLowerCase();
  const found = entries.filter(({ name, description }) =>
    `${name} ${description ?? ""}`.toLowerCase().includes(wanted),
  );
  const chosen = entries.find(({ name }) => name === query.get("show")) ?? found[0];
  if (entries.length === 0)
    return <EmptyState title={`There are no ${title.toLowerCase()} here`}>{empty}</EmptyState>;
  return (
    <div className="catalogue">
      <div className="catalogue-list">
        <h1>{title}</h1>
        <SearchField
          label={`Search ${title.toLowerCase()}`}
          value={search}
          onChange={(value) => setQuery({ search: value }, { replace: true })}
        />
        <p className="catalogue-count" role="status">
          {found.length} of {entries.length}
        </p>
        <ul>
          {found.slice(0, SHOWN_MAX).map((entry) => (
            <li key={entry.name}>
              <button
                type="button"
                className="catalogue-entry"
                aria-current={entry === chosen}
                onClick={() => setQuery({ show: entry.name })}
              >
                <span className="catalogue-name">
                  <bdi>{entry.name}</bdi>
                </span>
                {entry.description !== null && (
                  <span className="catalogue-about">
                    <bdi>{entry.description.slice(0, TEXT_MAX)}</bdi>
                  </span>
                )}
                {entry.marks.map((mark) => (
                  <span key={mark} className="catalogue-mark">
                    {mark}
                  </span>
                ))}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className="catalogue-details">
        {chosen === undefined ? <EmptyState title="Nothing is called that" /> : details(chosen)}
      </div>
    </div>
  );
}
