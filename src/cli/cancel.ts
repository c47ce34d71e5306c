import { SequiturError } from "../index.ts";
import { RESTATE } from "./cluster.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { JSON_RESULT } from "./follow-run.ts";
import { engineForRun } from "./open-engine.ts";
import { findRun } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { summaryLine } from "./run-report.ts";
import { renderLine } from "./styled-line.ts";

export const command: Command = {
  operands: "RUN",
  about: [
    "Cancels a run that waits, or whose process is gone. A run that another process is carrying out is cancelled there, with",
    "Ctrl-C. Exit code 0: it is cancelled now.",
  ].join("\n"),
  options: [
    { name: "reason", kind: "value", value: "TEXT", about: "why; recorded with the run" },
    JSON_RESULT,
    DB,
    RESTATE,
    TOOLS,
  ],
  run: cancel,
};

async function cancel(parsed: Parsed, console: Console): Promise<ExitCode> {
  const { store, record } = await findRun(parsed, console);
  const { id, status } = record;
  if (status !== "running" && status !== "waiting")
    throw new UsageError(`The run ${id} has ended (${status}).`);
  const { engine } = await engineForRun(store, id, parsed, console, false);
  try {
    const reason = parsed.value("reason") ?? "Cancelled by sequitur cancel.";
    const result = await engine.cancel(id, reason).catch((error: unknown) => {
      if (!(error instanceof SequiturError) || error.code !== "RUN_TAKEN") throw error;
      throw new UsageError(`${error.message} Cancel it there: Ctrl-C, or the server that has it.`);
    });
    if (parsed.flag("json")) console.out(JSON.stringify(result, null, 2));
    else console.out(renderLine(summaryLine(result), console.outColor));
    return EXIT.ok;
  } finally {
    await engine.close();
  }
}
