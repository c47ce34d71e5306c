/* What the page of a run asks for, besides what every client does. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { subscribe } from "./event-source.ts";
import { type Served, serve } from "./served.ts";

const tools = {
  find: () => ({ orders: [{ id: "a" }, { id: "b" }], customer: "Ada" }),
  echo: (params: never) => params,
  broken: () => {
    throw new Error("no");
  },
};

const PLAN = {
  name: "Ship orders",
  steps: [
    { id: "find", tool: "find", arguments: {} },
    {
      id: "ship",
      tool: "echo",
      arguments: { order: "{{find.result.orders[0].id}}", note: "for {{find.result.customer}}" },
    },
    {
      id: "never",
      tool: "echo",
      arguments: {},
      conditions: [
        { param: "{{find.result.orders.length}}", operator: "greater_than", value: 5 },
        { param: "{{find.result.customer}}", operator: "equals", value: "Ada" },
      ],
    },
  ],
};

describe("the page of a run", () => {
  let served: Served;

  beforeEach(async () => {
    served = await serve({ tools: tools as never });
  });
  afterEach(() => served.close());

  async function run(source: unknown): Promise<string> {
    const { data } = await served.ask("mutation S($source: JSON) { startRun(source: $source) { id } }", {
      source,
    } as never);
    await served.engine.resume(data.startRun.id).then((found) => found.result);
    return data.startRun.id;
  }

  test("gets the plan as data: steps as written, and what flows along each edge", async () => {
    const id = await run(PLAN);
    const { data } = await served.ask("query R($id: ID!) { run(id: $id) { outline source } }", { id });
    const [block] = data.run.outline.blocks;
    expect(block.edges).toContainEqual({
      from: "find",
      to: "ship",
      kind: "data",
      flows: ["orders[0].id", "customer"],
    });
    const ship = block.steps.find((step: { id: string }) => step.id === "ship");
    expect(ship.arguments).toEqual(PLAN.steps[1]?.arguments);
    expect(ship.references[0]).toMatchObject({
      at: ["order"],
      from: "step",
      step: "find",
      path: ".orders[0].id",
    });
    expect(data.run.source).toEqual(PLAN);
  });

  test("gets each condition of a step with the value that it saw", async () => {
    const id = await run(PLAN);
    const { data } = await served.ask(
      `query R($id: ID!) { run(id: $id) { conditions(step: "never") { text held depth saw wanted } none: conditions(step: "ship") { text } } }`,
      { id },
    );
    expect(data.run.conditions).toEqual([
      { text: "all of", held: false, depth: 0, saw: null, wanted: null },
      { text: "{{find.result.orders.length}} greater_than 5", held: false, depth: 1, saw: 2, wanted: 5 },
      { text: '{{find.result.customer}} equals "Ada"', held: true, depth: 1, saw: "Ada", wanted: "Ada" },
    ]);
    expect(data.run.none).toEqual([]);
  });

  test("counts how far the steps of each run have come", async () => {
    await run(PLAN);
    await run({
      name: "Fails",
      steps: [
        { id: "x", tool: "broken", arguments: {} },
        { id: "y", tool: "echo", arguments: { x: "{{x.result}}" } },
      ],
    });
    const { data } = await served.ask(
      "{ runs { nodes { plan progress { total completed failed notRun running waiting } } } }",
    );
    expect(data.runs.nodes).toEqual([
      { plan: "Fails", progress: { total: 2, completed: 0, failed: 1, notRun: 1, running: 0, waiting: 0 } },
      {
        plan: "Ship orders",
        progress: { total: 3, completed: 2, failed: 0, notRun: 1, running: 0, waiting: 0 },
      },
    ]);
  });

  test("finds runs by a part of their plan's name or id, whatever the case", async () => {
    const id = await run(PLAN);
    await run({ name: "100% sure_thing", steps: [{ id: "x", tool: "echo", arguments: {} }] });
    const found = async (search: string): Promise<string[]> => {
      const { data } = await served.ask(
        "query F($search: String) { runs(filter: { search: $search }) { nodes { plan } } }",
        { search },
      );
      return data.runs.nodes.map(({ plan }: { plan: string }) => plan);
    };
    expect(await found("SHIP")).toEqual(["Ship orders"]);
    expect(await found(id.slice(4))).toEqual(["Ship orders"]);
    expect(await found("%")).toEqual(["100% sure_thing"]);
    expect(await found("nothing")).toEqual([]);
  });

  test("gets the whole history in few messages: the events that single subscribers get", async () => {
    const id = await run({
      instructions: [
        {
          execution_id: "each",
          agent_definition: { system_event_endpoint: "echo" },
          arguments: {},
          parallel_execution: {
            iterate_over: Array.from({ length: 300 }, (_, i) => i),
            child_argument_name: "n",
          },
        },
      ],
      response_reference_map: {},
    });
    const pages: { seq: number; kind: string; data: Record<string, unknown> }[][] = [];
    for await (const { data } of subscribe(
      served,
      "subscription H($id: ID!) { runHistory(id: $id) { seq kind data } }",
      { id },
    ))
      pages.push(data.runHistory);
    const single: unknown[] = [];
    for await (const { data } of subscribe(
      served,
      "subscription E($id: ID!) { runEvents(id: $id) { seq kind data } }",
      { id },
    ))
      single.push(data.runEvents);
    expect(pages.flat()).toEqual(single);
    expect(pages.length).toBeLessThan(single.length / 10);
    // How many items there are is said once, with the first of them.
    const begins = pages.flat().filter(({ data }) => data.begins !== undefined);
    expect(begins.map(({ data }) => data.begins)).toEqual([[{ step: "each", items: 300 }]]);
    const later = subscribe(served, "subscription H($id: ID!) { runHistory(id: $id, after: 600) { seq } }", {
      id,
    });
    expect((await later.next()).value.data.runHistory[0].seq).toBe(601);
  });

  test("needs runs:read for all of it", async () => {
    const id = await run(PLAN);
    const token = await served.token("writer", "runs:write");
    const { errors } = await served.ask("query R($id: ID!) { run(id: $id) { outline } }", { id }, { token });
    expect(errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  });
});
