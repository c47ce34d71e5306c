import { type Command, EXIT, type ExitCode } from "./command.ts";
import { DB, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { engineForRun } from "./open-engine.ts";
import { findRun } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { renderLine } from "./styled-line.ts";

export const command: Command = {
  operands: "RUN",
  about: [
    "Folds a run's journal again, twice, and verifies that both folds give the same commands, that every recorded answer was",
    "asked for, and that it ends as it ended. Nothing is called. Exit code 0: it does; 3: it does not.",
  ].join("\n"),
  options: [
    { name: "json", kind: "flag", about: "print the report and nothing else on standard output" },
    DB,
    TOOLS,
  ],
  run: replay,
};

async function replay(parsed: Parsed, console: Console): Promise<ExitCode> {
  const { store, record } = await findRun(parsed, console);
  const { engine } = await engineForRun(store, record.id, parsed, console, false);
  const report = await engine.replay(record.id);
  await engine.close();
  const { events, commands, problems, folded } = report;
  const ok = problems.length === 0;
  if (parsed.flag("json")) console.out(JSON.stringify({ ok, id: record.id, ...report }, null, 2));
  else if (ok) {
    const counts = `${events} events give the same ${commands} commands, and the same end: ${folded}`;
    console.out(renderLine([["green", "✓"], ` ${counts}`, ["dim", `  ${record.id}`]], console.outColor));
  } else {
    for (const problem of problems) console.err(renderLine([["red", "✗"], ` ${problem}`], console.errColor));
  }
  return ok ? EXIT.ok : EXIT.runFailed;
}
