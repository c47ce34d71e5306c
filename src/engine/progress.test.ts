import { describe, expect, it } from "vitest";
import { createEngine } from "./engine.ts";

describe("progress", () => {
  it("has every step of the plan from the start, items as counts, and composites with what is inside", async () => {
    const release: (() => void)[] = [];
    const hold = () => new Promise<void>((resolve) => release.push(resolve));
    const engine = await createEngine({ tools: { quick: () => 1, hold } });
    const quick = { system_event_endpoint: "quick" };
    const each = { iterate_over: [1, 2, 3], child_argument_name: "item", max_concurrency: 2 };
    const run = await engine.start({
      instructions: [
        {
          execution_id: "inner",
          agent_definition: { instructions: [{ execution_id: "x", agent_definition: quick }] },
        },
        {
          execution_id: "items",
          agent_definition: { system_event_endpoint: "hold" },
          parallel_execution: each,
          dependencies: ["inner"],
        },
        { execution_id: "last", agent_definition: quick, dependencies: ["items"] },
      ],
    });
    while (release.length < 2) await new Promise((resolve) => setImmediate(resolve));
    release.shift()?.();
    while (release.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const [inner, items, last] = run.progress();
    expect(inner).toMatchObject({
      id: "inner",
      status: "completed",
      steps: [{ id: "inner.x", name: "x", calls: "quick" }],
    });
    expect(items).toMatchObject({
      status: "running",
      items: { total: 3, done: 1, failed: 0, running: 2 },
      isFinal: false,
    });
    expect(last).toMatchObject({ status: "pending", startedAt: 0, isFinal: true });
    for (const go of release) go();
    await run.result;
    expect(run.progress()[1]).toMatchObject({
      status: "completed",
      items: { total: 3, done: 3, running: 0 },
    });
  });

  it("shows the items of composites that are under way or failed", async () => {
    const engine = await createEngine({
      tools: {
        work: ({ item }: { item: number }) => {
          if (item === 2) throw new Error("no");
          return item;
        },
      },
    });
    const run = await engine.start({
      instructions: [
        {
          execution_id: "each",
          agent_definition: {
            arguments: [{ name: "item", type_name: "number" }],
            instructions: [
              {
                execution_id: "work",
                agent_definition: { system_event_endpoint: "work" },
                arguments: { item: "REF:arguments.item" },
              },
            ],
          },
          parallel_execution: { iterate_over: [1, 2], child_argument_name: "item", on_error: "collect" },
        },
      ],
    });
    await run.result;
    const [each] = run.progress();
    expect(each?.items).toEqual({ total: 2, done: 2, failed: 1, running: 0 });
    expect(each?.steps.map(({ id, status }) => [id, status])).toEqual([["each[1]", "failed"]]);
  });
});
