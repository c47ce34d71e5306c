import type { Json } from "../../../src/compiler.ts";
import { useQuery } from "../data/use-query.ts";
import { clockText } from "../design/time.ts";
import { cutText } from "../json/shown.ts";
import { Section } from "./step-panel.tsx";
import type { StepDetail } from "./worker/messages.ts";

const LOGS = "query Logs($id: ID!, $step: String) { run(id: $id) { logs(step: $step) { at message data } } }";
const LENGTH_MAX = 1_000;

interface LogLine {
  readonly at: string;
  readonly message: string;
  readonly data: Json | null;
}

/** What the tool said: texts are part of the run, logs last as long as the server's process. */
export function StepLogs({ runId, detail }: { readonly runId: string; readonly detail: StepDetail }) {
  const { data } = useQuery<{ run: { logs: readonly LogLine[] } | null }>(LOGS, {
    id: runId,
    step: detail.id,
    // Asked again when the step has ended.
    ...(detail.finishedAt > 0 && { ended: detail.finishedAt }),
  });
  const logs = data?.run?.logs ?? [];
  return (
    <>
      {detail.said.length > 0 && (
        <Section title="Emitted">
          <ol className="said">
            {detail.said.map(({ seq, at, text, length }) => (
              <li key={seq}>
                <span className="soft">{clockText(at)}</span>
                <p dir="auto">
                  {text}
                  {text.length < length &&
                    `… (${length.toLocaleString("en")} characters; all of them are in event ${seq})`}
                </p>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {logs.length > 0 && (
        <Section title="Logs">
          <ol className="said">
            {logs.map(({ at, message, data: more }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place.
              <li key={i}>
                <span className="soft">{clockText(at)}</span>
                <p dir="auto">
                  {cutText(message, LENGTH_MAX)}
                  {more !== null && <code> {cutText(JSON.stringify(more), LENGTH_MAX)}</code>}
                </p>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
