import { EmptyState } from "../design/empty-state.tsx";
import { Loading } from "../design/loading.tsx";
import { clockText } from "../design/time.ts";
import type { Shown } from "../json/shown.ts";
import { useAnswer } from "./use-run.ts";
import { ValueTree } from "./value-tree.tsx";
import type { ContextRow } from "./worker/messages.ts";

/** The variables, each with what it was and which event made it so. */
export function ContextView() {
  const rows = useAnswer({ kind: "context" });
  if (rows === undefined) return <Loading what="the context" />;
  if (rows.length === 0) {
    return (
      <EmptyState title="No context variables">
        <p>
          This plan declares none. With context_variables, steps can share values, and triggers can set them.
        </p>
      </EmptyState>
    );
  }
  const names = [...new Set(rows.map(({ name }) => name))];
  return (
    <ul className="context">
      {names.map((name) => (
        <Variable key={name} name={name} rows={rows.filter((row) => row.name === name)} />
      ))}
    </ul>
  );
}

function Variable({ name, rows }: { readonly name: string; readonly rows: readonly ContextRow[] }) {
  return (
    <li>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <ol>
        {rows.map((row, i) => (
          <li key={row.seq} data-current={i === rows.length - 1 || undefined}>
            <span className="context-when">
              {clockText(row.at)} · {row.cause}
            </span>
            <Value row={row} />
          </li>
        ))}
      </ol>
    </li>
  );
}

function Value({ row }: { readonly row: ContextRow }) {
  const { root } = row.value;
  // The values of the start are kept together, under one name: they are small, and shown as they are.
  if (root.kind === "scalar" || root.kind === "string" || row.seq === 1)
    return <code dir="auto">{brief(root)}</code>;
  return <ValueTree value={row.value} label={row.name} />;
}

function brief(value: Shown): string {
  if (value.kind === "scalar") return String(value.value);
  if (value.kind === "string")
    return JSON.stringify(value.text) + (value.text.length < value.length ? "…" : "");
  return value.kind === "list" ? `a list of ${value.length}` : `an object with ${value.length} keys`;
}
