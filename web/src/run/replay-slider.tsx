import { Button } from "../design/button.tsx";
import { clockText } from "../design/time.ts";
import type { Overview } from "./worker/messages.ts";

/** Moves the whole page through the run: everything shows how it was after the event that is chosen. */
export function ReplaySlider({
  overview: { seq, last, now, isFollowing, finishedAt },
  onSeek,
}: {
  readonly overview: Overview;
  readonly onSeek: (seq: number | undefined) => void;
}) {
  return (
    <div className="replay" data-following={isFollowing || undefined}>
      <label htmlFor="replay">Replay</label>
      <input
        id="replay"
        type="range"
        min={1}
        max={Math.max(1, last)}
        value={Math.max(1, seq)}
        aria-valuetext={`Event ${seq} of ${last}`}
        onChange={(event) => onSeek(Number(event.target.value))}
      />
      <output htmlFor="replay">
        Event {seq.toLocaleString("en")} of {last.toLocaleString("en")}, {clockText(now)}
      </output>
      <Button kind="quiet" disabled={isFollowing} onClick={() => onSeek(undefined)}>
        {!isFollowing ? "Back to now" : finishedAt > 0 ? "At the end" : "Live"}
      </Button>
    </div>
  );
}
