import { explain } from "../index.ts";
import { diagnosis, shown } from "./diagnosis.ts";
import type { PlanTool } from "./plan-tool.ts";
import { PLAN_SCHEMA, planOf } from "./run-plan.ts";

export const checkPlan: PlanTool = {
  name: "check_plan",
  title: "Check a plan",
  description:
    "Finds everything that is wrong with a plan for run_plan, and says what it would call, without running it.",
  inputSchema: { type: "object", properties: { plan: PLAN_SCHEMA }, required: ["plan"] },
  readOnly: true,
  destructive: false,
  call: async ({ args }, { engine, contextVariables }) => {
    const plan = planOf(args);
    const { program, diagnostics } = engine.compile(plan, {
      ...(contextVariables !== undefined && { contextVariables }),
    });
    if (program === undefined) return diagnosis(engine, plan, diagnostics);
    const { calls, callsMax, longestChain, questions, confirmations, sideEffects } = explain(program);
    return {
      ok: true,
      calls: Object.fromEntries(calls.map(({ name, callsMax: most }) => [name, most])),
      calls_max: callsMax,
      longest_chain: longestChain,
      questions: questions.map(({ name }) => name),
      confirmations,
      side_effects: sideEffects,
      ...(diagnostics.length > 0 && { warnings: diagnostics.map(shown) }),
    };
  },
};
