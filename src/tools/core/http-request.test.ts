import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { createEngine, type Engine } from "../../engine/engine.ts";

function planOf(args: JsonObject): JsonObject {
  const step = {
    execution_id: "x",
    agent_definition_path: "/agents/core/http_request.agent",
    arguments: args,
  };
  return { instructions: [step] };
}

describe("http_request", () => {
  let origin: string;
  let web: Engine;
  const requests: {
    method: string | undefined;
    url: string | undefined;
    headers: JsonObject;
    body: string;
  }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method, url } = request;
    requests.push({ method, url, headers: request.headers as JsonObject, body });
    const [status, type, text] = (
      {
        "/json": [200, "application/json", '{"a":[1]}'],
        "/problem": [404, "application/problem+json; charset=utf-8", '{"title":"none"}'],
        "/broken": [200, "application/json", "{"],
        "/latin": [200, "text/plain; charset=iso-8859-1", Buffer.from([0xe9])],
        "/image": [200, "image/png", Buffer.from([0xff, 0])],
        "/empty": [204, "text/plain", ""],
      } as Record<string, [number, string, string | Buffer]>
    )[url ?? ""] ?? [200, "text/plain", body];
    response.writeHead(status, { "content-type": type }).end(text);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    web = await createEngine({ http: { allow: ["127.0.0.1"], allowPrivate: true } });
  });

  afterAll(() => void server.close());

  async function call(args: JsonObject): Promise<JsonObject> {
    const { steps, error } = await web.run(planOf({ url: origin, ...args }));
    return (steps.x?.result ?? { ...error }) as JsonObject;
  }

  test("gives status, headers and a body that is what it says it is", async () => {
    expect(await call({ url: `${origin}/json` })).toMatchObject({
      status_code: 200,
      ok: true,
      body: { a: [1] },
      url: `${origin}/json`,
    });
    expect(await call({ url: `${origin}/problem` })).toMatchObject({
      status_code: 404,
      ok: false,
      body: { title: "none" },
    });
    expect(await call({ url: `${origin}/broken` })).toMatchObject({ body: "{" });
    expect(await call({ url: `${origin}/latin` })).toMatchObject({ body: "é" });
    expect(await call({ url: `${origin}/image` })).toMatchObject({
      body: "/wA=",
      headers: { "content-type": "image/png" },
    });
    expect(await call({ url: `${origin}/empty` })).toMatchObject({ status_code: 204, body: null });
    expect(await call({ url: `${origin}/json`, response_type: "text" })).toMatchObject({ body: '{"a":[1]}' });
    expect(await call({ url: `${origin}/broken`, response_type: "json" })).toMatchObject({
      code: "INVALID_RESPONSE",
    });
  });

  test("sends text as it is and anything else as JSON, with a key that tells repeats apart", async () => {
    requests.length = 0;
    expect(await call({ method: "POST", body: { a: 1 } })).toMatchObject({ body: '{"a":1}' });
    expect(
      await call({
        method: "PUT",
        body: "x",
        headers: { "Content-Type": "text/csv", "Idempotency-Key": "mine" },
      }),
    ).toMatchObject({ body: "x" });
    await call({ query: { q: "a&b", n: 5, list: ["x", "y"], none: null } });
    expect(requests.map(({ headers }) => headers["content-type"])).toEqual([
      "application/json",
      "text/csv",
      undefined,
    ]);
    expect(requests[0]?.headers["idempotency-key"]).toMatch(/./);
    expect(requests[1]?.headers["idempotency-key"]).toBe("mine");
    expect(requests[2]).toMatchObject({ method: "GET", url: "/?q=a%26b&n=5&list=x&list=y" });
    expect(requests[2]?.headers["idempotency-key"]).toBeUndefined();
  });

  test("fails on a status where that is asked for", async () => {
    expect(await call({ url: `${origin}/problem`, fail_on_error: true })).toMatchObject({
      name: "ToolError",
      code: "HTTP_404",
    });
  });

  test.each([
    [{ url: "not an address" }, "INVALID_REQUEST"],
    [{ url: "ftp://127.0.0.1/" }, "HTTP_NOT_ALLOWED"],
    [{ url: "http://example.com/" }, "HTTP_NOT_ALLOWED"],
    [{ body: "x" }, "INVALID_REQUEST"],
    [{ timeout_ms: 0 }, "INVALID_REQUEST"],
    [{ headers: { host: "evil" } }, "INVALID_REQUEST"],
    [{ headers: { "Transfer-Encoding": "chunked" } }, "INVALID_REQUEST"],
    [{ headers: { "content-length": 5 } }, "INVALID_REQUEST"],
    [{ headers: { "a b": "x" } }, "INVALID_REQUEST"],
    [{ headers: { a: "x\r\nhost: evil" } }, "INVALID_REQUEST"],
    [{ headers: { a: "snow ☃" } }, "INVALID_REQUEST"],
  ])("%j is refused, and nothing is sent", async (args, code) => {
    requests.length = 0;
    expect(await call(args)).toMatchObject({ code });
    expect(requests).toEqual([]);
  });

  test("an engine that allows no host calls none, and one with a wrong list is not made", async () => {
    expect((await (await createEngine()).run(planOf({ url: origin }))).error).toMatchObject({
      code: "HTTP_NOT_ALLOWED",
    });
    await expect(createEngine({ http: { allow: ["https://x"] } })).rejects.toThrow("is not a host");
  });
});
