import { EmptyState } from "../design/empty-state.tsx";
import { Loading } from "../design/loading.tsx";
import { durationText } from "../design/time.ts";
import { VirtualList } from "../design/virtual-list.tsx";
import { useAnswer } from "./use-run.ts";
import type { TimelineRow } from "./worker/timeline.ts";

const ROW_HEIGHT = 34;

/** Every attempt as a bar. The chain of steps that made the run as long as it is stands out. */
export function TimelineView({
  selected,
  onSelect,
}: {
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) {
  const rows = useAnswer({ kind: "timeline" });
  if (rows === undefined) return <Loading what="the timeline" />;
  if (rows.length === 0)
    return (
      <EmptyState title="Nothing has started">
        <p>Steps appear here once they start.</p>
      </EmptyState>
    );
  const end = Math.max(1, ...rows.flatMap(({ bars }) => bars.map(({ to }) => to)));
  return (
    <div className="timeline">
      <p className="timeline-legend">
        <span className="timeline-chain-mark" aria-hidden="true" /> on the longest chain
        <span className="timeline-end">{durationText(end)}</span>
      </p>
      <VirtualList
        className="timeline-rows"
        role="group"
        aria-label="Timeline"
        tabIndex={0}
        count={rows.length}
        rowHeight={ROW_HEIGHT}
        row={(index) => {
          const row = rows[index];
          return row && <Row row={row} end={end} isSelected={row.id === selected} onSelect={onSelect} />;
        }}
      />
    </div>
  );
}

function Row({
  row,
  end,
  isSelected,
  onSelect,
}: {
  readonly row: TimelineRow;
  readonly end: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}) {
  const { id, bars, isOnChain, waitedFor, depth, hidden } = row;
  const first = bars[0]?.from ?? 0;
  const last = bars.at(-1)?.to ?? first;
  const words = [
    durationText(last - first),
    bars.length > 1 && `${bars.length} attempts`,
    waitedFor !== undefined && `after ${waitedFor}`,
    hidden > 0 && `${hidden.toLocaleString("en")} more items`,
  ].filter((word) => word !== false);
  return (
    <button
      type="button"
      className="timeline-row"
      data-chain={isOnChain || undefined}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
    >
      <span className="timeline-name" style={{ paddingInlineStart: `${Math.min(depth, 6) * 0.75}rem` }}>
        <bdi>{id}</bdi>
      </span>
      <span className="timeline-track">
        {bars.map(({ from, to, status, attempt }) => (
          <i
            key={`${from} ${attempt}`}
            data-status={status}
            style={{ left: `${(100 * from) / end}%`, width: `${(100 * (to - from)) / end}%` }}
          />
        ))}
      </span>
      <span className="timeline-words">
        <bdi>{words.join(" · ")}</bdi>
      </span>
    </button>
  );
}
