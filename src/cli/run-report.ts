/* What is said when a run has ended, or waits. */
import { widthOf } from "../compiler.ts";
import type { Json, QuestionRecord, RunResult } from "../index.ts";
import { EXIT, type ExitCode } from "./command.ts";
import type { Console } from "./console.ts";
import { formatDuration } from "./duration.ts";
import { statusPiece } from "./step-lines.ts";
import { renderLine, type StyledLine } from "./styled-line.ts";
import { cutLines, valueInline, valueLines } from "./value-text.ts";

const FINAL_LINES_MAX = 60;
/** Of output that is no terminal. */
const COLUMNS = 110;

export function exitCodeOf({ status }: RunResult): ExitCode {
  if (status === "completed") return EXIT.ok;
  if (status === "cancelled") return EXIT.cancelled;
  return status === "waiting" || status === "running" ? EXIT.waiting : EXIT.runFailed;
}

/** `✓ completed in 1.3 s · 12 steps · run_…` */
export function summaryLine(result: RunResult): StyledLine {
  const { id, status, startedAt, finishedAt, steps } = result;
  const time =
    finishedAt === undefined ? "" : ` in ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`;
  // An item of a fan-out is no step of its own.
  const count = Object.keys(steps).filter((step) => !step.endsWith("]")).length;
  return [statusPiece(status), time, ["dim", ` · ${count} step${count === 1 ? "" : "s"} · ${id}`]];
}

/** The response of an agent; of other plans, what their steps gave, the last ones in full. */
export function resultLines(
  result: RunResult,
  finalIds: readonly string[],
  { outScreen }: Console,
): string[] {
  if (result.response !== undefined) return responseLines(result.response);
  const lines: string[] = [];
  const done = Object.values(result.steps).filter(
    ({ id, status }) => status === "completed" && !/[.[]/.test(id),
  );
  for (const { id, result: value } of done) {
    if (value === null) continue;
    const isFinal = finalIds.includes(id);
    lines.push(...namedLines(id, value, isFinal, outScreen?.columns ?? COLUMNS));
  }
  return lines;
}

/** A response that is one long text is shown as that text. */
function responseLines(response: Json): string[] {
  const values = typeof response === "object" && response !== null ? Object.values(response) : [];
  const [only] = values;
  const isText = values.length === 1 && typeof only === "string" && only.includes("\n");
  return valueLines(isText ? only : response);
}

function namedLines(name: string, value: Json, isFinal: boolean, columns: number): string[] {
  const lines = valueLines(value);
  const isShort = lines.length === 1 && (typeof value !== "object" || lines[0]?.startsWith("["));
  if (!isFinal || isShort) return [`${name}  ${valueInline(value, columns - widthOf(name) - 3)}`];
  return [name, ...cutLines(lines, FINAL_LINES_MAX).map((line) => (line === "" ? "" : `  ${line}`))];
}

/** The error of the run, with the step that it came from. */
export function errorLine({ error, steps }: RunResult): StyledLine | undefined {
  if (error === undefined) return undefined;
  const culprits = Object.values(steps).filter((step) => step.error?.message === error.message);
  const culprit = culprits.at(-1);
  return [["red", `${error.name}: `], culprit === undefined ? "" : `${culprit.id}: `, error.message];
}

/** What a run waits for, and the command that answers each. */
export function questionLines(result: RunResult, storeOption: string): StyledLine[] {
  const questions = result.questions ?? [];
  const inputs = questions.filter(({ kind }) => kind === "input");
  const confirmations = questions.filter(({ kind }) => kind === "confirmation");
  const lines: StyledLine[] = [["The run waits for a person:"]];
  for (const question of questions)
    lines.push(["  ", ["bold", question.name], ["dim", aboutQuestion(question)]]);
  lines.push([""], ["Answer with:"]);
  if (inputs.length > 0) {
    const values = inputs.map(({ name }) => `${name}=…`).join(" ");
    lines.push([`  sequitur input ${result.id} ${values}${storeOption}`]);
  }
  for (const { name } of confirmations)
    lines.push([`  sequitur confirm ${result.id} ${shellWord(name)} yes${storeOption}`]);
  return lines;
}

function aboutQuestion({ kind, description, schema, stepIds }: QuestionRecord): string {
  if (kind === "confirmation") return `  ${description ?? "yes or no"}`;
  const type = typeNameOf(schema);
  const about = [description, type === "" ? undefined : `(${type})`, `for ${stepIds.join(", ")}`];
  return `  ${about.filter((part) => part !== undefined).join(" ")}`;
}

/** `string`, `one of "a", "b"`, `list`: what a schema asks for, in a word or two. */
export function typeNameOf(schema: Json | undefined): string {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return "";
  const { type, enum: allowed } = schema as { readonly type?: Json; readonly enum?: Json };
  if (Array.isArray(allowed)) return `one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`;
  const types = Array.isArray(type) ? type : [type];
  return types.filter((name) => typeof name === "string").join(" or ");
}

/** As it can stand in a shell: ids of items hold brackets. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function printLines(
  lines: readonly StyledLine[],
  print: (text: string) => void,
  color: boolean,
): void {
  for (const line of lines) print(renderLine(line, color));
}

export function printReport(
  result: RunResult,
  finalIds: readonly string[],
  { quiet, storeOption }: { readonly quiet: boolean; readonly storeOption: string },
  console: Console,
): void {
  const { status, id } = result;
  const isDone = status === "completed" || status === "partial_success";
  const lines = isDone ? resultLines(result, finalIds, console) : [];
  const error = errorLine(result);
  if (!quiet) {
    console.out("");
    console.out(renderLine(summaryLine(result), console.outColor));
    if (lines.length > 0) console.out("");
  }
  if (lines.length > 0) console.out(lines.join("\n"));
  if (error !== undefined) console.err(renderLine(error, console.errColor));
  if (status !== "completed" && !quiet) {
    console.err(`Go on from where it ended: sequitur resume ${id}${storeOption}`);
  }
}
