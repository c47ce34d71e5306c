/* What people try. Each gets its status and a short message, and the server goes on serving. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Json, SequiturError } from "../../src/index.ts";
import { signAccessToken } from "../../src/server/access-token.ts";
import { type Answer, answerOf, type Served, serve } from "./served.ts";

let served: Served;
const MESSAGE_LENGTH_MAX = 200;

beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), "sequitur-files-"));
  writeFileSync(join(root, "allowed.txt"), "yes");
  served = await serve(
    {
      files: { root },
      itemsMax: 50,
      stepsMax: 100,
      tools: {
        echo: (params: unknown) => params,
        break: () => {
          throw new SequiturError("SECRET_INTERNALS", "a stack with /etc/passwd in it");
        },
        never: () => new Promise(() => {}),
      },
    },
    {
      hasFiles: true,
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

/** After every attack the next honest client is served. */
afterEach(async () => {
  const { status, data } = await served.ask("{ tools { name } }");
  expect(status).toBe(200);
  expect(data.tools.length).toBeGreaterThan(0);
});

function expectRefused(answer: Answer, status: number, code: string): void {
  expect(answer.errors?.[0]?.extensions).toMatchObject({ code });
  expect(answer.status).toBe(status);
  expect(answer.errors?.[0]?.message.length).toBeLessThanOrEqual(MESSAGE_LENGTH_MAX);
}

const QUERY = "{ runs { nodes { id } } }";

describe("tokens", () => {
  test("none", async () => expectRefused(await served.ask(QUERY, {}, { token: "" }), 401, "UNAUTHENTICATED"));

  test("expired", async () => {
    const access = { subject: "x", scopes: ["admin"] };
    const { text } = await signAccessToken(access, -5_000, served.registry.key);
    const answer = await served.ask(QUERY, {}, { token: text });
    expectRefused(answer, 401, "UNAUTHENTICATED");
    expect(answer.errors?.[0]?.message).toContain("expired");
  });

  test("revoked, at once", async () => {
    const token = await served.token("leaver", "runs:read");
    expect((await served.ask(QUERY, {}, { token })).status).toBe(200);
    served.registry.revoke("leaver");
    expectRefused(await served.ask(QUERY, {}, { token }), 401, "UNAUTHENTICATED");
  });

  test("signed with the right key, but never issued", async () => {
    const { text } = await signAccessToken({ subject: "x", scopes: ["admin"] }, 60_000, served.registry.key);
    expectRefused(await served.ask(QUERY, {}, { token: text }), 401, "UNAUTHENTICATED");
  });

  test("signed with another key", async () => {
    const { text } = await signAccessToken(
      { subject: "x", scopes: ["admin"] },
      60_000,
      new Uint8Array(32).fill(7),
    );
    expectRefused(await served.ask(QUERY, {}, { token: text }), 401, "UNAUTHENTICATED");
  });

  test("not signed at all", async () => {
    const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const payload = { sub: "x", jti: "x", scope: "admin", iss: "sequitur", aud: "sequitur/server", exp: 4e9 };
    const token = `${part({ alg: "none", typ: "sequitur-access+jwt" })}.${part(payload)}.`;
    expectRefused(await served.ask(QUERY, {}, { token }), 401, "UNAUTHENTICATED");
  });

  test("made for files", async () => {
    const token = await served.engine.issueFileToken({ read: ["/"] });
    expectRefused(await served.ask(QUERY, {}, { token }), 401, "UNAUTHENTICATED");
  });

  test("changed, endless, or no token", async () => {
    for (const token of [`${served.admin.slice(0, -4)}AAAA`, "x".repeat(10_000), "a.b.c", "null"]) {
      expectRefused(await served.ask(QUERY, {}, { token }), 401, "UNAUTHENTICATED");
    }
    const basic = await served.ask(QUERY, {}, { token: "", headers: { authorization: "Basic eDp5" } });
    expectRefused(basic, 401, "UNAUTHENTICATED");
  });

  test("with the wrong scope", async () => {
    const token = await served.token("reader", "runs:read");
    expectRefused(
      await served.ask(`mutation { cancelRun(id: "x") { id } }`, {}, { token }),
      403,
      "FORBIDDEN",
    );
  });

  test("metrics are not for everybody", async () => {
    expect((await fetch(`${served.server.url}metrics`)).status).toBe(401);
    const authorization = `Bearer ${await served.token("runner", "plans:run:*")}`;
    expect((await fetch(`${served.server.url}metrics`, { headers: { authorization } })).status).toBe(403);
  });
});

/** With headers that `fetch` does not let through. */
function raw(
  path: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
  body = "",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = served.server;
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]) as [
        string,
        string,
      ][];
      const status = response.statusCode ?? 0;
      const content = [204, 304].includes(status) ? null : Buffer.concat(chunks);
      resolve(answerOf(new Response(content, { status, headers: given })));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("browsers of other people", () => {
  const json = { "content-type": "application/json" };
  const own = () => `127.0.0.1:${served.server.port}`;
  const body = JSON.stringify({ query: QUERY });

  test("other origins", async () => {
    for (const origin of [
      "https://evil.example",
      "null",
      `http://127.0.0.1:${served.server.port + 1}`,
      `http://${own()}.evil.example`,
    ]) {
      expectRefused(await served.ask(QUERY, {}, { headers: { origin } }), 403, "REFUSED");
    }
  });

  test("a preflight gets nothing", async () => {
    const answer = await raw(
      "/graphql",
      { origin: "https://evil.example", "access-control-request-method": "POST" },
      "OPTIONS",
    );
    expect(answer.status).toBe(403);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("a name that was made to mean us", async () => {
    for (const host of ["evil.example", `evil.example:${served.server.port}`, "127.0.0.1", "127.0.0.1:1"]) {
      for (const path of ["/graphql", "/", "/healthz", "/metrics"]) {
        const answer = await raw(path, { host, authorization: `Bearer ${served.admin}` });
        expect([400, 403], `${host} ${path}`).toContain(answer.status);
      }
    }
  });

  test("a session's cookie, from another site or from a form", async () => {
    const entered = await raw(`/?token=${served.admin}`, { host: own() });
    expect(entered.status).toBe(303);
    expect(entered.headers.get("location")).toBe("/");
    const setCookie = entered.headers.get("set-cookie") ?? "";
    expect(setCookie).toMatch(
      /^sequitur_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    const cookie = setCookie.split(";")[0] ?? "";
    const send = (headers: Readonly<Record<string, string>>) =>
      raw("/graphql", { host: own(), cookie, ...json, ...headers }, "POST", body);
    expect((await send({ origin: `http://${own()}` })).status).toBe(200);
    expect((await send({ "sec-fetch-site": "same-origin" })).status).toBe(200);
    expectRefused(await send({}), 403, "REFUSED");
    expectRefused(await send({ "sec-fetch-site": "cross-site" }), 403, "REFUSED");
    expectRefused(
      await send({ origin: `http://${own()}`, "content-type": "text/plain" }),
      415,
      "CONTENT_TYPE",
    );
    expectRefused(
      await send({ origin: `http://${own()}`, "content-type": "application/x-www-form-urlencoded" }),
      415,
      "CONTENT_TYPE",
    );
    expectRefused(
      await send({ origin: `http://${own()}`, cookie: "sequitur_session=guess" }),
      401,
      "UNAUTHENTICATED",
    );
  });

  test("a mutation by a link", async () => {
    const query = encodeURIComponent(`mutation { cancelRun(id: "x") { id } }`);
    const answer = await raw(`/graphql?query=${query}`, {
      host: own(),
      authorization: `Bearer ${served.admin}`,
    });
    expect(answer.status).toBe(405);
  });

  test("a wrong token in the address", async () => {
    expect((await raw("/?token=nonsense", { host: own() })).status).toBe(401);
  });

  test("pages that frame us or bring scripts of their own are told not to", async () => {
    const { headers } = await raw("/", { host: own() });
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("paths", () => {
  const PATHS = [
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/....//etc/passwd",
    "/assets/../../package.json",
    "/\\..\\..\\etc\\passwd",
    "/%00",
    "//etc/passwd",
    "/package.json",
    "/schema.graphql",
  ];

  test.each(PATHS)("of files: %s", async (path) => {
    const answer = await raw(path, { host: `127.0.0.1:${served.server.port}` });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain("root:");
  });

  test("of agents", async () => {
    for (const agent of [
      "../../../etc/passwd",
      "/../package.json",
      "/etc/passwd",
      "__proto__",
      "constructor",
      "/a\u0000b",
      "",
    ]) {
      const answer = await served.ask("mutation($agent: String) { startRun(agent: $agent) { id } }", {
        agent,
      });
      expect(["UNKNOWN_AGENT", "WHICH_PLAN"]).toContain(answer.errors?.[0]?.extensions.code);
    }
  });

  test("of the file store, from a plan", async () => {
    for (const path of [
      "/../../etc/passwd",
      "../../etc/passwd",
      "/allowed.txt/../../etc/passwd",
      "/%2e%2e/etc/passwd",
    ]) {
      const answer = await served.ask(
        'mutation($path: JSON) { startRun(agent: "/agents/core/read_file.agent", arguments: $path) { id } }',
        { path: { file_path: path } },
      );
      const id = answer.data?.startRun.id;
      if (id === undefined) continue;
      for await (const _ of served.engine.events(id));
      expect((await served.engine.get(id))?.status).toBe("failed");
    }
  });

  test("of the file store, outside the token's prefix", async () => {
    const start = `mutation { startRun(agent: "/agents/core/read_file.agent", arguments: { file_path: "/allowed.txt" }) { id } }`;
    const ends = async (token: string): Promise<string | undefined> => {
      const { data } = await served.ask(start, {}, { token });
      for await (const _ of served.engine.events(data.startRun.id));
      return (await served.engine.get(data.startRun.id))?.status;
    };
    expect(await ends(await served.token("inside", "plans:run:*", "files:/allowed.txt"))).toBe("completed");
    expect(await ends(await served.token("outside", "plans:run:*", "files:/other"))).toBe("failed");
    expect(await ends(await served.token("fileless", "plans:run:*"))).toBe("failed");
  });
});

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

function firstLine(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (chunk) => resolve(chunk.toString().split("\r\n")[0] ?? ""));
    socket.once("close", () => resolve("closed"));
  });
}

async function everything(socket: ReturnType<typeof connect>, text: string): Promise<string> {
  socket.write(text);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
    if (answer.includes("\r\n\r\n")) socket.end();
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

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
