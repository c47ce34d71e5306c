/*
 * How often a model is asked for a plan with a mistake that cannot be mended without it. The scripted model stands for one that reads:
 * its first answer has the mistake, and each next one mends those steps, and only those, that it was told of.
 */
import { isList, type Json, type JsonObject } from "../../src/base/json.ts";
import { compile } from "../../src/compiler.ts";
import { planGoal } from "../../src/planner/plan-goal.ts";
import type { ModelClient } from "../../src/tools/core/core-agent.ts";
import type { WrittenPlan } from "./write-plan.ts";

const ROUNDS_MAX = 4;

/** Undefined where there is no plan even then. */
export async function roundsFor(broken: WrittenPlan, original: Json): Promise<number | undefined> {
  const { tools, agents } = broken.options;
  const names = Object.keys((broken.language === "agent" ? agents : tools) ?? {});
  const entries = names.map((name) => ({ name, description: "", takes: "unknown", gives: "unknown" }));
  const planned = await planGoal(
    {
      goal: "The plan of the corpus",
      dialect: broken.language,
      selection: { entries, leftOut: [] },
      model: undefined,
      roundsMax: ROUNDS_MAX,
      signal: new AbortController().signal,
    },
    reader(broken.plan, original),
    (text) => compile(text, { ...broken.options, choices: true }),
  );
  return planned.ok ? planned.rounds.length : undefined;
}

function reader(broken: Json, original: Json): ModelClient {
  const use = { model: "scripted", inputTokens: 0, outputTokens: 0 };
  return {
    chat: async ({ messages }) => {
      const [last, before] = [messages.at(-1), messages.at(-2)];
      const isFirst = before?.role !== "assistant";
      const text = isFirst
        ? JSON.stringify(broken)
        : corrected(String(before.content), String(last?.content), original);
      return { text, finish: "stop", use };
    },
    embed: () => Promise.reject(new Error("No embeddings here.")),
  };
}

function corrected(text: string, told: string, original: Json): string {
  const plan = JSON.parse(text) as Json;
  const steps = [...stepsOf(plan)];
  for (const [, number] of told.matchAll(/At (?:\/steps|\/instructions)?\/(\d+)/g)) {
    const right = stepsOf(original)[Number(number)];
    if (right !== undefined) steps[Number(number)] = right;
  }
  if (isList(plan)) return JSON.stringify(steps);
  const key = "steps" in (plan as JsonObject) ? "steps" : "instructions";
  return JSON.stringify({ ...(plan as JsonObject), [key]: steps });
}

function stepsOf(plan: Json): readonly Json[] {
  if (isList(plan)) return plan;
  const { steps, instructions } = plan as JsonObject;
  return (steps ?? instructions) as readonly Json[];
}
