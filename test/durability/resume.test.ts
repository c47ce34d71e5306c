/* Engines that go on with what others, or they themselves, have left. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../src/index.ts";
import { begin, chain, give, held, turns } from "./processes.ts";
import { scratchFile } from "./scratch.ts";

describe("resuming", () => {
  test("twice at once gives the same run", async () => {
    const file = scratchFile();
    const { tool: act, answers } = held();
    const one = await begin(file, { give, act });
    await one.engine.start(chain, { runId: "r" });
    await turns();
    await one.engine.close();
    const other = await begin(file, { give, act });
    const [run, same] = await Promise.all([other.engine.resume("r"), other.engine.resume("r")]);
    expect(run).toBe(same);
    await turns();
    answers[1]?.(1);
    expect((await run.result).status).toBe("completed");
    expect(other.called).toEqual(["b", "c"]);
  });

  test("a failed run goes on from where it failed; a completed one is only shown", async () => {
    const file = scratchFile();
    let broken = true;
    const act = () => {
      if (broken) throw new ToolError("not today");
      return 1;
    };
    const one = await begin(file, { give, act });
    expect(await one.engine.run(chain, { runId: "r" })).toMatchObject({ status: "failed" });
    expect(await one.engine.recover()).toEqual([]);
    broken = false;
    const other = await begin(file, { give, act });
    expect(await (await other.engine.resume("r")).result).toMatchObject({ status: "completed" });
    expect(other.called).toEqual(["b", "c"]);
    const third = await begin(file, { give, act });
    expect(await (await third.engine.resume("r")).result).toMatchObject({ status: "completed" });
    expect(third.called).toEqual([]);
    expect(await one.engine.get("r")).toMatchObject({ status: "completed" });
  });

  test("without the tools it needs is refused, and the run stays free for those who have them", async () => {
    const file = scratchFile();
    const { tool: act } = held();
    const one = await begin(file, { give, act });
    await one.engine.start(chain, { runId: "r" });
    await one.engine.close();
    const poor = await begin(file, { give });
    await expect(poor.engine.resume("r")).rejects.toMatchObject({ name: "PlanError" });
    const rich = await begin(file, { give, act: give });
    expect((await (await rich.engine.resume("r")).result).status).toBe("completed");
  });

  test("keeps the limits with which the run began, whatever the engine's own are", async () => {
    const file = scratchFile();
    const { tool: act, answers } = held();
    const one = await begin(file, { act });
    const plan = {
      instructions: [
        {
          execution_id: "x",
          agent_definition: { system_event_endpoint: "act" },
          parallel_execution: { iterate_over: [0, 1, 2, 3, 4], child_argument_name: "n" },
        },
      ],
      response_reference_map: { all: "REF:x.response" },
    };
    await one.engine.start(plan, { runId: "r" });
    await turns();
    for (const item of [4, 2]) answers[item]?.(item);
    await turns();
    await one.engine.close();
    const narrow = await begin(file, { act: ({ n }: { n: number }) => n }, { concurrency: 1 });
    expect(await (await narrow.engine.resume("r")).result).toMatchObject({
      response: { all: [0, 1, 2, 3, 4] },
    });
    expect(narrow.called).toEqual(["x[0]", "x[1]", "x[3]"]);
  });

  test("what another living process carries out is refused", async () => {
    const file = scratchFile();
    const { tool: act } = held();
    const [one, other] = [await begin(file, { give, act }), await begin(file, { give, act })];
    await one.engine.start(chain, { runId: "r" });
    await expect(other.engine.resume("r")).rejects.toMatchObject({ code: "RUN_TAKEN" });
    await expect(other.engine.resume("nowhere")).rejects.toMatchObject({ code: "UNKNOWN_RUN" });
    expect(await other.engine.recover()).toEqual([]);
  });
});

describe("an engine that is closed", () => {
  test("gives up its calls, says so, and leaves the run to others", async () => {
    const file = scratchFile();
    const { tool: act, signals, answers } = held();
    const one = await begin(file, { give, act });
    const run = await one.engine.start(chain, { runId: "r" });
    await turns();
    await one.engine.close();
    await expect(run.result).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
    expect(signals[0]?.aborted).toBe(true);
    answers[0]?.(1);
    const other = await begin(file, { give, act: give });
    expect((await (await other.engine.resume("r")).result).status).toBe("completed");
  });
});

describe("a journal of the future", () => {
  async function tampered(change: string): Promise<string> {
    const file = scratchFile();
    const { tool: act } = held();
    const one = await begin(file, { give, act });
    await one.engine.start(chain, { runId: "r" });
    await turns();
    await one.engine.close();
    const raw = new DatabaseSync(file);
    raw.exec(change);
    raw.close();
    return file;
  }

  test("is refused by its version", async () => {
    const file = await tampered("UPDATE events SET body = json_set(body, '$.journal', 99) WHERE seq = 0");
    const { engine, called } = await begin(file, { give, act: give });
    await expect(engine.resume("r")).rejects.toMatchObject({ code: "NEWER_JOURNAL" });
    await expect(engine.get("r")).rejects.toThrow("newer version of Sequitur (journal 99");
    expect(await engine.recover()).toEqual([]);
    expect(called).toEqual([]);
    expect(await engine.list()).toMatchObject([{ id: "r" }]);
  });

  test("is refused where it holds an event that nobody here knows", async () => {
    const file = await tampered(
      "UPDATE events SET body = json_set(body, '$.kind', 'StepTeleported') WHERE seq = 1",
    );
    const { engine } = await begin(file, { give, act: give });
    await expect(engine.resume("r")).rejects.toMatchObject({ code: "UNKNOWN_EVENT" });
    await expect(engine.get("r")).rejects.toThrow(`"StepTeleported"`);
  });
});
