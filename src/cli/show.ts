import { nearest } from "../compiler.ts";
import type { RunRecord } from "../drivers/driver.ts";
import type { RunResult, StepRecord } from "../index.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { formatDuration } from "./duration.ts";
import { followOptions } from "./follow-run.ts";
import { engineForRun } from "./open-engine.ts";
import { findRun } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { errorLine, questionLines, resultLines } from "./run-report.ts";
import { nameWidthOf, rowLine, statusPiece } from "./step-lines.ts";
import { countsOf, recordedRows } from "./step-rows.ts";
import { renderLine, type StyledLine } from "./styled-line.ts";
import { valueLines } from "./value-text.ts";

export const command: Command = {
  operands: "RUN [STEP]",
  about: [
    "Shows a run as it stands: its steps with their times, attempts, errors and reasons, what it asks and how to answer, and",
    "what it gave. With a step, that step's arguments and result. The beginning of a run's id is enough.",
  ].join("\n"),
  options: [
    { name: "json", kind: "flag", about: "print the run's result and nothing else on standard output" },
    DB,
    TOOLS,
  ],
  run: show,
};

async function show(parsed: Parsed, console: Console): Promise<ExitCode> {
  const { store, record } = await findRun(parsed, console);
  const { engine } = await engineForRun(store, record.id, parsed, console, false);
  const isLeft = record.status === "running" && store.driver.orphans().includes(record.id);
  const result = await engine.get(record.id);
  if (result === undefined) throw new UsageError(`The run ${record.id} has no journal.`);
  const [, stepId] = parsed.operands;
  const step = stepId === undefined ? undefined : stepOf(result, stepId);
  if (parsed.flag("json")) console.out(JSON.stringify(step ?? result, null, 2));
  else {
    const lines = step === undefined ? runLines(record, result, isLeft, parsed, console) : stepLines(step);
    console.out(lines.map((line) => renderLine(line, console.outColor)).join("\n"));
  }
  await engine.close();
  return EXIT.ok;
}

function stepOf({ id, steps }: RunResult, stepId: string): StepRecord {
  const step = Object.hasOwn(steps, stepId) ? steps[stepId] : undefined;
  if (step !== undefined) return step;
  const near = nearest(stepId, Object.keys(steps).slice(0, 10_000));
  throw new UsageError(
    `The run ${id} has no step "${stepId}".${near === undefined ? "" : ` Did you mean ${near}?`}`,
  );
}

function runLines(
  record: RunRecord,
  result: RunResult,
  isLeft: boolean,
  parsed: Parsed,
  console: Console,
): StyledLine[] {
  const { id, status, startedAt, finishedAt } = result;
  const took =
    finishedAt === undefined
      ? ""
      : `, took ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}`;
  const rows = recordedRows(result);
  const nowMs = Date.now();
  const layout = { nowMs, tick: 0, nameWidth: nameWidthOf(rows, console.outScreen?.columns ?? 120) };
  const { storeOption } = followOptions(parsed, nowMs);
  const lines: StyledLine[] = [
    [["bold", record.name ?? record.dialect], "  ", statusPiece(status), ["dim", `  ${id}`]],
    [["dim", `started ${startedAt}${took}`]],
    [["dim", countsOf(result)]],
    [],
    ...rows.map((row) => rowLine(row, layout)),
  ];
  const results = resultLines(
    result,
    rows.filter(({ depth }) => depth === 0).map(({ step }) => step.id),
    console,
  );
  const error = errorLine(result);
  if (error !== undefined) lines.push([], error);
  if (results.length > 0) lines.push([], ...results.map((line): StyledLine => [line]));
  if ((result.questions ?? []).length > 0) lines.push([], ...questionLines(result, storeOption));
  if (isLeft)
    lines.push([], [["yellow", "Its process is gone."], ` Go on with: sequitur resume ${id}${storeOption}`]);
  return lines;
}

function stepLines({
  id,
  status,
  arguments: args,
  result,
  error,
  reason,
  attempts,
}: StepRecord): StyledLine[] {
  const lines: StyledLine[] = [
    [["bold", id], "  ", statusPiece(status), ["dim", attempts > 1 ? `  ${attempts} attempts` : ""]],
  ];
  const add = (title: string, texts: readonly string[]): void => {
    lines.push([], [["dim", title]], ...texts.map((text): StyledLine => [`  ${text}`]));
  };
  if (reason !== undefined) add("reason", [reason]);
  if (error !== undefined) add("error", [`${error.name} (${error.code}): ${error.message}`]);
  if (args !== null) add("arguments", valueLines(args));
  if (status === "completed") add("result", valueLines(result));
  return lines;
}
