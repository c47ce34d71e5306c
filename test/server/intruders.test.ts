/* Those who do not belong here. Each gets its status and a short message, and the server goes on serving. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import { signAccessToken } from "../../src/server/access-token.ts";
import { expectRefused, expectServing, raw } from "./refusals.ts";
import { type Served, serve } from "./served.ts";

let served: Served;

beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), "sequitur-files-"));
  writeFileSync(join(root, "allowed.txt"), "yes");
  served = await serve({ files: { root }, tools: { echo: (params: unknown) => params } }, { hasFiles: true });
});

afterAll(() => served.close());

afterEach(() => expectServing(served));

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
      served,
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
        const answer = await raw(served, path, { host, authorization: `Bearer ${served.admin}` });
        expect([400, 403], `${host} ${path}`).toContain(answer.status);
      }
    }
  });

  test("a session's cookie, from another site or from a form", async () => {
    const entered = await raw(served, `/?token=${served.admin}`, { host: own() });
    expect(entered.status).toBe(303);
    expect(entered.headers.get("location")).toBe("/");
    const setCookie = entered.headers.get("set-cookie") ?? "";
    expect(setCookie).toMatch(
      /^sequitur_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    const cookie = setCookie.split(";")[0] ?? "";
    const send = (headers: Readonly<Record<string, string>>) =>
      raw(served, "/graphql", { host: own(), cookie, ...json, ...headers }, "POST", body);
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
    const answer = await raw(served, `/graphql?query=${query}`, {
      host: own(),
      authorization: `Bearer ${served.admin}`,
    });
    expect(answer.status).toBe(405);
  });

  test("a wrong token in the address", async () => {
    expect((await raw(served, "/?token=nonsense", { host: own() })).status).toBe(401);
  });

  test("pages that frame us or bring scripts of their own are told not to", async () => {
    const { headers } = await raw(served, "/", { host: own() });
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
    const answer = await raw(served, path, { host: `127.0.0.1:${served.server.port}` });
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
