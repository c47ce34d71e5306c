/*
 * The ten scenarios of `examples/scenarios`, in all three languages: the answers that a person worked out from `world.json`, and
 * the same calls whichever language the plan is written in.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Json, type JsonObject } from "../../src/base/json.ts";
import { type Clock, createEngine, type RunResult, type Tool, type ToolDefinition } from "../../src/index.ts";

const folder = new URL("../../examples/scenarios/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const expected = JSON.parse(read("expected.json")) as Record<string, JsonObject>;
const names = Object.keys(expected);
const tools = (await import(new URL("tools.mjs", folder).href)) as Record<string, ToolDefinition>;

const LANGUAGES = {
  steps: {
    file: "steps.plan.json",
    answer: ({ execution }: RunResult): Json => execution?.results.at(-1)?.data ?? null,
  },
  actions: {
    file: "actions.plan.json",
    answer: ({ steps }: RunResult): Json => steps.answer?.result ?? null,
  },
  agent: { file: "agent.json", answer: ({ response }: RunResult): Json => response ?? null },
} as const;

type Language = keyof typeof LANGUAGES;

/** Delays between attempts are over at once. */
const impatient: Clock = {
  now: () => Date.now(),
  at: (_, callback) => {
    const due = setImmediate(callback);
    return () => clearImmediate(due);
  },
};

interface Called {
  readonly tool: string;
  readonly params: Json;
  readonly attempt: number;
}

/** Runs a scenario, and notes what was called with what. */
async function play(
  name: string,
  language: Language,
): Promise<{ result: RunResult; calls: Called[]; answer: Json }> {
  const calls: Called[] = [];
  const watched = Object.entries(tools).map(([key, tool]): [string, Tool] => [
    key,
    {
      ...tool,
      run: (params, context) => {
        calls.push({ tool: key, params: structuredClone(params), attempt: context.attempt });
        return tool.run(params, context);
      },
    },
  ]);
  const engine = await createEngine({
    clock: impatient,
    tools: Object.fromEntries(watched),
    agents: fileURLToPath(new URL("../agents/", folder)),
  });
  const { file, answer } = LANGUAGES[language];
  const text = read(`${name}.${file}`);
  const { diagnostics } = engine.compile(text);
  expect(diagnostics).toEqual([]);
  const result = await engine.run(text);
  return { result, calls, answer: answer(result) };
}

const inAnyOrder = (calls: readonly Called[]): string[] =>
  calls.map(({ tool, params, attempt }) => canonicalJson({ tool, params, attempt })).sort();

describe("the ten scenarios", () => {
  test("are ten, in three languages each", () => {
    const plans = readdirSync(folder).filter((name) => /\.(plan|agent)\.json$/.test(name));
    const wanted = names.flatMap((name) => Object.values(LANGUAGES).map(({ file }) => `${name}.${file}`));
    expect(names).toHaveLength(10);
    expect(plans.sort()).toEqual(wanted.sort());
  });

  const cases = names.flatMap((name) =>
    (Object.keys(LANGUAGES) as Language[]).map((language) => [name, language] as const),
  );

  test.each(cases)("%s in %s gives what a person would say", async (name, language) => {
    const { result, answer } = await play(name, language);
    expect(result.error).toBeUndefined();
    expect(result.status).toBe("completed");
    expect(answer).toEqual(expected[name]);
  });

  test.each(names)("%s makes the same calls in all three languages", async (name) => {
    const [steps, actions, agent] = [
      await play(name, "steps"),
      await play(name, "actions"),
      await play(name, "agent"),
    ];
    expect(inAnyOrder(actions.calls)).toEqual(inAnyOrder(steps.calls));
    // Agents can fan out: there the list is taken apart into a call for each item.
    if (name !== "03-wildcard-fan-out") expect(inAnyOrder(agent.calls)).toEqual(inAnyOrder(steps.calls));
    else expect(agent.calls.filter(({ tool }) => tool === "shipments_list")).toHaveLength(3);
  });
});

describe("what the scenarios show on the way", () => {
  test.each(["steps", "actions", "agent"] as const)("errors are handled in %s", async (language) => {
    const { calls, result } = await play("07-error-handling", language);
    expect(calls.filter(({ tool }) => tool === "sensor_read").map(({ attempt }) => attempt)).toEqual([
      1, 2, 3,
    ]);
    const failed = Object.values(result.steps).filter(({ status }) => status === "failed");
    expect(failed).toMatchObject([
      { error: { code: "UNKNOWN_SHIPMENT", message: "There is no shipment S-999." } },
    ]);
    const { execution } = result;
    if (language === "steps")
      expect(execution?.metadata).toMatchObject({ successfulSteps: 3, failedSteps: 1 });
  });

  test.each(["steps", "actions", "agent"] as const)("only one alert is raised in %s", async (language) => {
    const { calls, result } = await play("09-monitoring", language);
    expect(calls.filter(({ tool }) => tool === "raise_alert")).toMatchObject([
      { params: { facility_id: "F-10" } },
    ]);
    expect(Object.values(result.steps).filter(({ status }) => status === "skipped")).toHaveLength(1);
  });
});
