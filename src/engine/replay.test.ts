import { describe, expect, it } from "vitest";
import { createEngine } from "./engine.ts";

const tools = {
  list: () => ({ items: [1, 2, 3] }),
  flaky: ({ item }: { item: number }, { attempt }: { attempt: number }) => {
    if (attempt === 1 && item === 2) throw new Error("again");
    return { item };
  },
};
const plan = {
  instructions: [
    { execution_id: "list", agent_definition: { system_event_endpoint: "list" } },
    {
      execution_id: "each",
      agent_definition: { system_event_endpoint: "flaky" },
      parallel_execution: { iterate_over: "REF:list.items", child_argument_name: "item" },
      policy: { retries: 1, backoff: { base_ms: 1 } },
    },
  ],
};

describe("replay", () => {
  it("gives the same commands and the same end, with retries and timers", async () => {
    const engine = await createEngine({ tools });
    const { id, status } = await engine.run(plan);
    expect(status).toBe("completed");
    const report = await engine.replay(id);
    expect(report.problems).toEqual([]);
    expect(report.recorded).toBe(report.folded);
    // Started, one answer, four attempts at three items, one timer.
    expect(report.events).toBe(7);
  });

  it("finds answers that this version of the code does not ask for", async () => {
    const { memoryDriver } = await import("../drivers/memory/driver.ts");
    const driver = memoryDriver();
    const engine = await createEngine({ tools, store: driver });
    const { id } = await engine.run([
      { id: "a", tool: "list" },
      { id: "ask", tool: "list", requires_confirmation: true },
    ]);
    const journal = [...driver.events(id)];
    driver.append(id, journal.length, [{ kind: "StepSucceeded", at: 1, call: 7, attempt: 1, result: null }]);
    const { problems } = await engine.replay(id);
    expect(problems).toEqual(["event 2 (StepSucceeded): answers call 7 attempt 1, which was not asked for"]);
  });

  it("knows nothing of a run that is not there", async () => {
    const engine = await createEngine();
    await expect(engine.replay("nowhere")).rejects.toMatchObject({ code: "UNKNOWN_RUN" });
  });
});
