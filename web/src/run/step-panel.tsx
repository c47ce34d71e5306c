import type { ReactNode } from "react";
import type { Outline } from "../../../src/compiler.ts";
import { Button } from "../design/button.tsx";
import { Loading } from "../design/loading.tsx";
import { StatusBadge } from "../design/status-badge.tsx";
import { durationText } from "../design/time.ts";
import { AttemptList } from "./attempt-list.tsx";
import { ConditionList } from "./condition-list.tsx";
import { InsideList } from "./inside-list.tsx";
import { ItemList } from "./item-list.tsx";
import { StepLogs } from "./step-logs.tsx";
import { findStep } from "./step-origin.ts";
import { StepReferences } from "./step-references.tsx";
import { useAnswer } from "./use-run.ts";
import { ValueTree } from "./value-tree.tsx";
import type { StepDetail } from "./worker/messages.ts";
import { WrittenArguments } from "./written-arguments.tsx";

/** Everything about one step, at the event that is shown. */
export function StepPanel({
  runId,
  plan,
  stepId,
  onSelect,
}: {
  readonly runId: string;
  readonly plan: Outline;
  readonly stepId: string;
  readonly onSelect: (id: string | undefined) => void;
}) {
  const detail = useAnswer({ kind: "step", step: stepId });
  const found = findStep(plan, stepId);
  const isConditional = found?.step.marks.some(({ kind }) => kind === "condition") === true;
  return (
    <aside className="panel step" aria-label={`Step ${stepId}`}>
      <div className="panel-head">
        <h2>
          <bdi>{stepId}</bdi>
        </h2>
        <Button kind="quiet" onClick={() => onSelect(undefined)}>
          Close
        </Button>
      </div>
      <div className="step-body">
        {found !== undefined && (
          <p className="step-calls">
            calls <code>{found.step.calls}</code>
            {found.step.intent !== undefined && <> · {found.step.intent}</>}
          </p>
        )}
        {detail === undefined ? <Loading what="the step" /> : <Outcome detail={detail} />}
        {isConditional && detail !== undefined && detail.status !== "pending" && (
          <ConditionList runId={runId} stepId={stepId} status={detail.status} />
        )}
        {detail?.items !== undefined && <ItemList stepId={stepId} items={detail.items} onSelect={onSelect} />}
        {found?.step.block !== undefined && (found.isItem || found.step.eachAs === undefined) && (
          <InsideList stepId={stepId} onSelect={onSelect} />
        )}
        {found !== undefined && (
          <Section title="Arguments as written">
            <WrittenArguments found={found} />
            <StepReferences found={found} onSelect={onSelect} />
          </Section>
        )}
        {detail?.arguments !== undefined && (
          <Section title="Arguments as resolved">
            <ValueTree value={detail.arguments} label="Arguments as resolved" />
          </Section>
        )}
        {detail?.result !== undefined && (
          <Section title="Result">
            <ValueTree value={detail.result} label="Result" />
          </Section>
        )}
        {detail !== undefined && <AttemptList detail={detail} />}
        {detail !== undefined && <StepLogs runId={runId} detail={detail} />}
      </div>
    </aside>
  );
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="step-section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Outcome({
  detail: { status, startedAt, finishedAt, reason, error },
}: {
  readonly detail: StepDetail;
}) {
  return (
    <div className="step-outcome">
      <StatusBadge status={status} />
      {startedAt > 0 && finishedAt > 0 && <span>{durationText(finishedAt - startedAt)}</span>}
      {reason !== undefined && <p dir="auto">{reason}</p>}
      {error !== undefined && (
        <p className="error-text" dir="auto">
          <strong>{error.code}</strong> {error.message}
        </p>
      )}
    </div>
  );
}
