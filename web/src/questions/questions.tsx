import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Json } from "../../../src/compiler.ts";
import { useQuery } from "../data/use-query.ts";
import { Button } from "../design/button.tsx";
import { Panel } from "../design/panel.tsx";
import { Field } from "../form/field.tsx";
import { BooleanInput } from "../form/simple-inputs.tsx";
import { sourceOf } from "../json/json-source.ts";
import { JsonTree } from "../json/json-tree.tsx";
import { LongText } from "../json/long-text.tsx";
import { EffectsSummary } from "../plan/effects.tsx";
import {
  type Answers,
  type Asked,
  type AskedOutline,
  EXPLAIN,
  type Explained,
  OUTLINE,
  QUESTIONS,
  type Question,
  sendAnswers,
} from "./run-questions.ts";

/** All open questions of a run, in one form. `revision` changes when the run may have come to other ones. */
export function Questions({ runId, revision }: { readonly runId: string; readonly revision?: unknown }) {
  const { data, reload } = useQuery<Asked>(QUESTIONS, { id: runId });
  const seen = useRef(revision);
  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    reload();
  }, [revision, reload]);
  const run = data?.run;
  if (run === null || run === undefined || run.questions.length === 0) return null;
  return (
    <QuestionForm
      runId={runId}
      questions={run.questions}
      plan={run.source}
      dialect={run.dialect}
      onAnswered={reload}
    />
  );
}

function QuestionForm({
  runId,
  questions,
  plan,
  dialect,
  onAnswered,
}: {
  readonly runId: string;
  readonly questions: readonly Question[];
  readonly plan: Json;
  readonly dialect: string;
  readonly onAnswered: () => void;
}) {
  const [answers, setAnswers] = useState<Answers>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isSending, setSending] = useState(false);
  /** How often somebody tried to send. */
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const answer = (name: string, value: Json | undefined): void => {
    setAnswers((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, ...rest }) => rest);
  };
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setAttempts((before) => before + 1);
    const open = questions.filter(({ name }) => answers[name] === undefined);
    if (open.length > 0) {
      setErrors(
        Object.fromEntries(
          open.map(({ name, kind }) => [name, kind === "input" ? "An answer is missing." : "Say yes or no."]),
        ),
      );
      return;
    }
    setSending(true);
    const complaints = await sendAnswers(runId, questions, answers);
    setSending(false);
    setErrors(complaints);
    setAttempts((before) => before + 1);
    if (Object.keys(complaints).length > 0) return;
    // A step that asks again, turn after turn, is answered anew each time.
    setAnswers({});
    document.getElementById("main")?.focus({ preventScroll: true });
    onAnswered();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first wrong answer is shown after an attempt, and nobody is disturbed while typing.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], .field:has(.field-error) input")?.focus();
  }, [attempts]);
  const hasErrors = Object.keys(errors).length > 0;
  return (
    <Panel
      title={questions.length === 1 ? "This run asks one thing" : `This run asks ${questions.length} things`}
      className="questions"
    >
      <form className="form" ref={form} onSubmit={(event) => void send(event)} noValidate>
        {questions.map((question) => (
          <AskedFor
            runId={runId}
            key={`${question.kind} ${question.name}`}
            question={question}
            value={answers[question.name]}
            onChange={(value) => answer(question.name, value)}
            error={errors[question.name]}
          />
        ))}
        <Effects plan={plan} dialect={dialect} />
        <div className="form-end">
          <Button kind="primary" type="submit" disabled={isSending}>
            {isSending ? "Sending…" : "Answer and go on"}
          </Button>
          <p role="status" className="field-error">
            {errors[""] ?? (hasErrors ? "Nothing was sent: look at what is marked above." : "")}
          </p>
        </div>
      </form>
    </Panel>
  );
}

function AskedFor({
  runId,
  question: { name, kind, stepIds, schema, description },
  value,
  onChange,
  error,
}: {
  readonly runId: string;
  readonly question: Question;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly error: string | undefined;
}) {
  if (kind === "input") {
    const about = description ?? `Needed by ${stepIds.join(", ")}.`;
    return (
      <Field
        name={name}
        schema={schema}
        description={about}
        isRequired
        value={value}
        onChange={onChange}
        error={error}
      />
    );
  }
  return (
    <fieldset className="field">
      <legend>
        Run the step <bdi>{name}</bdi>?
      </legend>
      {description !== null && (
        <p className="field-about">
          <LongText text={description} max={600} />
        </p>
      )}
      <Arguments runId={runId} step={name} />
      <BooleanInput
        id={`confirm-${name}`}
        value={value}
        onChange={onChange}
        yes="Yes, run it"
        no="No, do not run it"
      />
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  );
}

/** Whoever says yes knows to what. Steps inside agents are called with what their agents make of it. */
function Arguments({ runId, step }: { readonly runId: string; readonly step: string }) {
  const { data } = useQuery<AskedOutline>(OUTLINE, { id: runId });
  const found = data?.run?.outline.blocks[0]?.steps.find(({ id }) => id === step);
  if (found === undefined) return null;
  return <JsonTree source={sourceOf(found.arguments)} label={`Arguments of ${step}, as written`} />;
}

/** A plan that cannot be explained any more, because the server knows other tools now, is answered all the same. */
function Effects({ plan, dialect }: { readonly plan: Json; readonly dialect: string }) {
  const given = typeof plan === "string" ? { text: plan } : { source: plan };
  const isWorkflow = typeof plan === "object" && plan !== null && "context_variables" in plan;
  const { data } = useQuery<Explained>(EXPLAIN, { ...given, ...(!isWorkflow && { dialect }) });
  return data === undefined ? null : <EffectsSummary effects={data.explainPlan} />;
}
