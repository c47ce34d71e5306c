import { type Json, type JsonObject, PlanError } from "../index.ts";
import { diagnosis } from "./diagnosis.ts";
import { follow, WAIT_MS, WAIT_MS_MAX } from "./follow.ts";
import { catalogue } from "./list-tools.ts";
import { LANGUAGE } from "./plan-language.ts";
import {
  CallError,
  type Exchange,
  isRecord,
  numberArgument,
  objectArgument,
  type PlanTool,
  type Workplace,
} from "./plan-tool.ts";
import { runAnswer } from "./run-answer.ts";

/** Some models write JSON as text: both are taken. */
export const PLAN_SCHEMA: JsonObject = {
  type: ["object", "array", "string"],
};

const WAIT_SCHEMA: JsonObject = {
  type: "number",
  description: `how long to wait for its end; ${WAIT_MS} unless given`,
};

export const runPlan: PlanTool = {
  name: "run_plan",
  title: "Run a plan",
  description: ({ engine }) =>
    [
      'Runs a plan of many tool calls and gives what its last steps gave, or the steps in "return". Large values are cut; get_run gives the rest.',
      LANGUAGE,
      catalogue(engine),
    ].join("\n"),
  inputSchema: {
    type: "object",
    properties: {
      plan: PLAN_SCHEMA,
      inputs: { type: "object", description: "answers to {{PLACEHOLDER_…}}, by name" },
      arguments: { type: "object", description: "arguments of an agent's plan" },
      return: {
        type: "array",
        items: { type: "string" },
        description: "ids of the steps whose results come back",
      },
      wait_ms: WAIT_SCHEMA,
    },
    required: ["plan"],
  },
  readOnly: false,
  destructive: true,
  call: (exchange, workplace) => startAndFollow(planOf(exchange.args), exchange, workplace),
};

export function planOf({ plan }: JsonObject): string | Json {
  if (typeof plan === "string" || Array.isArray(plan) || isRecord(plan)) return plan as string | Json;
  throw new CallError('"plan" is missing: give an object { "plan": [ … ] }, or its JSON text.');
}

export async function startAndFollow(
  plan: string | Json,
  exchange: Exchange,
  { engine, fileToken, contextVariables }: Workplace,
): Promise<JsonObject> {
  const { args } = exchange;
  const waitMs = numberArgument(args, "wait_ms", WAIT_MS, WAIT_MS_MAX);
  const wanted = Array.isArray(args.return) ? (args.return as readonly Json[]).map(String) : [];
  const token = await fileToken();
  try {
    const run = await engine.start(plan, {
      arguments: objectArgument(args, "arguments"),
      inputs: objectArgument(args, "inputs"),
      metadata: { caller: "mcp" },
      ...(token !== undefined && { fileToken: token }),
      ...(contextVariables !== undefined && { contextVariables }),
    });
    return await runAnswer(engine, await follow(run, exchange, waitMs), wanted);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return diagnosis(engine, plan, error.diagnostics);
  }
}
