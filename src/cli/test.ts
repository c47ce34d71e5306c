import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type PlanTestResult, runPlanTests, SequiturError, type Tool } from "../index.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { formatDuration } from "./duration.ts";
import { type Environment, loadEnvironment } from "./environment.ts";
import type { Parsed } from "./options.ts";
import { readPlan } from "./plan-file.ts";
import { renderLine, type StyledLine } from "./styled-line.ts";

export const command: Command = {
  operands: "[FILE…]",
  about: [
    "Runs plan tests: plans with canned tools, on a simulated clock, so that nothing is called and nobody waits. A folder stands",
    "for the *.test.json below it; without a file, the current folder does. Exit code 0: all passed; 1: not all.",
  ].join("\n"),
  options: [
    { name: "json", kind: "flag", about: "print { ok, tests } and nothing else on standard output" },
    TOOLS,
    AGENTS,
  ],
  run: test,
};

interface FileResult {
  readonly file: string;
  readonly tests: readonly PlanTestResult[];
}

async function test(parsed: Parsed, console: Console): Promise<ExitCode> {
  const environment = await loadEnvironment(parsed, console, { call: false });
  const operands = parsed.operands.length === 0 ? ["."] : parsed.operands;
  const files = [...new Set((await Promise.all(operands.map((one) => testsBelow(one, console)))).flat())];
  if (files.length === 0)
    throw new UsageError(`There are no tests (*.test.json) below ${operands.join(", ")}.`);
  const started = performance.now();
  const results: FileResult[] = [];
  for (const file of files) {
    const result = { file, tests: await runFile(resolve(console.folder, file), environment) };
    results.push(result);
    if (!parsed.flag("json")) showFile(result, console);
  }
  const tests = results.flatMap((result) => result.tests);
  const failed = tests.filter(({ passed }) => !passed).length;
  if (parsed.flag("json")) {
    const list = results.flatMap((result) => result.tests.map((one) => ({ file: result.file, ...one })));
    console.out(JSON.stringify({ ok: failed === 0, tests: list }, null, 2));
  } else {
    console.out(renderLine(summary(tests.length, failed, performance.now() - started), console.outColor));
  }
  return failed === 0 ? EXIT.ok : EXIT.planIsWrong;
}

async function testsBelow(operand: string, console: Console): Promise<string[]> {
  const path = resolve(console.folder, operand);
  if ((await stat(path).catch(() => undefined))?.isDirectory() === true) {
    const names = await readdir(path, { recursive: true });
    const isHidden = (name: string) => /(^|[\\/])(\.|node_modules([\\/]|$))/.test(name);
    return names
      .filter((name) => name.endsWith(".test.json") && !isHidden(name))
      .sort()
      .map((name) => join(operand, name));
  }
  const file = await readPlan(operand, console);
  if (typeof file === "string") throw new UsageError(file);
  return [operand];
}

/** A file that holds no tests is one test that failed. */
async function runFile(file: string, { tools, agents }: Environment): Promise<readonly PlanTestResult[]> {
  const options = {
    ...(tools && { tools: tools as Readonly<Record<string, Tool>> }),
    ...(agents && { agents }),
  };
  return runPlanTests(file, options).catch((error: unknown) => {
    if (!(error instanceof SequiturError)) throw error;
    return [{ name: "the file", passed: false, problems: [error.message] }];
  });
}

function showFile({ file, tests }: FileResult, console: Console): void {
  const lines: StyledLine[] = [[["bold", file]]];
  for (const { name, passed, problems } of tests) {
    lines.push(passed ? ["  ", ["green", "✓"], ` ${name}`] : ["  ", ["red", "✗"], ` ${name}`]);
    for (const problem of problems) lines.push(["      ", ["red", problem]]);
  }
  lines.push([]);
  console.out(lines.map((line) => renderLine(line, console.outColor)).join("\n"));
}

function summary(count: number, failed: number, ms: number): StyledLine {
  const tests = `${count} test${count === 1 ? "" : "s"}`;
  const outcome: StyledLine =
    failed === 0 ? [["green", `${tests} passed`]] : [`${tests}, `, ["red", `${failed} failed`]];
  return [...outcome, ["dim", ` in ${formatDuration(ms)}`]];
}
