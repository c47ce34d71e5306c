import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type CompileResult, compile, type Diagnostic, nearest } from "../compiler.ts";
import type { Console } from "./console.ts";
import { compileOptions, type Environment } from "./environment.ts";
import { isFolder } from "./named-files.ts";

/** A plan to work on. `file` is undefined for standard input. */
export interface PlanFile {
  /** As it is shown. */
  readonly name: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** A document that takes part in a compilation, by the name under which diagnostics speak of it. */
export interface PlanDocument {
  readonly file: string | undefined;
  readonly text: string;
  readonly role: "plan" | "agent" | "context";
}

export interface CompiledPlan extends CompileResult {
  readonly documents: ReadonlyMap<string | undefined, PlanDocument>;
}

/** The names of plans, so that a folder can be looked through for them. */
const PLAN_NAME = /\.(agent|agent\.json|plan\.json|workflow\.json)$/;

/** Reads a plan, or says why it cannot be read. */
export async function readPlan(operand: string, console: Console): Promise<PlanFile | string> {
  if (operand === "-") return { name: "<stdin>", file: undefined, text: await console.readStdin() };
  const file = resolve(console.folder, operand);
  try {
    return { name: operand, file, text: readFileSync(file, "utf8") };
  } catch (error) {
    return explainUnreadable(operand, file, error as NodeJS.ErrnoException);
  }
}

function explainUnreadable(operand: string, file: string, error: NodeJS.ErrnoException): string {
  if (error.code === "EISDIR") return `${operand} is a folder; name a file in it.`;
  if (error.code !== "ENOENT") return `${operand} cannot be read: ${error.message}`;
  const near = nearest(basename(file), namesIn(dirname(file)));
  const instead = near === undefined ? "" : ` Did you mean ${join(dirname(operand), near)}?`;
  return `There is no file ${operand}.${instead}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The plans below a folder; undefined for what is no folder. */
export function plansBelow(operand: string, console: Console): string[] | undefined {
  const folder = resolve(console.folder, operand);
  if (operand === "-" || !isFolder(folder)) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const isHidden = (name: string) =>
    name.split(/[\\/]/).some((part) => part.startsWith(".") || part === "node_modules");
  return names
    .filter((name) => PLAN_NAME.test(name) && !isHidden(name))
    .sort()
    .map((name) => join(operand, name));
}

/** What no file is called, so that nothing is taken for the plan itself. */
const PLAN_KEY = "\u0000plan";

/** Compiles a plan in its surroundings. Diagnostics name files as a user would: relative to the current folder. */
export function compilePlan(plan: PlanFile, environment: Environment, folder: string): CompiledPlan {
  const documents = new Map<string | undefined, PlanDocument>();
  const names = new Map<string | undefined, string>();
  const add = (key: string, file: string, text: string, role: PlanDocument["role"]): void => {
    const name = shownName(file, folder);
    names.set(key, name);
    // An agent may be called without the slash.
    if (role === "agent") names.set(key.slice(1), name);
    documents.set(name, { file, text, role });
  };
  for (const [path, file] of environment.agentFiles)
    add(path, file, environment.agents?.[path] ?? "", "agent");
  const { context } = environment.config;
  if (context !== undefined)
    add("context_variables.json", context, environment.contextVariables ?? "", "context");
  const load = (path: string): string | undefined => {
    const text = readBeside(plan, path, folder);
    if (text !== undefined) add(path, fileBeside(plan, path, folder), text, "plan");
    return text;
  };
  names.set(PLAN_KEY, plan.name);
  documents.set(plan.name, { file: plan.file, text: plan.text, role: "plan" });
  const result = compile(plan.text, { ...compileOptions(environment), file: PLAN_KEY, load });
  const diagnostics = result.diagnostics.map((diagnostic): Diagnostic => {
    return { ...diagnostic, file: names.get(diagnostic.file) ?? diagnostic.file ?? plan.name };
  });
  return { ...result, diagnostics, documents };
}

function shownName(file: string, folder: string): string {
  const name = relative(folder, file);
  return name.startsWith("..") ? file : name;
}

function fileBeside(plan: PlanFile, path: string, folder: string): string {
  return resolve(plan.file === undefined ? folder : dirname(plan.file), path);
}

/** A file that a plan names, by a path from the plan's own folder; undefined where it cannot be read. */
export function readBeside(plan: PlanFile, path: string, folder: string): string | undefined {
  try {
    return readFileSync(fileBeside(plan, path, folder), "utf8");
  } catch {
    return undefined;
  }
}
