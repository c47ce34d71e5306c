import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HttpRequest } from "../core/core-agent.ts";
import { type HttpOptions, httpClient } from "./client.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server;
let origin: string;
let handler: Handler;
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];

beforeEach(async () => {
  seen = [];
  handler = (_request, response) => response.end("ok");
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    handler(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const LOCAL: HttpOptions = { allow: ["127.0.0.1"], allowPrivate: true };

function requestTo(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "GET",
    url: new URL(url),
    headers: new Map(),
    body: undefined,
    timeoutMs: 10_000,
    redirectsMax: 5,
    signal: new AbortController().signal,
    ...more,
  };
}

async function textOf(
  url: string,
  options: HttpOptions = LOCAL,
  more: Partial<HttpRequest> = {},
): Promise<string> {
  return Buffer.from((await httpClient(options).send(requestTo(url, more))).body).toString();
}

async function failureOf(
  url: string,
  options: HttpOptions = LOCAL,
  more: Partial<HttpRequest> = {},
): Promise<unknown> {
  return httpClient(options)
    .send(requestTo(url, more))
    .then(
      (response) => response,
      (error: unknown) => error,
    );
}

test("sends the request and gives the response", async () => {
  handler = (_request, response) => response.writeHead(201, { "x-answer": "42" }).end("made");
  const headers = new Map([["x-mine", "1"]]);
  const response = await httpClient(LOCAL).send(
    requestTo(`${origin}/a?b=c`, { method: "POST", body: "hällo", headers }),
  );
  expect(response).toMatchObject({ status: 201, url: `${origin}/a?b=c` });
  expect(response.headers["x-answer"]).toBe("42");
  expect(Buffer.from(response.body).toString()).toBe("made");
  expect(seen).toMatchObject([{ method: "POST", url: "/a?b=c", body: "hällo" }]);
  expect(seen[0]?.headers).toMatchObject({
    "x-mine": "1",
    "content-length": "6",
    host: new URL(origin).host,
  });
});

describe("where it may go", () => {
  test("only to hosts that are allowed; none unless said so", async () => {
    for (const options of [
      {},
      { allow: ["api.example.com"], allowPrivate: true },
      { allow: ["127.0.0.1:1"], allowPrivate: true },
    ]) {
      const error = await failureOf(origin, options);
      expect(error).toMatchObject({ code: "HTTP_NOT_ALLOWED", retryable: false });
      expect(String(error)).toContain(`createEngine({ http: { allow: ["127.0.0.1"] } })`);
    }
    expect(seen).toEqual([]);
  });

  test("not to this machine or its network, in any spelling, unless that is allowed", async () => {
    const { port } = new URL(origin);
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "0x7f.0.0.1",
      "0177.0.0.1",
      "127.1",
      "[::ffff:127.0.0.1]",
      "[::1]",
      "0.0.0.0",
      "10.0.0.1",
    ]) {
      const error = await failureOf(`http://${host}:${port}/`, { allow: ["*"] });
      expect(error).toMatchObject({ code: "HTTP_NOT_ALLOWED", retryable: false });
      expect(String(error)).toContain("allowPrivate: true");
    }
    expect(seen).toEqual([]);
  });

  test("a name is judged by every address it has", async () => {
    const resolve = async (): Promise<string[]> => ["93.184.216.34", "127.0.0.1"];
    const error = await failureOf("http://sly.test/", { allow: ["sly.test"], resolve });
    expect(String(error)).toContain("may not connect to sly.test (127.0.0.1)");
  });

  test("a metadata service has to be allowed by its own address", async () => {
    for (const allow of [["*"], ["meta.test"]]) {
      const resolve = async (): Promise<string[]> => ["169.254.169.254"];
      const error = await failureOf("http://meta.test/latest", { allow, allowPrivate: true, resolve });
      expect(error).toMatchObject({ code: "HTTP_NOT_ALLOWED" });
      expect(String(error)).toContain(`allow: ["169.254.169.254"]`);
    }
  });

  test("the connection is made to the address that was checked: a name that changes its mind leads nowhere else", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    let asked = 0;
    const resolve = async (): Promise<string[]> => answers[asked++] ?? [];
    const { port } = new URL(origin);
    const options = { allow: ["name.test"], allowPrivate: true, resolve };
    expect(await textOf(`http://name.test:${port}/`, options)).toBe("ok");
    expect(asked).toBe(1);
    expect(seen[0]?.headers.host).toBe(`name.test:${port}`);
  });

  test.each(["ftp://127.0.0.1/", "file:///etc/passwd", "data:text/plain,x", "http://user:pass@127.0.0.1/"])(
    "not to %s",
    async (url) => {
      expect(await failureOf(url)).toMatchObject({ retryable: false });
    },
  );

  test("a name without an address, a port where nobody listens", async () => {
    const none = await failureOf("http://none.test/", { allow: ["*"], resolve: async () => [] });
    expect(String(none)).toContain("There is no address for none.test");
    server.close();
    server.closeAllConnections();
    const refused = await failureOf(origin);
    expect(refused).toMatchObject({ code: "HTTP_FAILED", retryable: true });
    expect(String(refused)).toContain("nobody accepts connections there");
  });
});

describe("redirects", () => {
  function redirects(map: Record<string, [number, string]>): void {
    handler = (request, response, body) => {
      const [status, location] = map[request.url ?? ""] ?? [200, ""];
      if (status === 200) response.end(`${request.method} ${request.url} ${body}`);
      else response.writeHead(status, { location }).end("moved");
    };
  }

  test("are followed, each checked again", async () => {
    redirects({ "/a": [302, "/b"], "/b": [307, `${origin}/c`] });
    expect(await textOf(`${origin}/a`)).toBe("GET /c ");
  });

  test("do not lead to hosts that are not allowed", async () => {
    redirects({ "/a": [302, "http://localhost.evil.test/"] });
    expect(await failureOf(`${origin}/a`)).toMatchObject({ code: "HTTP_NOT_ALLOWED" });
    redirects({ "/a": [302, "file:///etc/passwd"] });
    expect(await failureOf(`${origin}/a`)).toMatchObject({ code: "HTTP_NOT_ALLOWED" });
  });

  test("do not lead to metadata services, nor to private addresses behind a name", async () => {
    redirects({ "/a": [302, "http://169.254.169.254/latest/meta-data/"], "/b": [302, "http://inner.test/"] });
    const all = { ...LOCAL, allow: ["*"] };
    expect(String(await failureOf(`${origin}/a`, all))).toContain("may not connect to 169.254.169.254");
    const resolve = async (): Promise<string[]> => ["fd00:ec2::254"];
    expect(String(await failureOf(`${origin}/b`, { ...all, resolve }))).toContain(
      "may not connect to inner.test (fd00:ec2::254)",
    );
    expect(seen.map(({ url }) => url)).toEqual(["/a", "/b"]);
  });

  test("end after so many, and can be left alone", async () => {
    redirects({ "/a": [302, "/a"] });
    expect(String(await failureOf(`${origin}/a`))).toContain("redirects more than 5 times");
    expect(seen).toHaveLength(6);
    const response = await httpClient(LOCAL).send(requestTo(`${origin}/a`, { redirectsMax: 0 }));
    expect(response).toMatchObject({ status: 302 });
    expect(response.headers.location).toBe("/a");
  });

  test("303 becomes GET without a body, 307 stays what it was", async () => {
    redirects({ "/a": [303, "/c"], "/b": [307, "/c"], "/d": [301, "/c"] });
    const post = { method: "POST", body: "x", headers: new Map([["content-type", "text/plain"]]) };
    expect(await textOf(`${origin}/a`, LOCAL, post)).toBe("GET /c ");
    expect(await textOf(`${origin}/b`, LOCAL, post)).toBe("POST /c x");
    expect(await textOf(`${origin}/d`, LOCAL, post)).toBe("GET /c ");
    expect(seen.map(({ headers }) => headers["content-type"])).toEqual([
      "text/plain",
      undefined,
      "text/plain",
      "text/plain",
      "text/plain",
      undefined,
    ]);
  });

  test("credentials end with the origin they were meant for", async () => {
    const { port } = new URL(origin);
    redirects({ "/a": [302, `http://other.test:${port}/c`], "/b": [302, "/c"] });
    const headers = new Map([
      ["authorization", "Bearer x"],
      ["cookie", "c=1"],
      ["x-api-key", "k"],
      ["x-plain", "p"],
    ]);
    const options = {
      allow: ["127.0.0.1", "other.test"],
      allowPrivate: true,
      resolve: async () => ["127.0.0.1"],
    };
    await textOf(`${origin}/a`, options, { headers });
    await textOf(`${origin}/b`, options, { headers });
    const sent = seen.map(({ headers: { authorization, cookie, ...rest } }) => [
      authorization,
      cookie,
      rest["x-api-key"],
      rest["x-plain"],
    ]);
    const whole = ["Bearer x", "c=1", "k", "p"];
    expect(sent).toEqual([whole, [undefined, undefined, undefined, "p"], whole, whole]);
  });
});

describe("limits", () => {
  test("a body that is too large is not read to its end", async () => {
    handler = (_request, response) => {
      response.on("error", () => {});
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    const error = await failureOf(origin, { ...LOCAL, responseBytesMax: 100_000 });
    expect(error).toMatchObject({ code: "HTTP_TOO_LARGE", retryable: false });
  });

  test("a small body that unpacks to a large one counts unpacked", async () => {
    handler = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(1_000_000)));
    expect(await failureOf(origin, { ...LOCAL, responseBytesMax: 100_000 })).toMatchObject({
      code: "HTTP_TOO_LARGE",
    });
  });

  test("a body that is packed all the same is unpacked", async () => {
    handler = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    expect(await textOf(origin)).toBe("packed");
    handler = (_request, response) =>
      response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync("packed"));
    expect(await textOf(origin)).toBe("packed");
    handler = (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("not packed");
    expect(await failureOf(origin)).toMatchObject({ code: "HTTP_FAILED" });
    handler = (_request, response) => response.writeHead(200, { "content-encoding": "zip" }).end("x");
    expect(await failureOf(origin)).toMatchObject({ code: "INVALID_RESPONSE" });
  });

  test("a server that never answers, or never ends, runs into the time limit", async () => {
    handler = () => {};
    expect(await failureOf(origin, LOCAL, { timeoutMs: 30 })).toMatchObject({
      code: "TIMEOUT",
      retryable: true,
    });
    handler = (_request, response) => void response.write("begun");
    expect(await failureOf(origin, LOCAL, { timeoutMs: 30 })).toMatchObject({ code: "TIMEOUT" });
    expect(await failureOf(origin, { ...LOCAL, timeoutMsMax: 30 })).toMatchObject({ code: "TIMEOUT" });
  });

  test("so does a name that is never resolved", async () => {
    const options = { allow: ["slow.test"], resolve: () => new Promise<string[]>(() => {}) };
    expect(await failureOf("http://slow.test/", options, { timeoutMs: 30 })).toMatchObject({
      code: "TIMEOUT",
    });
  });

  test("a signal that fires ends the request", async () => {
    const controller = new AbortController();
    handler = () => controller.abort(new Error("enough"));
    expect(await failureOf(origin, LOCAL, { signal: controller.signal })).toMatchObject({
      code: "HTTP_FAILED",
    });
    expect(await failureOf(origin, LOCAL, { signal: controller.signal })).toMatchObject({
      code: "HTTP_FAILED",
    });
    expect(seen).toHaveLength(1);
  });

  test("a connection that is cut in the middle is a failure", async () => {
    handler = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    };
    expect(await failureOf(origin)).toMatchObject({ code: "HTTP_FAILED", retryable: true });
  });
});
