import { Button } from "../design/button.tsx";
import { StatusBadge } from "../design/status-badge.tsx";
import { durationText, timeText } from "../design/time.ts";
import { useNow } from "../design/use-now.ts";
import { cancelRun, canResume, isOpen, resumeRun } from "../runs/run-actions.ts";
import { ReplaySlider } from "./replay-slider.tsx";
import type { RunClient } from "./run-client.ts";
import type { RunInfo } from "./run-page.tsx";
import type { Overview } from "./worker/messages.ts";

export function RunHead({
  id,
  run,
  client,
  overview,
}: {
  readonly id: string;
  readonly run: RunInfo;
  readonly client: RunClient;
  readonly overview: Overview | undefined;
}) {
  return (
    <header className="panel run-head">
      <div className="run-title">
        <div>
          <p className="run-plan">
            <bdi>{run.plan ?? "Unnamed plan"}</bdi>
            {overview !== undefined && <StatusBadge status={overview.status} />}
          </p>
          <p className="run-facts">
            <code>{id}</code>
            {overview !== undefined && <Times overview={overview} />}
            {run.startedBy !== null && <span>by {run.startedBy}</span>}
          </p>
        </div>
        <div className="run-buttons">
          {overview?.isFollowing === true && isOpen(overview.status) && (
            <Button onClick={() => void cancelRun(id)}>Cancel run</Button>
          )}
          {overview?.isFollowing === true && canResume(overview.status) && (
            <Button onClick={() => void resumeRun(id).then(() => client.follow())}>Resume run</Button>
          )}
        </div>
      </div>
      {overview?.error !== undefined && (
        <p className="error-text run-error">
          <strong>{overview.error.name}</strong> <bdi>{overview.error.message.slice(0, 1_000)}</bdi>
        </p>
      )}
      {overview !== undefined && <ReplaySlider overview={overview} onSeek={(seq) => client.seek(seq)} />}
    </header>
  );
}

function Times({ overview: { startedAt, finishedAt, isFollowing, now } }: { readonly overview: Overview }) {
  const clock = useNow(finishedAt === 0 && isFollowing);
  const end = finishedAt > 0 ? finishedAt : isFollowing ? Math.max(clock, now) : now;
  return (
    <>
      <time dateTime={new Date(startedAt).toISOString()}>{timeText(startedAt)}</time>
      <span>{durationText(Math.max(0, end - startedAt))}</span>
    </>
  );
}
