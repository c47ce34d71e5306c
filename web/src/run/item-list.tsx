import { useState } from "react";
import { StatusIcon } from "../design/status-badge.tsx";
import { durationText } from "../design/time.ts";
import { VirtualList } from "../design/virtual-list.tsx";
import { Section } from "./step-panel.tsx";
import { usePages } from "./use-pages.ts";
import { useClient, useOverview } from "./use-run.ts";
import type { ItemRow, StepDetail } from "./worker/messages.ts";

const ROW_HEIGHT = 30;
const STATUSES = ["running", "completed", "failed", "pending"] as const;

/** The items of a fan-out: counted, filtered, and as many as there are. */
export function ItemList({
  stepId,
  items,
  onSelect,
}: {
  readonly stepId: string;
  readonly items: NonNullable<StepDetail["items"]>;
  readonly onSelect: (id: string) => void;
}) {
  const client = useClient();
  const [status, setStatus] = useState("");
  const seq = useOverview(client)?.seq ?? 0;
  const { total = 0, row } = usePages<ItemRow>(`${stepId} ${status} ${seq}`, (from, count) =>
    client.ask({ kind: "items", step: stepId, status, from, count }),
  );
  const part = items.total === 0 ? 100 : (100 * items.done) / items.total;
  return (
    <Section title="Items">
      <div className="progress" data-status={items.failed > 0 ? "failed" : "completed"}>
        <i style={{ width: `${part}%` }} />
      </div>
      <div className="items-tools">
        <span>
          {items.done.toLocaleString("en")} of {items.total.toLocaleString("en")} done
          {items.running > 0 && `, ${items.running.toLocaleString("en")} running`}
          {items.failed > 0 && `, ${items.failed.toLocaleString("en")} failed`}
        </span>
        <select
          className="input"
          aria-label="Items with status"
          value={status}
          onChange={(event) => setStatus(event.target.value)}
        >
          <option value="">all</option>
          {STATUSES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <VirtualList
        className="rows"
        role="group"
        aria-label={`Items of ${stepId}`}
        tabIndex={0}
        style={{ height: Math.min(total, 10) * ROW_HEIGHT }}
        count={total}
        rowHeight={ROW_HEIGHT}
        row={(index) => <StepRow step={row(index)} onSelect={onSelect} />}
      />
    </Section>
  );
}

export function StepRow({
  step,
  onSelect,
}: {
  readonly step: ItemRow | undefined;
  readonly onSelect: (id: string) => void;
}) {
  if (step === undefined) return null;
  const { id, status, durationMs, message } = step;
  return (
    <button type="button" className="step-row" data-status={status} onClick={() => onSelect(id)}>
      <StatusIcon status={status} />
      <bdi>{id}</bdi>
      <span className="visually-hidden">{status}</span>
      <span className="step-row-words">
        <bdi>{message ?? (durationMs === undefined ? "" : durationText(durationMs))}</bdi>
      </span>
    </button>
  );
}
