/* Asks a person on the terminal: one question after the other, each answer checked before the next one. */
import { type Json, type JsonObject, type QuestionRecord, type Run, SequiturError } from "../index.ts";
import type { Screen } from "./console.ts";
import { readValue } from "./key-values.ts";
import { LineReader } from "./line-reader.ts";
import { typeNameOf } from "./run-report.ts";
import { type Piece, renderLine } from "./styled-line.ts";

/** False where the person went away before everything was answered. */
export async function askQuestions(
  run: Run,
  questions: readonly QuestionRecord[],
  screen: Screen,
  onInterrupt: () => void,
): Promise<boolean> {
  const form = new Form(run, screen, new LineReader(screen, onInterrupt));
  try {
    const inputs = questions.filter(({ kind }) => kind === "input");
    if (inputs.length > 1) form.say(["bold", `The plan has ${inputs.length} questions.`]);
    for (const question of [...inputs, ...questions.filter(({ kind }) => kind === "confirmation")]) {
      if (!(await form.ask(question))) return false;
    }
    return true;
  } finally {
    form.close();
  }
}

class Form {
  readonly #run: Run;
  readonly #screen: Screen;
  readonly #reader: LineReader;

  constructor(run: Run, screen: Screen, reader: LineReader) {
    this.#run = run;
    this.#screen = screen;
    this.#reader = reader;
  }

  say(...line: Piece[]): void {
    this.#screen.write(`${renderLine(line, this.#screen.color)}\n`);
  }

  close(): void {
    this.#reader.close();
  }

  /** Asks until the answer is one. */
  async ask(question: QuestionRecord): Promise<boolean> {
    this.#introduce(question);
    for (;;) {
      const line = await this.#reader.ask(this.#promptOf(question));
      if (line === undefined) return false;
      const problem = await this.#answer(question, line.trim());
      if (problem === undefined) return true;
      this.say(["red", `  ${problem}`]);
    }
  }

  #introduce({ kind, name, description, schema, stepIds }: QuestionRecord): void {
    if (kind === "confirmation") {
      this.say(["yellow", "? "], ["bold", description ?? `May "${name}" run?`], ["dim", `  ${name}`]);
      const args = this.#run.snapshot().steps[name]?.arguments ?? null;
      if (args !== null) this.say(["dim", `  ${JSON.stringify(args)}`]);
      return;
    }
    const type = typeNameOf(schema);
    const about = [type, `for ${stepIds.join(", ")}`].filter((part) => part !== "").join(", ");
    this.say(["yellow", "? "], ["bold", description ?? name], ["dim", `  ${about}`]);
  }

  #promptOf({ kind, name, schema }: QuestionRecord): string {
    const isYesOrNo = kind === "confirmation" || singleType(schema) === "boolean";
    return renderLine(["  ", isYesOrNo ? "y/n" : name, " › "], false).concat(" ");
  }

  /** What is wrong with the answer, or undefined. */
  async #answer(question: QuestionRecord, text: string): Promise<string | undefined> {
    if (text === "") return "An answer is needed. Ctrl-D leaves the run waiting, Ctrl-C cancels it.";
    const answer = readAnswer(question, text);
    if ("problem" in answer) return answer.problem;
    try {
      if (question.kind === "confirmation") await this.#run.confirm(question.name, answer.value === true);
      else await this.#run.provideInputs({ [question.name]: answer.value });
      return undefined;
    } catch (error) {
      if (error instanceof SequiturError && error.code === "INVALID_INPUT") return error.message;
      throw error;
    }
  }
}

type Answer = { readonly value: Json } | { readonly problem: string };

/** What was typed, as the schema wants it: text stays text where text is asked for. */
export function readAnswer({ kind, schema }: Pick<QuestionRecord, "kind" | "schema">, text: string): Answer {
  const type = kind === "confirmation" ? "boolean" : singleType(schema);
  const choices = kind === "input" ? choicesOf(schema) : undefined;
  if (choices !== undefined) {
    const chosen = choices.find((choice) => choice === text || JSON.stringify(choice) === text);
    return chosen === undefined ? { problem: `It is ${typeNameOf(schema)}.` } : { value: chosen };
  }
  switch (type) {
    case "string":
      return { value: text };
    case "boolean": {
      if (/^(y|yes|true)$/i.test(text)) return { value: true };
      return /^(n|no|false)$/i.test(text) ? { value: false } : { problem: "Please answer y or n." };
    }
    case "number":
    case "integer": {
      const number = Number(text);
      return Number.isFinite(number)
        ? { value: number }
        : { problem: "A number is needed, such as 5 or 2.5." };
    }
    case "array":
    case "object": {
      const value = readValue(text);
      if (typeof value === "object") return { value };
      const example = type === "array" ? `["a", "b"]` : `{"name": "value"}`;
      return { problem: `JSON is needed, such as ${example}.` };
    }
    default:
      return { value: readValue(text) };
  }
}

function singleType(schema: Json | undefined): string | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return undefined;
  const { type } = schema as JsonObject;
  return typeof type === "string" ? type : undefined;
}

function choicesOf(schema: Json | undefined): readonly Json[] | undefined {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return undefined;
  const { enum: allowed } = schema as JsonObject;
  return Array.isArray(allowed) ? (allowed as readonly Json[]) : undefined;
}
