/* A small HTTP API on loopback, and the OpenAPI document that describes it. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/index.ts";

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Shop {
  readonly url: string;
  readonly requests: readonly Request[];
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    const { method = "", url = "", headers } = incoming;
    requests.push({ method, url, headers, body });
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (url.startsWith("/v1/orders/broken")) send(503, { error: `down, ${headers.authorization}` });
    else if (url.startsWith("/v1/orders/odd")) send(200, { id: 7 });
    else if (method === "GET" && url.startsWith("/v1/orders/"))
      send(200, { id: url.split("/")[3]?.split("?")[0], lines: [{ sku: "a", parent: null }], note: null });
    else if (method === "GET")
      send(200, [
        { id: "o1", lines: [] },
        { id: "o2", lines: [] },
      ]);
    else if (method === "DELETE") response.writeHead(204).end();
    else send(201, JSON.parse(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const json = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
const order = { $ref: "#/components/schemas/Order" };

export const document: JsonObject = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example.com/v1" }],
  security: [{ bearer: [] }],
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        summary: "Orders, by what they are like.",
        parameters: [
          { name: "status", in: "query", schema: { type: "string", enum: ["open", "sent"] } },
          { name: "tag", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "ids", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
          { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
        ],
        responses: { "200": json({ type: "array", items: order }) },
      },
      post: {
        operationId: "createOrder",
        requestBody: { required: true, ...json(order) },
        responses: { "201": json(order) },
      },
    },
    "/orders/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      get: { operationId: "getOrder", responses: { "200": json(order) } },
      delete: {
        operationId: "deleteOrder",
        security: [{ key: [] }],
        responses: { "204": { description: "gone" } },
      },
    },
    "/upload": {
      post: {
        operationId: "upload",
        requestBody: { content: { "multipart/form-data": { schema: {} } } },
        responses: {},
      },
    },
    "/ping": { get: { security: [], responses: { "200": { description: "fine" } } } },
  },
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "query", name: "api_key" },
    },
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
    schemas: {
      Order: {
        type: "object",
        required: ["id", "lines"],
        properties: {
          id: { type: "string" },
          lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
          note: { type: "string", nullable: true },
        },
      },
      // A circle.
      Line: {
        type: "object",
        properties: {
          sku: { type: "string" },
          parent: { nullable: true, allOf: [{ $ref: "#/components/schemas/Line" }] },
        },
      },
    },
  },
};
