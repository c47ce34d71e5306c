/*
 * Plan tests: a plan, canned tools, and what is expected. They run on a simulated clock, so that a retry after ten seconds or a
 * tool that takes an hour costs nothing, and every run of a test is the same run.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SimulatedClock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import { canonicalJson, getOwn, isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { Tool } from "../tools/tool.ts";
import { cannedTool, mismatch, type SeenCall } from "./canned-tools.ts";
import { createEngine } from "./engine.ts";
import type { StartOptions } from "./options.ts";
import { PlanError } from "./plan-error.ts";
import type { RunResult } from "./result.ts";
import type { Run } from "./run.ts";

export interface PlanTestOptions {
  /** The folder from which a test names its plan. */
  readonly folder?: string;
  /** Tools that tests do not can. */
  readonly tools?: Readonly<Record<string, Tool>>;
  readonly agents?: Readonly<Record<string, Json>>;
}

export interface PlanTestResult {
  readonly name: string;
  readonly passed: boolean;
  /** What was not as expected. */
  readonly problems: readonly string[];
}

const FIELDS = [
  "name",
  "description",
  "plan",
  "arguments",
  "inputs",
  "confirmations",
  "context",
  "contextVariables",
  "mode",
  "dialect",
  "deadlineMs",
  "tools",
  "agents",
  "expect",
];
const EXPECTATIONS = [
  "status",
  "response",
  "execution",
  "steps",
  "context",
  "error",
  "questions",
  "calls",
  "diagnostics",
];
/** Far more than a test needs, and an end for one that waits for ever. */
const STEPS_MAX = 1_000_000;

/** Runs the tests of a `*.test.json` file, given by its path or as the list that it holds. */
export async function runPlanTests(
  tests: string | Json,
  options: PlanTestOptions = {},
): Promise<PlanTestResult[]> {
  if (typeof tests === "string") {
    return runPlanTests(readTests(tests), { ...options, folder: options.folder ?? dirname(tests) });
  }
  const list = isList(tests) ? tests : [tests];
  const results: PlanTestResult[] = [];
  for (const [i, test] of list.entries()) {
    const name = isObject(test) && typeof test.name === "string" ? test.name : `test ${i + 1}`;
    const problems = await runTest(test, options).catch((error: unknown) => [problemOf(error)]);
    results.push({ name, passed: problems.length === 0, problems });
  }
  return results;
}

function readTests(file: string): Json {
  const text = readText(file, `The tests "${file}"`);
  try {
    const tests = JSON.parse(text) as Json;
    if (typeof tests !== "string") return tests;
  } catch (cause) {
    throw new SequiturError(
      "INVALID_TEST",
      `The tests "${file}" are not JSON: ${(cause as Error).message}.`,
      { cause },
    );
  }
  throw new SequiturError("INVALID_TEST", `The tests "${file}" are not a list of tests.`);
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new SequiturError("INVALID_TEST", `${what} cannot be read.`, { cause });
  }
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function problemOf(error: unknown): string {
  if (error instanceof SequiturError) return error.message;
  throw error;
}

async function runTest(test: Json, options: PlanTestOptions): Promise<string[]> {
  const object = checkShape(test);
  const expect = object.expect as JsonObject;
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1));
  const seen: SeenCall[] = [];
  const tools: Record<string, Tool> = { ...options.tools };
  for (const [name, canned] of Object.entries(isObject(object.tools) ? object.tools : {})) {
    const real = tools[name];
    const run = cannedTool(name, canned, clock, seen);
    // A canned tool keeps the schemas of the tool it stands for, so that the plan is checked as it would be.
    tools[name] = typeof real === "object" ? { ...real, run } : run;
  }
  const agents = { ...options.agents, ...(isObject(object.agents) ? object.agents : {}) };
  const engine = await createEngine({ tools, agents, clock });
  const { plan } = object;
  const folder = options.folder ?? ".";
  const source =
    typeof plan === "string" ? readText(resolve(folder, plan), `The plan "${plan}"`) : (plan ?? null);
  // What a workflow names stands beside the workflow.
  const beside = typeof plan === "string" ? dirname(resolve(folder, plan)) : folder;
  try {
    const run = await engine.start(source, {
      ...startOptions(object),
      load: (path) => readOrNothing(resolve(beside, path)),
    });
    return compareResult(expect, await finish(run, clock, object.confirmations), seen);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return comparePlanError(expect, error);
  }
}

function checkShape(test: Json): JsonObject {
  if (!isObject(test)) throw new SequiturError("INVALID_TEST", "A test must be an object.");
  const unknown = Object.keys(test).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined)
    throw new SequiturError(
      "INVALID_TEST",
      `A test has no field "${unknown}" (it has ${FIELDS.join(", ")}).`,
    );
  if (test.plan === undefined) throw new SequiturError("INVALID_TEST", `The test names no "plan".`);
  if (!isObject(test.expect))
    throw new SequiturError("INVALID_TEST", `The test expects nothing: give it "expect": { … }.`);
  const other = Object.keys(test.expect).find((key) => !EXPECTATIONS.includes(key));
  if (other !== undefined) {
    throw new SequiturError(
      "INVALID_TEST",
      `"expect" has no field "${other}" (it has ${EXPECTATIONS.join(", ")}).`,
    );
  }
  return test;
}

function startOptions(test: JsonObject): StartOptions {
  const options: Record<string, Json> = {};
  for (const key of ["arguments", "inputs", "context", "contextVariables", "mode", "dialect", "deadlineMs"]) {
    const value = getOwn(test, key);
    if (value !== undefined) options[key] = value;
  }
  return options as StartOptions;
}

/** Lets everything happen that can, then moves the clock on, until the run ends or waits for a person. */
async function finish(run: Run, clock: SimulatedClock, confirmations: Json | undefined): Promise<RunResult> {
  for (let i = 0; i < STEPS_MAX; i++) {
    await setImmediate();
    if (await confirmOpen(run, confirmations)) continue;
    if (run.isOver || run.needsPerson) return run.snapshot();
    if (!clock.step()) await setImmediate();
  }
  return run.snapshot();
}

/** Says what the test says a person would say. */
async function confirmOpen(run: Run, confirmations: Json | undefined): Promise<boolean> {
  if (!isObject(confirmations)) return false;
  const open = (run.snapshot().questions ?? []).find(({ kind, name }) => {
    return kind === "confirmation" && typeof getOwn(confirmations, name) === "boolean";
  });
  if (open === undefined) return false;
  await run.confirm(open.name, getOwn(confirmations, open.name) === true);
  return true;
}

function compareResult(expect: JsonObject, result: RunResult, seen: readonly SeenCall[]): string[] {
  const problems: string[] = [];
  const actual = JSON.parse(JSON.stringify(result)) as JsonObject;
  for (const [key, expected] of Object.entries(expect)) {
    if (key === "calls") continue;
    const problem = mismatch(expected, getOwn(actual, key), key);
    if (problem !== undefined) problems.push(withCause(problem, key, result));
  }
  for (const [tool, expected] of Object.entries(isObject(expect.calls) ? expect.calls : {})) {
    const calls: Json = seen.filter((call) => call.tool === tool).map((call) => call.params);
    if (canonicalJson(calls) !== canonicalJson(expected)) {
      problems.push(`calls.${tool}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(calls)}`);
    }
  }
  return problems;
}

/** A run that failed unexpectedly says why. */
function withCause(problem: string, key: string, { error }: RunResult): string {
  return key === "status" && error !== undefined ? `${problem} (${error.message})` : problem;
}

function comparePlanError(expect: JsonObject, error: PlanError): string[] {
  const diagnostics = JSON.parse(JSON.stringify(error.diagnostics)) as Json;
  if (expect.diagnostics === undefined) {
    return error.diagnostics
      .filter((found) => found.severity === "error")
      .map((found) => `the plan is wrong: ${found.message}`);
  }
  const problem = mismatch(expect.diagnostics, diagnostics, "diagnostics");
  return problem === undefined ? [] : [problem];
}
