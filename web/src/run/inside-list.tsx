import { StepRow } from "./item-list.tsx";
import { Section } from "./step-panel.tsx";
import { useAnswer } from "./use-run.ts";

/** The steps inside of a composite agent. */
export function InsideList({
  stepId,
  onSelect,
}: {
  readonly stepId: string;
  readonly onSelect: (id: string) => void;
}) {
  const steps = useAnswer({ kind: "inside", step: stepId });
  if (steps === undefined || steps.length === 0) return null;
  return (
    <Section title="Steps inside">
      <div className="rows">
        {steps.map((step) => (
          <StepRow key={step.id} step={step} onSelect={onSelect} />
        ))}
      </div>
    </Section>
  );
}
