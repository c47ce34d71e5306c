import { randomUUID } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Diagnostic, repair } from "../compiler.ts";
import type { Environment } from "./environment.ts";
import { compilePlan, type PlanDocument, type PlanFile } from "./plan-file.ts";

/** A repair can bring the next problem to light; after so many rounds what is left is left. */
const ROUNDS_MAX = 5;

export interface Fixed {
  readonly plan: PlanFile;
  readonly environment: Environment;
  /** How many problems were repaired, by the name of the file. */
  readonly repaired: ReadonlyMap<string, number>;
}

/** Repairs a plan and the files it uses, on the disk, until there is nothing left that needs no thinking. */
export async function fixPlan(plan: PlanFile, environment: Environment, folder: string): Promise<Fixed> {
  const repaired = new Map<string, number>();
  let state = { plan, environment };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { diagnostics, documents } = compilePlan(state.plan, state.environment, folder);
    const before = state;
    for (const [name, group] of Map.groupBy(diagnostics, (diagnostic: Diagnostic) => diagnostic.file)) {
      const document = documents.get(name);
      if (document === undefined) continue;
      const { text, applied } = repair(document.text, group);
      if (text === document.text) continue;
      if (document.file !== undefined) await replaceFile(document.file, text);
      repaired.set(name ?? "", (repaired.get(name ?? "") ?? 0) + applied);
      state = withText(state, document, text);
    }
    if (state === before) break;
  }
  return { ...state, repaired };
}

interface State {
  readonly plan: PlanFile;
  readonly environment: Environment;
}

/** The next round sees what this one wrote. A plan that a workflow names is read again anyway. */
function withText({ plan, environment }: State, document: PlanDocument, text: string): State {
  const { file, role } = document;
  const path = [...environment.agentFiles].find(([, agentFile]) => agentFile === file)?.[0];
  const agents = path === undefined ? environment.agents : { ...environment.agents, [path]: text };
  const contextVariables = role === "context" ? text : environment.contextVariables;
  const isPlan = role === "plan" && file === plan.file;
  return {
    plan: isPlan ? { ...plan, text } : { ...plan },
    environment: { ...environment, agents, contextVariables },
  };
}

/** All of the new text or all of the old, whatever happens on the way. A link stays a link. */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await realpath(file);
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  const { mode } = await stat(target);
  try {
    await writeFile(draft, text, { mode, flag: "wx" });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
