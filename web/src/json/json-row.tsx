import type { Row } from "./json-rows.ts";
import type { Path, Shown } from "./shown.ts";

/** Beyond that the indentation stays: a nest of a thousand levels would be out of sight. */
const INDENT_MAX = 24;

export function JsonRow({
  row,
  isFound,
  onToggle,
  onMore,
  onWhole,
}: {
  readonly row: Row;
  readonly isFound: boolean;
  readonly onToggle: (row: Extract<Row, { kind: "value" }>) => void;
  readonly onMore: (path: Path, from: number) => void;
  readonly onWhole: (path: Path) => void;
}) {
  const indent = {
    paddingInlineStart: `${Math.min(row.path.length + (row.kind === "more" ? 1 : 0), INDENT_MAX)}rem`,
  };
  if (row.kind === "more") {
    return (
      <div className="json-row" style={indent}>
        <button type="button" className="json-more" onClick={() => onMore(row.path, row.from)}>
          Show more: {row.left.toLocaleString("en")} left
        </button>
      </div>
    );
  }
  const { path, value, isOpen } = row;
  const key = path.at(-1);
  const isInner = value.kind === "list" || value.kind === "object";
  return (
    <div className="json-row" style={indent} data-found={isFound || undefined}>
      {isInner && (
        <button
          type="button"
          className="json-toggle"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Close" : "Open"} ${key ?? "the value"}`}
          onClick={() => onToggle(row)}
        >
          {isOpen ? "▾" : "▸"}
        </button>
      )}
      {key !== undefined && (
        <span className="json-key">
          <bdi>{key}</bdi>:
        </span>
      )}
      <Value value={value} onWhole={() => onWhole(path)} />
    </div>
  );
}

function Value({ value, onWhole }: { readonly value: Shown; readonly onWhole: () => void }) {
  if (value.kind === "scalar") return <span className="json-scalar">{String(value.value)}</span>;
  if (value.kind === "string") {
    const isCut = value.text.length < value.length;
    return (
      <>
        <span className="json-string">
          "<bdi>{JSON.stringify(value.text).slice(1, -1)}</bdi>
          {isCut ? "…" : '"'}
        </span>
        {(isCut || value.length > 60) && (
          <button type="button" className="json-more" onClick={onWhole}>
            See all {value.length.toLocaleString("en")} characters
          </button>
        )}
      </>
    );
  }
  const count = value.length.toLocaleString("en");
  const word = value.kind === "list" ? "item" : "key";
  return (
    <span className="json-count">{`${value.kind === "list" ? "[" : "{"} ${count} ${word}${value.length === 1 ? "" : "s"} ${value.kind === "list" ? "]" : "}"}`}</span>
  );
}
