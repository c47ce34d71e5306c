import type { Json, JsonObject } from "../../src/base/json.ts";

/** A row of `executable.jsonl`; the grammar is in the corpus's README. */
export interface MathqaRow {
  readonly id: string;
  readonly inputs: Readonly<Record<string, number>>;
  readonly steps: readonly { readonly id: string; readonly op: string; readonly args: readonly string[] }[];
  readonly option_value: number;
  readonly option_tolerance: number;
  readonly result: number;
}

/** Written backwards: in an action plan the order of the steps means nothing. */
export function toActions(row: MathqaRow): Json {
  const steps = row.steps.map(({ id, op, args }) => ({
    id: `s${id.slice(1)}`,
    tool: op,
    arguments: argumentsOf(row, args, (number) => `{{s${number}.result}}`),
  }));
  return steps.toReversed();
}

export function toSteps(row: MathqaRow): Json {
  return {
    requestId: row.id,
    steps: row.steps.map(({ op, args }) => ({
      tool: op,
      params: argumentsOf(row, args, (number) => `\${step[${number}].data}`),
    })),
  };
}

function argumentsOf(
  row: MathqaRow,
  args: readonly string[],
  reference: (number: string) => string,
): JsonObject {
  const named = args.map((arg, i): [string, Json] => ["abc".charAt(i), argumentOf(row, arg, reference)]);
  return Object.fromEntries(named);
}

function argumentOf(row: MathqaRow, arg: string, reference: (number: string) => string): Json {
  if (arg.startsWith("#")) return reference(arg.slice(1));
  if (arg === "const_pi") return Math.PI;
  if (arg.startsWith("const_")) return Number(arg.slice("const_".length).replace("_", "."));
  const input = row.inputs[arg];
  if (input === undefined) throw new Error(`${row.id}: ${arg} is not an input`);
  return input;
}
