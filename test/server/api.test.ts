import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineTool, type Json } from "../../src/index.ts";
import { type Served, serve } from "./served.ts";

let served: Served;
const calls: Json[] = [];
let failing = true;

const ADD_ONE: Json = {
  name: "add-one",
  arguments: [{ name: "n", type_name: "number" }],
  responses: [{ name: "n", type_name: "number" }],
  instructions: [
    { execution_id: "add", agent_definition_path: "/math/add.agent", arguments: { n: "REF:arguments.n" } },
  ],
  response_reference_map: { n: "REF:add.n" },
};

beforeAll(async () => {
  served = await serve({
    tools: {
      echo: (params: Json) => {
        calls.push(params);
        return params;
      },
      add: ({ n }: { n: number }) => ({ n: n + 1 }),
      flaky: () => {
        if (failing) throw new Error("not today");
        return "done";
      },
      pay: defineTool({
        name: "pay",
        description: "Pays.",
        input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
        sideEffects: true,
        requiresConfirmation: true,
        run: ({ amount }: { amount: number }) => ({ paid: amount }),
      }),
    },
    agents: {
      "/math/add.agent": {
        arguments: [{ name: "n", type_name: "number" }],
        responses: [{ name: "n", type_name: "number" }],
        system_event_endpoint: "add",
      },
      "/math/add-one.agent": ADD_ONE,
    },
  });
});

afterAll(() => served.close());

const START = `mutation($source: JSON, $text: String, $agent: String, $arguments: JSON, $inputs: JSON, $mode: Mode, $key: String) {
  startRun(source: $source, text: $text, agent: $agent, arguments: $arguments, inputs: $inputs, mode: $mode, idempotencyKey: $key) {
    id status plan dialect startedBy questions { name kind stepIds description }
  }
}`;

/** The run, when it has ended or waits. */
async function ended(id: string) {
  for await (const event of served.engine.events(id))
    if (event.kind === "InputAsked" || event.kind === "ConfirmationAsked") break;
  const { data } = await served.ask(
    'query($id: ID!) { run(id: $id) { status response context error { name code message } stepCount steps { id status result error { message } attempts } step(id: "0") { id } } }',
    { id },
  );
  return data.run;
}

describe("runs", () => {
  test("start from JSON, from text, and from an agent that the server knows", async () => {
    const actions = await served.ask(START, { source: [{ id: "a", tool: "echo", arguments: { x: 1 } }] });
    expect(actions.data.startRun).toMatchObject({ dialect: "actions", startedBy: "tester" });
    const steps = await served.ask(START, {
      text: `{ "steps": [{ "tool": "echo", "params": { "x": 2 } }] }`,
    });
    expect(steps.data.startRun).toMatchObject({ dialect: "steps" });
    const agent = await served.ask(START, { agent: "/math/add-one.agent", arguments: { n: 41 } });
    expect(agent.data.startRun).toMatchObject({ dialect: "agent", plan: "add-one" });
    expect(await ended(agent.data.startRun.id)).toMatchObject({ status: "completed", response: { n: 42 } });
    expect(await ended(actions.data.startRun.id)).toMatchObject({
      status: "completed",
      steps: [{ id: "a", result: { x: 1 } }],
    });
  });

  test("a plan that is wrong is refused with all of its diagnostics", async () => {
    const { data, errors } = await served.ask(START, {
      text: `{ "steps": [{ "tool": "ecko" }, { "tool": "nope" }] }`,
    });
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions.code).toBe("PLAN_ERROR");
    expect(errors?.[0]?.extensions.diagnostics).toMatchObject([
      { code: "unknown-tool", line: 1, hints: [`Did you mean "echo"?`] },
      { code: "unknown-tool" },
    ]);
  });

  test("a plan is given in exactly one way", async () => {
    const none = await served.ask(START, {});
    expect(none).toMatchObject({ status: 400, errors: [{ extensions: { code: "WHICH_PLAN" } }] });
    const two = await served.ask(START, { text: "[]", source: [] });
    expect(two.errors?.[0]?.extensions.code).toBe("WHICH_PLAN");
  });

  test("ask, are answered, and go on", async () => {
    const plan = [{ id: "mail", tool: "echo", arguments: { body: "{{PLACEHOLDER_body}}" } }];
    const { data } = await served.ask(START, { source: plan });
    const { id } = data.startRun;
    expect(data.startRun).toMatchObject({
      status: "waiting",
      questions: [{ name: "body", kind: "input", stepIds: ["mail"] }],
    });
    const provide =
      "mutation($id: ID!, $inputs: JSON!) { provideInputs(id: $id, inputs: $inputs) { id questions { name } } }";
    const wrong = await served.ask(provide, { id, inputs: { boddy: "x" } });
    expect(wrong.errors?.[0]).toMatchObject({ extensions: { code: "UNKNOWN_INPUT" } });
    const right = await served.ask(provide, { id, inputs: { body: "Thanks!" } });
    expect(right.data.provideInputs.questions).toEqual([]);
    expect(await ended(id)).toMatchObject({ status: "completed", steps: [{ result: { body: "Thanks!" } }] });
    const again = await served.ask(provide, { id, inputs: { body: "Again!" } });
    expect(again.errors?.[0]?.extensions.code).toBe("RUN_ENDED");
  });

  test("wait for a person's yes", async () => {
    const { data } = await served.ask(START, { source: { steps: [{ tool: "pay", params: { amount: 5 } }] } });
    const { id } = data.startRun;
    await ended(id);
    const confirm = 'mutation($id: ID!) { confirmStep(id: $id, stepId: "0", yes: true) { id } }';
    expect((await served.ask(confirm, { id })).errors).toBeUndefined();
    expect(await ended(id)).toMatchObject({ status: "completed", steps: [{ result: { paid: 5 } }] });
    expect((await served.ask(confirm, { id })).errors?.[0]?.extensions.code).toBe("RUN_ENDED");
  });

  test("are cancelled, with the reason", async () => {
    const { data } = await served.ask(START, {
      source: [{ id: "q", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } }],
    });
    const cancel =
      'mutation($id: ID!) { cancelRun(id: $id, reason: "changed my mind") { status error { message } } }';
    const cancelled = await served.ask(cancel, { id: data.startRun.id });
    expect(cancelled.data.cancelRun).toEqual({ status: "cancelled", error: { message: "changed my mind" } });
  });

  test("that failed go on from where they failed", async () => {
    failing = true;
    const plan = { steps: [{ tool: "echo", params: { once: true } }, { tool: "flaky" }] };
    const { data } = await served.ask(START, { source: plan });
    const { id } = data.startRun;
    expect(await ended(id)).toMatchObject({ status: "failed", error: { message: "not today" } });
    failing = false;
    const before = calls.length;
    expect(
      (await served.ask("mutation($id: ID!) { resumeRun(id: $id) { id } }", { id })).errors,
    ).toBeUndefined();
    expect(await ended(id)).toMatchObject({ status: "completed" });
    expect(calls.length).toBe(before);
  });

  test("that do not exist", async () => {
    expect((await served.ask(`{ run(id: "nope") { id } }`)).data).toEqual({ run: null });
    const cancel = await served.ask(`mutation { cancelRun(id: "nope") { id } }`);
    expect(cancel.errors?.[0]).toMatchObject({
      message: `There is no run "nope".`,
      extensions: { code: "UNKNOWN_RUN" },
    });
    const resume = await served.ask(`mutation { resumeRun(id: "nope") { id } }`);
    expect(resume.errors?.[0]?.extensions.code).toBe("UNKNOWN_RUN");
  });

  test("have events, a graph, the written steps and times", async () => {
    const { data } = await served.ask(
      `mutation { executePlan(plan: { steps: [{ tool: "echo", params: { id: 7 } }, { tool: "echo", params: { id: "\${step[0].data.id}" }, timeout: 1000 }] }) { results { data } } }`,
    );
    expect(data.executePlan.results.at(-1)).toEqual({ data: { id: 7 } });
    const list = await served.ask("{ runs(first: 1) { nodes { id } } }");
    const [{ id }] = list.data.runs.nodes;
    const run = await served.ask(
      `query($id: ID!) { run(id: $id) {
        durationMs startedAt finishedAt
        events(after: 2, first: 2) { seq kind step data }
        planSteps { tool params dependsOn parallel optional retryCount timeout }
        graph { levels edges { from to kind } steps { id kind calls level dependsOn marks { kind text } } }
        steps(first: 1, after: 1) { id startedAt finishedAt durationMs }
      } }`,
      { id },
    );
    expect(run.errors).toBeUndefined();
    expect(run.data.run).toMatchObject({
      events: [
        { seq: 3, kind: "StepSucceeded", step: "0", data: { result: { id: 7 } } },
        { seq: 4, kind: "StepStarted", step: "1", data: { tool: "echo" } },
      ],
      planSteps: [
        {
          tool: "echo",
          params: { id: 7 },
          dependsOn: null,
          parallel: false,
          optional: false,
          retryCount: null,
          timeout: null,
        },
        { timeout: 1000 },
      ],
      graph: { levels: [["0"], ["1"]], edges: [{ from: "0", to: "1", kind: "data" }] },
      steps: [{ id: "1" }],
    });
  });
});

describe("the list of runs", () => {
  test("is a connection: page by page, newest first, each run once", async () => {
    const all = await served.engine.list({ limit: 1000 });
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const {
        data,
      }: {
        data: {
          runs: { edges: { node: { id: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
        };
      } = await served.ask(
        "query($after: String) { runs(first: 3, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }",
        { after },
      );
      seen.push(...data.runs.edges.map(({ node }) => node.id));
      if (!data.runs.pageInfo.hasNextPage) break;
      after = data.runs.pageInfo.endCursor;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  test("is filtered by status, plan and time", async () => {
    const query =
      "query($filter: RunFilter) { runs(filter: $filter) { nodes { id plan status startedAt } } }";
    const completed = await served.ask(query, { filter: { status: "cancelled" } });
    expect(completed.data.runs.nodes.map(({ status }: { status: string }) => status)).toEqual(["cancelled"]);
    const named = await served.ask(query, { filter: { plan: "add-one" } });
    expect(named.data.runs.nodes).toMatchObject([{ plan: "add-one" }]);
    const [{ startedAt }] = named.data.runs.nodes;
    const since = await served.ask(query, { filter: { plan: "add-one", startedFrom: startedAt } });
    expect(since.data.runs.nodes).toHaveLength(1);
    const before = await served.ask(query, { filter: { plan: "add-one", startedBefore: startedAt } });
    expect(before.data.runs.nodes).toEqual([]);
    const wrong = await served.ask(query, { filter: { startedFrom: "yesterday" } });
    expect(wrong).toMatchObject({ status: 400, errors: [{ extensions: { code: "INVALID_TIME" } }] });
  });

  test("refuses cursors that are none, and pages without end", async () => {
    const cursor = await served.ask(`{ runs(after: "x") { nodes { id } } }`);
    expect(cursor.errors?.[0]?.extensions.code).toBe("INVALID_CURSOR");
    const page = await served.ask("query($n: Int) { runs(first: $n) { nodes { id } } }", { n: 100_000 });
    expect(page.errors?.[0]?.extensions.code).toBe("PAGE_TOO_LONG");
  });
});

describe("plans", () => {
  test("are checked, and repaired", async () => {
    const { data } = await served.ask(
      "query($text: String) { checkPlan(text: $text) { ok dialect diagnostics { code name severity message line column pointer hints fix { title edits } } fixedText graph { levels } } }",
      { text: `[{ "id": "a", "tool": "ecko" }]` },
    );
    expect(data.checkPlan).toMatchObject({
      ok: false,
      diagnostics: [{ code: "unknown-tool", severity: "error", line: 1, fix: { title: expect.any(String) } }],
      fixedText: `[{ "id": "a", "tool": "echo" }]`,
      graph: null,
    });
    const good = await served.ask(
      "query($source: JSON) { checkPlan(source: $source) { ok dialect diagnostics { code } fixedText graph { levels } } }",
      {
        source: [{ id: "a", tool: "echo" }],
      },
    );
    expect(good.data.checkPlan).toEqual({
      ok: true,
      dialect: "actions",
      diagnostics: [],
      fixedText: null,
      graph: { levels: [["a"]] },
    });
  });

  test("are explained", async () => {
    const { data } = await served.ask(
      "query($source: JSON) { explainPlan(source: $source) { calls { kind name callsMax stepIds } callsMax longestChain questions { name kind } confirmations sideEffects graph { levels } } }",
      {
        source: [
          { id: "p", tool: "pay", arguments: { amount: "{{PLACEHOLDER_amount}}" }, policy: { retries: 2 } },
        ],
      },
    );
    expect(data.explainPlan).toMatchObject({
      calls: [{ kind: "tool", name: "pay", callsMax: 3, stepIds: ["p"] }],
      callsMax: 3,
      longestChain: ["p"],
      questions: [{ name: "amount", kind: "input" }],
      confirmations: ["p"],
      sideEffects: ["pay"],
    });
  });

  test("know the tools and agents with their schemas", async () => {
    const { data } = await served.ask(
      "{ tools { name description input output sideEffects requiresConfirmation } agents { path name arguments responses } }",
    );
    expect(data.tools).toContainEqual({
      name: "pay",
      description: "Pays.",
      input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      output: null,
      sideEffects: true,
      requiresConfirmation: true,
    });
    expect(data.agents).toContainEqual({
      path: "/math/add-one.agent",
      name: "add-one",
      arguments: [{ name: "n", type_name: "number" }],
      responses: [{ name: "n", type_name: "number" }],
    });
  });
});

describe("an idempotency key", () => {
  const source = [{ id: "a", tool: "echo", arguments: { once: 1 } }];

  test("starts one run, however often and at the same time it is sent", async () => {
    const before = calls.length;
    const asked = Array.from({ length: 40 }, () => served.ask(START, { source, key: "k1" }));
    const answers = await Promise.all(asked);
    const ids = new Set(answers.map(({ data }) => data.startRun.id));
    expect(ids.size).toBe(1);
    const later = await served.ask(START, { source, key: "k1" });
    expect(ids).toContain(later.data.startRun.id);
    await ended(later.data.startRun.id);
    expect(calls.length).toBe(before + 1);
  });

  test("also for executePlan, which gives the results again", async () => {
    const execute = `mutation($x: JSON) { executePlan(plan: { steps: [{ tool: "echo", params: $x }] }, idempotencyKey: "k2") { results { data } metadata { timestamp } } }`;
    const [first, second] = await Promise.all([
      served.ask(execute, { x: { n: 1 } }),
      served.ask(execute, { x: { n: 1 } }),
    ]);
    const third = await served.ask(execute, { x: { n: 1 } });
    expect(first.data.executePlan.results).toEqual([{ data: { n: 1 } }]);
    expect(second.data).toEqual(first.data);
    expect(third.data).toEqual(first.data);
  });

  test("for something else is refused", async () => {
    const other = await served.ask(START, { source: [{ id: "b", tool: "echo" }], key: "k1" });
    expect(other.errors?.[0]?.extensions.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("belongs to whoever sent it", async () => {
    const mine = await served.ask(START, { source, key: "k1" });
    const other = await served.token("another", "plans:run:*", "runs:read");
    const theirs = await served.ask(START, { source, key: "k1" }, { token: other });
    expect(theirs.data.startRun.id).not.toBe(mine.data.startRun.id);
  });
});
