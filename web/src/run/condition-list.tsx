import type { Json } from "../../../src/compiler.ts";
import { useQuery } from "../data/use-query.ts";
import { StatusIcon } from "../design/status-badge.tsx";
import { cutText } from "../json/shown.ts";
import { Section } from "./step-panel.tsx";

const CONDITIONS = `query Conditions($id: ID!, $step: String!) {
  run(id: $id) { conditions(step: $step) { text held depth saw wanted } }
}`;

interface ConditionSeen {
  readonly text: string;
  readonly held: boolean;
  readonly depth: number;
  readonly saw: Json | undefined;
  readonly wanted: Json | undefined;
}

/** Why it ran or was skipped: each condition with the value that it saw. */
export function ConditionList({
  runId,
  stepId,
  status,
}: {
  readonly runId: string;
  readonly stepId: string;
  readonly status: string;
}) {
  const { data } = useQuery<{ run: { conditions: readonly ConditionSeen[] } | null }>(CONDITIONS, {
    id: runId,
    step: stepId,
  });
  const conditions = data?.run?.conditions ?? [];
  if (conditions.length === 0) return null;
  return (
    <Section title={status === "skipped" ? "Why it was skipped" : "Its conditions"}>
      <ul className="conditions">
        {conditions.map(({ text, held, depth, saw }, i) => {
          const isGroup = text === "all of" || text === "any of";
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is what the plan has, in its order.
              key={i}
              data-status={held ? "completed" : "failed"}
              style={{ paddingInlineStart: `${Math.min(depth, 8)}rem` }}
            >
              <StatusIcon status={held ? "completed" : "failed"} />
              <span>
                <bdi>{text}</bdi>
                <span className="visually-hidden">{held ? " held" : " did not hold"}</span>
                {!isGroup && (
                  <small dir="auto">
                    it saw {saw === undefined || saw === null ? "null" : cutText(JSON.stringify(saw), 200)}
                  </small>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
