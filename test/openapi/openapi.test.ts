/* An OpenAPI document becomes tools, which call a real server through the guarded client. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEngine, type Engine, type EngineOptions, type Json } from "../../src/index.ts";
import { folderWith, sequitur } from "../run-cli.ts";
import { document, openShop, type Shop } from "./shop.ts";

const TOKEN = "tok_live_8372hfq";
const KEY = "key_4411_secret";
let shop: Shop;
let engine: Engine;
let logged: string[];

const options = (more: object = {}): EngineOptions => ({
  openapi: {
    shop: {
      document,
      baseUrl: shop.url,
      secrets: { bearer: { $secret: "SHOP" }, key: KEY },
      allowPrivate: true,
      confirm: "never",
      ...more,
    },
  },
  secrets: { SHOP: TOKEN },
  log: ({ message }) => void logged.push(message),
});

beforeAll(async () => {
  logged = [];
  shop = await openShop();
  engine = await createEngine(options());
});

beforeEach(() => {
  (shop.requests as unknown[]).length = 0;
});

afterAll(async () => {
  await engine.close();
  await shop.close();
});

const step = (id: string, tool: string, args: object = {}) => ({
  id,
  tool: `shop.${tool}`,
  arguments: args as Json,
});

describe("tools", () => {
  test("one an operation, with schemas and what they change", () => {
    const tools = [...engine.tools.keys()].filter((name) => name.startsWith("shop."));
    expect(tools).toEqual([
      "shop.listOrders",
      "shop.createOrder",
      "shop.getOrder",
      "shop.deleteOrder",
      "shop.get_ping",
    ]);
    expect(engine.tools.get("shop.getOrder")).toMatchObject({
      sideEffects: false,
      input: { properties: { id: { type: "string" } }, required: ["id"] },
      output: { $ref: "#/$defs/Order", $defs: { Order: {}, Line: {} } },
    });
    expect(engine.tools.get("shop.createOrder")?.sideEffects).toBe(true);
    expect(logged.join("\n")).toContain('"upload" is left out: its body is none of');
  });

  test("their schemas are checked before anything runs, also through circles", () => {
    const { diagnostics } = engine.compile({
      plan: [
        step("one", "getOrder", { nr: "1" }),
        step("next", "getOrder", { id: "{{one.result.lines[0].parent.parent.sku}}" }),
        step("list", "listOrders", { status: "lost" }),
        step("wrong", "getOrder", { id: "{{one.result.title}}" }),
      ],
    });
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
    expect(errors.join("\n")).toContain('"id"');
    expect(errors.join("\n")).toContain("lost");
    expect(errors.join("\n")).toContain("title");
    expect(errors.join("\n")).not.toContain("parent");
  });
});

describe("calls", () => {
  test("put each parameter where it belongs", async () => {
    const { status, steps, error } = await engine.run({
      plan: [
        step("list", "listOrders", {
          status: "open",
          tag: ["a", "b"],
          ids: ["1", "2"],
          filter: { x: 1 },
          "X-Trace": "t",
        }),
        step("get", "getOrder", { id: "{{list.result[1].id}}" }),
        step("create", "createOrder", { body: { id: "a/b", lines: "{{get.result.lines}}" } }),
      ],
    });
    expect(error).toBeUndefined();
    expect(status).toBe("completed");
    const [list, get, create] = shop.requests;
    expect(list?.url).toBe("/v1/orders?status=open&tag=a&tag=b&ids=1%2C2&filter%5Bx%5D=1");
    expect(list?.headers).toMatchObject({ "x-trace": "t", authorization: `Bearer ${TOKEN}` });
    expect(get?.url).toBe("/v1/orders/o2");
    expect(JSON.parse(create?.body ?? "")).toEqual({ id: "a/b", lines: [{ sku: "a", parent: null }] });
    expect(create?.headers["idempotency-key"]).toBeTruthy();
    expect(steps.create?.result).toMatchObject({ id: "a/b" });
  });

  test("a value in a path stays one name of it", async () => {
    const { steps } = await engine.run({ plan: [step("a", "getOrder", { id: "x/../../admin?y" })] });
    expect(shop.requests[0]?.url).toBe("/v1/orders/x%2F..%2F..%2Fadmin%3Fy");
    expect(steps.a?.status).toBe("completed");
    const { steps: dots } = await engine.run({ plan: [step("a", "getOrder", { id: ".." })] });
    expect(dots.a?.error?.message).toContain("cannot stand in the path");
  });

  test("failures say what the API said, without credentials; results that do not fit are refused", async () => {
    const { steps } = await engine.run({ plan: [step("a", "getOrder", { id: "broken" })] });
    expect(steps.a?.error).toMatchObject({ code: "HTTP_503" });
    expect(steps.a?.error?.message).toContain("down, Bearer [secret");
    expect(JSON.stringify(steps)).not.toContain(TOKEN);
    const { steps: odd } = await engine.run({ plan: [step("a", "getOrder", { id: "odd" })] });
    expect(odd.a?.error?.name).toBe("SchemaValidationError");
  });

  test("another scheme, for the operation that wants it", async () => {
    const { status } = await engine.run({ plan: [step("a", "deleteOrder", { id: "o1" })] });
    expect(status).toBe("completed");
    expect(shop.requests[0]).toMatchObject({ method: "DELETE", url: `/v1/orders/o1?api_key=${KEY}` });
    expect(shop.requests[0]?.headers.authorization).toBeUndefined();
  });

  test("DELETE waits for a person, and loopback is refused, unless the configuration says otherwise", async () => {
    const careful = await createEngine(options({ confirm: undefined, allowPrivate: undefined }));
    expect((await careful.run({ plan: [step("a", "deleteOrder", { id: "1" })] })).status).toBe("waiting");
    const { steps } = await careful.run({ plan: [step("a", "getOrder", { id: "1" })] });
    expect(steps.a?.error).toMatchObject({ code: "HTTP_NOT_ALLOWED" });
    await careful.close();
  });

  test("a credential that is missing is named", async () => {
    const without = await createEngine(options({ secrets: {} }));
    const { steps } = await without.run({ plan: [step("a", "getOrder", { id: "1" })] });
    expect(steps.a?.error?.message).toContain('"getOrder" needs credentials: give "secrets" with bearer.');
    await without.close();
  });
});

test.each([
  [{ swagger: "2.0", paths: {} }, "must be OpenAPI 3.0 or 3.1"],
  ["nowhere.json", "nowhere.json cannot be read"],
  [{ openapi: "3.1.0" }, 'has no "paths"'],
])("a document that is none: %j", async (given, message) => {
  await expect(createEngine({ openapi: { x: { document: given } } })).rejects.toThrow(message);
});

test("on the command line, with the hosts that http_request may call", async () => {
  const folder = folderWith({
    "sequitur.config.json": {
      openapi: {
        shop: {
          document: "api/shop.json",
          baseUrl: shop.url,
          allowPrivate: true,
          secrets: { bearer: { $secret: "SHOP" } },
        },
      },
      http: { allow: ["127.0.0.1"], allowPrivate: true },
    },
    "api/shop.json": document,
    "a.plan.json": {
      plan: [
        step("get", "getOrder", { id: "7" }),
        {
          id: "plain",
          tool: "sequitur.core.http_request",
          arguments: { url: `${shop.url}/orders/{{get.result.id}}` },
        },
      ],
    },
    "bad/sequitur.config.json": { http: { allowed: [] } },
  });
  const { code, out, err } = await sequitur(folder, ["run", "a.plan.json", "--json"], {
    env: { SEQUITUR_SECRET_SHOP: TOKEN },
  });
  expect(code, err).toBe(0);
  expect(JSON.parse(out).steps.plain.result).toMatchObject({ status_code: 200 });
  expect(out).not.toContain(TOKEN);
  const bad = await sequitur(`${folder}/bad`, ["run", "x.plan.json"]);
  expect(bad.code).toBe(2);
  expect(bad.err).toContain('"http.allowed" in sequitur.config.json cannot be used');
});
