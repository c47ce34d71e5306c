import { StatusBadge } from "../design/status-badge.tsx";
import { clockText, durationText } from "../design/time.ts";
import { Section } from "./step-panel.tsx";
import type { StepDetail } from "./worker/messages.ts";

export function AttemptList({ detail: { attempts, attemptsCount } }: { readonly detail: StepDetail }) {
  if (attempts.length === 0) return null;
  const hidden = attemptsCount - attempts.length;
  return (
    <Section title={attemptsCount === 1 ? "Attempt" : `Attempts: ${attemptsCount.toLocaleString("en")}`}>
      {hidden > 0 && <p className="soft">The last {attempts.length} are shown.</p>}
      <ol className="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.startSeq}>
            <span>
              <StatusBadge status={attempt.status} /> {clockText(attempt.startedAt)}
              {attempt.finishedAt > 0 && ` · ${durationText(attempt.finishedAt - attempt.startedAt)}`}
            </span>
            {attempt.error !== undefined && (
              <p className="error-text" dir="auto">
                {attempt.error.code}: {attempt.error.message.slice(0, 2_000)}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
