import type { Json, JsonObject } from "../../../src/base/json.ts";
import { literalInActions, literalInSteps, mapStrings } from "../escape.ts";

/** A row of `executable.jsonl`; the grammar is in the corpus's README. */
export interface NestfulRow {
  readonly id: string;
  readonly plan: readonly { readonly name: string; readonly label: string; readonly arguments: JsonObject }[];
  readonly refs: number;
  readonly gold: Json;
  readonly gold_decimals?: number;
}

const REFERENCE = /^\$(\w+)\.(\w+)\$$/;

function nameOf(label: string): string {
  return label.slice(1);
}

/** Written backwards: in an action plan the order of the steps means nothing. */
export function toActions({ plan }: NestfulRow): Json {
  const steps = plan.map((step) => ({
    id: nameOf(step.label),
    tool: step.name,
    arguments: mapStrings(step.arguments, (text) => {
      const [, name, key] = REFERENCE.exec(text) ?? [];
      return name === undefined ? literalInActions(text) : `{{${name}.result.${key}}}`;
    }),
  }));
  return steps.toReversed();
}

export function toSteps({ id, plan }: NestfulRow): Json {
  const numbers = new Map(plan.map((step, i) => [nameOf(step.label), i]));
  return {
    requestId: id,
    steps: plan.map((step) => ({
      tool: step.name,
      params: mapStrings(step.arguments, (text) => {
        const [, name = "", key] = REFERENCE.exec(text) ?? [];
        const number = numbers.get(name);
        return number === undefined ? literalInSteps(text) : `\${step[${number}].data.${key}}`;
      }),
    })),
  };
}
