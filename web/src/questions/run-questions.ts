import type { Explanation, Json, Outline } from "../../../src/compiler.ts";
import { ask } from "../data/graphql.ts";

export interface Question {
  readonly name: string;
  readonly kind: "input" | "confirmation";
  readonly stepIds: readonly string[];
  readonly schema: Json | null;
  readonly description: string | null;
}

export const QUESTIONS = `query Questions($id: ID!) {
  run(id: $id) { id status dialect source questions { name kind stepIds schema description } }
}`;

/** What a step that waits for a yes is called with, as the plan says it: it is worked out when the step starts. */
export const OUTLINE = "query Outline($id: ID!) { run(id: $id) { outline } }";

export interface AskedOutline {
  readonly run: { readonly outline: Outline } | null;
}

export interface Asked {
  readonly run: {
    readonly status: string;
    readonly dialect: string;
    readonly source: Json;
    readonly questions: readonly Question[];
  } | null;
}

export const EXPLAIN = `query Explain($source: JSON, $text: String, $dialect: Dialect) {
  explainPlan(source: $source, text: $text, dialect: $dialect) {
    calls { kind name callsMax unbounded stepIds } questions { name } confirmations sideEffects
  }
}`;

export interface Explained {
  readonly explainPlan: Pick<Explanation, "calls" | "confirmations" | "sideEffects"> & {
    readonly questions: readonly { readonly name: string }[];
  };
}

export type Answers = Readonly<Record<string, Json | undefined>>;

/** Sends all answers; what the server has against one of them is given back under its name. */
export async function sendAnswers(
  runId: string,
  questions: readonly Question[],
  answers: Answers,
): Promise<Readonly<Record<string, string>>> {
  const given = questions.filter(({ name }) => answers[name] !== undefined);
  const inputs = given.filter(({ kind }) => kind === "input");
  try {
    if (inputs.length > 0) {
      const values = Object.fromEntries(inputs.map(({ name }) => [name, answers[name]]));
      await ask(
        "mutation Answer($id: ID!, $inputs: JSON!) { provideInputs(id: $id, inputs: $inputs) { id } }",
        {
          id: runId,
          inputs: values,
        },
      );
    }
    for (const { name, kind } of given) {
      if (kind !== "confirmation") continue;
      const variables = { id: runId, step: name, yes: answers[name] };
      await ask(
        "mutation Confirm($id: ID!, $step: String!, $yes: Boolean!) { confirmStep(id: $id, stepId: $step, yes: $yes) { id } }",
        variables,
      );
    }
    return {};
  } catch (error) {
    return complaint(error, questions);
  }
}

/** The server has a line for each answer that is none, and each begins with its name. */
function complaint(error: unknown, questions: readonly Question[]): Readonly<Record<string, string>> {
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split("\n").map((line): [string, string] => {
    const about = questions.find(({ name }) => line.startsWith(`"${name}"`));
    return about === undefined
      ? ["", line]
      : [about.name, line.slice(about.name.length + 2).replace(/^:? /, "")];
  });
  return Object.fromEntries(lines);
}
