import { useState } from "react";
import { Button } from "../design/button.tsx";
import { clockText } from "../design/time.ts";
import { VirtualList } from "../design/virtual-list.tsx";
import { useAddress, useSetQuery } from "../router.tsx";
import { usePages } from "./use-pages.ts";
import { useAnswer, useClient, useOverview } from "./use-run.ts";
import { ValueTree } from "./value-tree.tsx";
import type { EventRow } from "./worker/messages.ts";

const ROW_HEIGHT = 30;

/** The journal, as it was written: filtered by words, an event in full below, all of it to take home. */
export function EventsView({
  runId,
  onSelect,
}: {
  readonly runId: string;
  readonly onSelect: (id: string) => void;
}) {
  const client = useClient();
  const { query } = useAddress();
  const setQuery = useSetQuery();
  const text = query.get("events") ?? "";
  const seq = useOverview(client)?.seq ?? 0;
  const [open, setOpen] = useState<number>();
  const { total, row } = usePages<EventRow>(`${text} ${seq}`, (from, count) =>
    client.ask({ kind: "events", text, from, count }),
  );
  return (
    <div className="events">
      <div className="events-tools">
        <input
          className="input"
          type="search"
          placeholder="Filter: StepFailed, or a step"
          aria-label="Filter events by kind or step"
          value={text}
          onChange={(event) => setQuery({ events: event.target.value }, { replace: true })}
        />
        <span role="status">{total !== undefined && `${total.toLocaleString("en")} events`}</span>
        <Button onClick={async () => download(await client.ask({ kind: "journal" }), `${runId}.jsonl`)}>
          Download
        </Button>
      </div>
      <VirtualList
        className="events-rows"
        role="group"
        aria-label="Events"
        tabIndex={0}
        count={total ?? 0}
        rowHeight={ROW_HEIGHT}
        row={(index) => {
          const event = row(index);
          if (event === undefined) return null;
          return (
            <div className="events-row" data-open={event.seq === open || undefined}>
              <button
                type="button"
                aria-expanded={event.seq === open}
                onClick={() => setOpen(event.seq === open ? undefined : event.seq)}
              >
                <span className="events-seq">{event.seq}</span>
                <span className="events-at">{clockText(event.at)}</span>
                <span className="events-kind">{event.kind}</span>
              </button>
              {event.step !== null && (
                <button type="button" className="events-step" onClick={() => onSelect(event.step ?? "")}>
                  <bdi>{event.step}</bdi>
                </button>
              )}
            </div>
          );
        }}
      />
      {open !== undefined && <EventInFull seq={open} />}
    </div>
  );
}

function EventInFull({ seq }: { readonly seq: number }) {
  const name = { of: "event", seq } as const;
  const root = useAnswer({ kind: "load", value: name, path: [], from: 0 });
  return (
    <div className="events-full">
      <h2>Event {seq}</h2>
      {root !== undefined && <ValueTree value={{ name, root }} label={`Event ${seq}`} />}
    </div>
  );
}

function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
