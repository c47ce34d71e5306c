import { useState } from "react";
import type { Explanation, Json, Program } from "../../../src/compiler.ts";
import { ApiError, ask } from "../data/graphql.ts";
import { Button } from "../design/button.tsx";
import { messageOf } from "../design/error-state.tsx";
import { Field } from "../form/field.tsx";
import { schemaOfArgument } from "../form/value-schema.ts";
import { EffectsSummary } from "../plan/effects.tsx";
import { navigate } from "../router.tsx";

type Values = Readonly<Record<string, Json | undefined>>;

const START = `mutation Start($text: String, $arguments: JSON, $context: JSON) {
  startRun(text: $text, arguments: $arguments, context: $context) { id }
}`;

/** What the plan takes, what it will do, and the button that lets it. */
export function RunPanel({
  text,
  program,
  explanation,
}: {
  readonly text: string;
  readonly program: Program | undefined;
  readonly explanation: Explanation | undefined;
}) {
  const [args, setArgs] = useState<Values>({});
  const [context, setContext] = useState<Values>({});
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isStarting, setStarting] = useState(false);
  const fields = program?.blocks[0].signature?.arguments ?? [];
  const variables = [...(program?.context?.defined ?? []), ...(program?.context?.runtime ?? [])];
  const general = problems.filter((problem) => !fields.some(({ name }) => isAbout(problem, name)));
  const start = async (): Promise<void> => {
    setStarting(true);
    setProblems([]);
    try {
      const given = { text, arguments: without(args, fields), context: without(context, variables) };
      const { startRun } = await ask<{ startRun: { id: string } }>(START, given);
      navigate(`/runs/${encodeURIComponent(startRun.id)}`);
    } catch (error) {
      setProblems(complaintsOf(error));
    }
    setStarting(false);
  };
  return (
    <form
      className="form run-panel"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (program !== undefined) void start();
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.name}
          name={field.name}
          schema={schemaOfArgument(field)}
          isRequired={field.required && field.defaultValue === undefined}
          value={args[field.name]}
          onChange={(value) => setArgs((before) => ({ ...before, [field.name]: value }))}
          error={problems.find((problem) => isAbout(problem, field.name))}
        />
      ))}
      {variables.map((variable) => (
        <Field
          key={variable.name}
          name={`context.${variable.name}`}
          schema={schemaOfArgument({ typeName: variable.typeName, defaultValue: variable.default })}
          isRequired={false}
          value={context[variable.name]}
          onChange={(value) => setContext((before) => ({ ...before, [variable.name]: value }))}
        />
      ))}
      {program !== undefined && explanation !== undefined && <EffectsSummary effects={explanation} />}
      <div className="form-end">
        <Button kind="primary" type="submit" disabled={program === undefined || isStarting}>
          {isStarting ? "Starting…" : "Run"}
        </Button>
        {program === undefined && text.trim() !== "" && (
          <p className="field-about">A plan with errors does not run. Fix what is marked first.</p>
        )}
      </div>
      <div role="alert" className="field-error">
        {general.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
        {general.length < problems.length && <p>Nothing was started: look at what is marked above.</p>}
      </div>
    </form>
  );
}

function isAbout(problem: string, name: string): boolean {
  return problem.startsWith(`"${name}"`);
}

/** What was typed for a plan that asked for other things is left out. */
function without(values: Values, asked: readonly { readonly name: string }[]): Values {
  return Object.fromEntries(
    asked.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

/** The server's own words; of a plan that is wrong, everything that is. */
function complaintsOf(error: unknown): readonly string[] {
  const found =
    error instanceof ApiError && Array.isArray(error.diagnostics)
      ? (error.diagnostics as { message?: string }[])
      : [];
  const messages = found.flatMap(({ message }) =>
    message === undefined ? [] : [message.replace(/^Arguments of the plan: /, "")],
  );
  return messages.length > 0 ? messages : [messageOf(error)];
}
