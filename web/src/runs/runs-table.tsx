import { Button } from "../design/button.tsx";
import { StatusBadge } from "../design/status-badge.tsx";
import { durationText, timeText } from "../design/time.ts";
import { useNow } from "../design/use-now.ts";
import { Link } from "../router.tsx";
import { cancelRun, canResume, isOpen, resumeRun } from "./run-actions.ts";
import type { RunLine, StepCounts } from "./use-runs.ts";

export function RunsTable({
  runs,
  onChange,
}: {
  readonly runs: readonly RunLine[];
  readonly onChange: () => void;
}) {
  const now = useNow(runs.some(({ finishedAt }) => finishedAt === null));
  return (
    <div className="panel runs">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Plan</th>
            <th scope="col">Steps</th>
            <th scope="col">Started</th>
            <th scope="col">Duration</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} now={now} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({
  run,
  now,
  onChange,
}: {
  readonly run: RunLine;
  readonly now: number;
  readonly onChange: () => void;
}) {
  const { id, plan, status, startedAt, finishedAt, progress } = run;
  const name = plan ?? "Unnamed plan";
  const end = finishedAt === null ? now : Date.parse(finishedAt);
  const act = (action: (id: string) => Promise<void>) => () => void action(id).then(onChange);
  return (
    <tr>
      <td className="run-status">
        <StatusBadge status={status} />
      </td>
      <td className="run-name">
        <Link to={`/runs/${encodeURIComponent(id)}`}>
          <bdi>{name}</bdi>
        </Link>
        <small>{id}</small>
      </td>
      <td className="run-progress">{progress !== null && <Progress counts={progress} status={status} />}</td>
      <td className="run-started">
        <time dateTime={startedAt} title={startedAt}>
          {timeText(startedAt)}
        </time>
      </td>
      <td className="run-duration">{durationText(Math.max(0, end - Date.parse(startedAt)))}</td>
      <td className="run-actions">
        {isOpen(status) && (
          <Button kind="quiet" aria-label={`Cancel ${name}, ${id}`} onClick={act(cancelRun)}>
            Cancel
          </Button>
        )}
        {canResume(status) && (
          <Button kind="quiet" aria-label={`Resume ${name}, ${id}`} onClick={act(resumeRun)}>
            Resume
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Steps that have ended, of all; a failure shows as what it is. */
function Progress({ counts, status }: { readonly counts: StepCounts; readonly status: string }) {
  const { total, completed, failed, notRun } = counts;
  const ended = completed + failed + notRun;
  const part = total === 0 ? 100 : (100 * ended) / total;
  return (
    <>
      <span className="progress" data-status={failed > 0 ? "failed" : status}>
        <i style={{ width: `${part}%` }} />
      </span>
      <span>
        {ended} of {total}
        {failed > 0 && `, ${failed} failed`}
      </span>
    </>
  );
}
