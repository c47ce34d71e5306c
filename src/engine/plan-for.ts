import { SequiturError } from "../base/error.ts";
import type { Json } from "../base/json.ts";
import type { DialectName } from "../ir/program.ts";
import { catalogueOf, selectTools } from "../planner/catalogue.ts";
import { type PlannedGoal, planGoal } from "../planner/plan-goal.ts";
import type { Check } from "../repair/choose.ts";
import type { ModelClient } from "../tools/core/core-agent.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { ToolError } from "../tools/tool.ts";

export interface PlanOptions {
  /** The language of the plan; action plans, if not given. */
  readonly dialect?: DialectName;
  /** A name from the engine's `models`, or what the default provider calls a model. */
  readonly model?: string;
  /** What the plan may call, by names (of tools, or paths of agents) or by a test; everything, if not given. */
  readonly mayUse?: readonly string[] | ((name: string) => boolean);
  /** How many tools the model is told of: those that have most to do with the goal. */
  readonly toolsMax?: number;
  /** How often the model is asked. */
  readonly roundsMax?: number;
  readonly signal?: AbortSignal;
}

const TOOLS_MAX = 24;
const ROUNDS_MAX = 4;

export async function planFor(
  goal: string,
  options: PlanOptions,
  known: { readonly tools: ToolRegistry; readonly agents: Readonly<Record<string, Json>> },
  models: ModelClient,
  check: Check,
): Promise<PlannedGoal> {
  const { dialect = "actions", model, mayUse, toolsMax = TOOLS_MAX, roundsMax = ROUNDS_MAX } = options;
  if (typeof goal !== "string" || goal.trim() === "")
    throw new SequiturError("INVALID_OPTION", "A goal is a text that says what is to be done.");
  const may = typeof mayUse === "function" ? mayUse : (name: string) => mayUse?.includes(name) ?? true;
  const all = catalogueOf(dialect, known.tools, known.agents);
  const selection = selectTools(goal, all, may, toolsMax);
  const signal = options.signal ?? new AbortController().signal;
  return planGoal({ goal, dialect, selection, model, roundsMax, signal }, models, check).catch(asOurs);
}

/** No step has failed here: there is none yet. */
function asOurs(error: unknown): never {
  throw error instanceof ToolError ? new SequiturError(error.code, error.message) : error;
}
