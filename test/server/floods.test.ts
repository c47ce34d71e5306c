/* Too much of everything. Each gets its status and a short message, and the server goes on serving. */
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import { everything, expectRefused, expectServing, firstLine } from "./refusals.ts";
import { type Answer, answerOf, type Served, serve } from "./served.ts";

let served: Served;

beforeAll(async () => {
  served = await serve(
    {
      itemsMax: 50,
      stepsMax: 100,
      tools: { echo: (params: unknown) => params, never: () => new Promise(() => {}) },
    },
    {
      limits: {
        bodyBytesMax: 200_000,
        subscriptionsPerTokenMax: 50,
        runsPerTokenMax: 2,
        queueMax: 3,
        openRunsPerTokenMax: 20,
        executeMs: 100,
      },
    },
  );
});

afterAll(() => served.close());

afterEach(() => expectServing(served));

const QUERY = "{ runs { nodes { id } } }";

describe("queries", () => {
  test("deep ones", async () => {
    const deep = `{ __schema { types ${"{ fields { type ".repeat(30)}{ name }${" } }".repeat(30)} } }`;
    expectRefused(await served.ask(deep), 400, "QUERY_TOO_DEEP");
  });

  test("fragments that unfold", async () => {
    const doubling = Array.from(
      { length: 40 },
      (_, i) => `fragment f${i} on RunConnection { ...f${i + 1} ...f${i + 1} }`,
    ).join("\n");
    const query = `{ runs { ...f0 } } ${doubling} fragment f40 on RunConnection { nodes { id } }`;
    expectRefused(await served.ask(query), 400, "QUERY_TOO_EXPENSIVE");
    const circle =
      "{ runs { ...a } } fragment a on RunConnection { ...b } fragment b on RunConnection { ...a }";
    expect((await served.ask(circle)).status).toBe(200);
    expect((await served.ask(circle)).errors?.[0]?.message).toContain("itself");
  });

  test("wide ones", async () => {
    const wide = `{ ${"tools { name } ".repeat(3_000)} }`;
    expect(await served.ask(wide)).toMatchObject({ status: 400 });
    const long = `{ runs { nodes { id } } } # ${"x".repeat(20_000)}`;
    expectRefused(await served.ask(long), 400, "QUERY_TOO_LONG");
  });

  test("aliases", async () => {
    const bomb = `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: runs { nodes { id } }`).join(" ")} }`;
    expectRefused(await served.ask(bomb), 400, "TOO_MANY_ALIASES");
  });

  test("long lists of everything", async () => {
    const all = `{ run(id: "x") { steps(first: 1000) { id arguments result } events(first: 1000) { seq data kind at } } }`;
    expect((await served.ask(all)).errors).toBeUndefined();
    const more =
      '{ run(id: "x") { ...s ...t ...u } } fragment s on Run { steps(first: 1000) { id status arguments result reason attempts startedAt } } fragment t on Run { events(first: 1000) { seq kind at step data } } fragment u on Run { graph { steps { id } } }';
    expect((await served.ask(more)).errors).toBeUndefined();
    const dear = `query($n: Int) { ${Array.from({ length: 10 }, (_, i) => `r${i}: run(id: "x") { steps(first: $n) { id status arguments } }`).join(" ")} }`;
    expectRefused(await served.ask(dear, { n: 1_000 }), 400, "QUERY_TOO_EXPENSIVE");
  });

  test("batches", async () => {
    const response = await fetch(served.graphql, {
      method: "POST",
      headers: { authorization: `Bearer ${served.admin}`, "content-type": "application/json" },
      body: JSON.stringify(Array.from({ length: 100 }, () => ({ query: QUERY }))),
    });
    expect(response.status).toBe(400);
  });
});

describe("bodies", () => {
  const post = async (body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const init = { authorization: `Bearer ${served.admin}`, "content-type": "application/json", ...headers };
    return answerOf(await fetch(served.graphql, { method: "POST", headers: init, body }));
  };

  test("malformed ones", async () => {
    for (const body of [
      "",
      "{",
      "nonsense",
      `{"query": `,
      "[]",
      "null",
      "1",
      `"text"`,
      `{"query":1}`,
      `{"query":"{"}`,
      "\u0000",
      "{}",
    ]) {
      const answer = await post(body);
      expect(answer.status, body).toBeGreaterThanOrEqual(200);
      expect(answer.status, body).toBeLessThan(500);
      expect(answer.errors?.length, body).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/at .*\.(ts|js):\d+/);
    }
  });

  test("huge variables", async () => {
    const answer = await served.ask("query($x: JSON) { checkPlan(source: $x) { ok } }", {
      x: "x".repeat(300_000),
    });
    expectRefused(answer, 413, "TOO_LARGE");
  });

  test("huge ones without a length", async () => {
    const { port } = served.server;
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    const answer = firstLine(socket);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${served.admin}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    for (let i = 0; i < 8; i++) socket.write(chunk);
    expect(await answer).toContain("413");
    socket.destroy();
    await closed;
  });

  test("values nested without end", async () => {
    const nested = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`;
    const deep = await post(
      `{"query":"query($x: JSON) { checkPlan(source: $x) { ok } }","variables":{"x":${nested(50_000)}}}`,
    );
    expect(deep.status).toBe(400);
    expect(deep.errors?.[0]?.message).toContain("nested 200 levels deep");
    const text = await served.ask(
      "query($text: String) { checkPlan(text: $text) { ok diagnostics { code } } }",
      { text: nested(50_000) },
    );
    expect(text.data.checkPlan.ok).toBe(false);
    const literal = await served.ask(`{ checkPlan(source: ${nested(1_500)}) { ok } }`);
    expect(literal.errors?.[0]?.message).toContain("nested 200 levels deep");
  });

  test("prototype keys in variables, arguments and inputs", async () => {
    const polluted = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"x":1}`;
    const start =
      "mutation($source: JSON, $arguments: JSON, $inputs: JSON) { startRun(source: $source, arguments: $arguments, inputs: $inputs) { id questions { name } } }";
    const bodies = [
      `{"query":"{ tools { name } }","variables":${polluted},"__proto__":{"polluted":true}}`,
      `{"query":${JSON.stringify(start)},"variables":{"source":[{"id":"a","tool":"echo","arguments":${polluted}}]}}`,
      `{"query":${JSON.stringify(start)},"variables":{"source":[],"arguments":${polluted},"inputs":${polluted}}}`,
      `{"query":${JSON.stringify(start)},"variables":{"source":[{"id":"a","tool":"echo","arguments":{"v":"{{PLACEHOLDER___proto__}}"}}],"inputs":{"__proto__":{"polluted":true}}}}`,
    ];
    const answers = [];
    for (const body of bodies) {
      const answer = await post(body);
      expect(answer.status).toBeLessThan(500);
      answers.push(answer);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    // It is data, and arrives as such.
    const id = answers[1]?.data.startRun.id;
    for await (const _ of served.engine.events(id));
    const result = (await served.engine.get(id))?.steps.a?.result as Readonly<Record<string, Json>>;
    expect(Object.keys(result)).toEqual(["__proto__", "constructor", "x"]);
    const last = answers[3]?.data.startRun.id;
    for await (const _ of served.engine.events(last));
    expect((await served.engine.get(last))?.steps.a?.result).toEqual({ v: { polluted: true } });
  });

  test("slow ones", async () => {
    const impatient = await serve({}, { limits: { requestMs: 100 } });
    const { port } = impatient.server;
    const head = `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${impatient.admin}\r\nContent-Type: application/json\r\n`;
    const slowBody = connect(port, "127.0.0.1");
    const slowHead = connect(port, "127.0.0.1");
    const [body, header] = [firstLine(slowBody), firstLine(slowHead)];
    slowBody.write(`${head}Content-Length: 1000\r\n\r\n{`);
    slowHead.write("POST /graphql HTTP/1.1\r\nHost: ");
    expect(await body).toContain("408");
    expect(await header).toContain("408");
    slowBody.destroy();
    slowHead.destroy();
    await impatient.close();
  }, 20_000);

  test("header injection and broken HTTP", async () => {
    const { port } = served.server;
    const host = `Host: 127.0.0.1:${port}`;
    for (const text of [
      `GET / HTTP/1.1\r\n${host}\r\nX: a\u0000b\r\n\r\n`,
      `GET / HTTP/1.1\r\n${host}\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `GET http://evil.example/ HTTP/1.1\r\n${host}\r\n\r\n`,
      "GARBAGE\r\n\r\n",
      `GET / HTTP/1.1\r\n${host}\r\nX: ${"x".repeat(40_000)}\r\n\r\n`,
      `GET /?token=x%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`,
    ]) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      const answer = await everything(socket, text);
      expect(answer.split("\r\n")[0]).toMatch(/^HTTP\/1\.1 4\d\d/);
      expect(answer).not.toMatch(/^set-cookie: a=b/im);
    }
  });
});

describe("too much", () => {
  test("runs: they queue, and then are refused with 429", async () => {
    const token = await served.token("eager", "plans:run:*", "runs:write");
    const start =
      'mutation($k: String) { startRun(source: [{ id: "a", tool: "never" }], idempotencyKey: $k) { id } }';
    // Two run, three wait, and the rest is too much.
    const asked = Array.from({ length: 10 }, (_, i) => served.ask(start, { k: String(i) }, { token }));
    const refusedNow = await Promise.all(asked.slice(5));
    for (const answer of refusedNow) {
      expectRefused(answer, 429, "QUEUE_FULL");
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    const [first, second] = await Promise.all(asked.slice(0, 2));
    const cancel = "mutation($id: ID!) { cancelRun(id: $id) { status } }";
    let free = [first, second];
    for (let waiting = asked.slice(2, 5); waiting.length > 0; ) {
      for (const answer of free) await served.ask(cancel, { id: answer?.data.startRun.id }, { token });
      const count = free.length;
      free = await Promise.all(waiting.slice(0, count));
      waiting = waiting.slice(count);
    }
    for (const answer of free) await served.ask(cancel, { id: answer?.data.startRun.id }, { token });
  });

  test("open runs", async () => {
    const token = await served.token("hoarder", "plans:run:*");
    const start = `mutation { startRun(source: [{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } }]) { id } }`;
    for (let i = 0; i < 20; i++) expect((await served.ask(start, {}, { token })).errors).toBeUndefined();
    expectRefused(await served.ask(start, {}, { token }), 429, "TOO_MANY_RUNS");
  });

  test("steps and items", async () => {
    const steps = Array.from({ length: 101 }, (_, i) => ({ id: `s${i}`, tool: "echo" }));
    const many = await served.ask("mutation($s: JSON) { startRun(source: $s) { id } }", { s: steps });
    expect(many.errors?.[0]?.extensions.diagnostics).toMatchObject([{ code: "too-many-steps" }]);
    const agent = {
      instructions: [
        {
          execution_id: "x",
          agent_definition: { system_event_endpoint: "echo" },
          parallel_execution: {
            iterate_over: Array.from({ length: 51 }, (_, i) => i),
            child_argument_name: "item",
          },
        },
      ],
    };
    const { data, errors } = await served.ask("mutation($s: JSON) { startRun(source: $s) { id } }", {
      s: agent,
    });
    expect(errors).toBeUndefined();
    for await (const _ of served.engine.events(data.startRun.id));
    const result = await served.engine.get(data.startRun.id);
    expect(result).toMatchObject({
      status: "failed",
      error: { message: `"iterate_over" has 51 items; 50 is the most` },
    });
  });

  test("thousands of subscriptions", async () => {
    const controller = new AbortController();
    const open = () =>
      fetch(served.graphql, {
        method: "POST",
        headers: {
          authorization: `Bearer ${served.admin}`,
          accept: "text/event-stream",
          "content-type": "application/json",
        },
        body: JSON.stringify({ query: "subscription { runsChanged { missed } }" }),
        signal: controller.signal,
      });
    const statuses = new Map<number, number>();
    // Held on to: a response that nobody holds is closed.
    const held: Response[] = [];
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(Array.from({ length: 100 }, open));
      held.push(...answers.filter(({ status }) => status === 200));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(held).toHaveLength(50);
    expect(Object.fromEntries(statuses)).toEqual({ 200: 50, 429: 1_950 });
    controller.abort();
  }, 60_000);

  test("waiting for a run that does not end", async () => {
    const answer = await served.ask(
      `mutation { executePlan(plan: { steps: [{ tool: "never" }] }) { requestId } }`,
    );
    expect(answer.errors?.[0]).toMatchObject({
      extensions: { code: "RUN_NOT_FINISHED", runId: expect.any(String) },
    });
    await served.ask("mutation($id: ID!) { cancelRun(id: $id) { id } }", {
      id: answer.errors?.[0]?.extensions.runId,
    });
  });
});

test("what goes wrong inside stays inside: the client gets an id, the log has the rest", async () => {
  const broken = await serve({});
  const { engine } = broken;
  engine.list = () => Promise.reject(new Error("SELECT * FROM runs: disk image is malformed"));
  const { status, errors, text } = await broken.ask(QUERY);
  expect(status).toBe(500);
  expect(text).not.toContain("malformed");
  const id = errors?.[0]?.extensions.id;
  expect(errors?.[0]?.message).toContain(id);
  expect(broken.logged.find((line) => line.includes(id))).toContain("disk image is malformed");
  await broken.close();
});
