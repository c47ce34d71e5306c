/* What attackers send, and what they are to get. */
import { request } from "node:http";
import type { Socket } from "node:net";
import { expect } from "vitest";
import { type Answer, answerOf, type Served } from "./served.ts";

const MESSAGE_LENGTH_MAX = 200;

/** The status, the code, and a short message. */
export function expectRefused(answer: Answer, status: number, code: string): void {
  expect(answer.errors?.[0]?.extensions).toMatchObject({ code });
  expect(answer.status).toBe(status);
  expect(answer.errors?.[0]?.message.length).toBeLessThanOrEqual(MESSAGE_LENGTH_MAX);
}

/** After every attack the next honest client is served. */
export async function expectServing(served: Served): Promise<void> {
  const { status, data } = await served.ask("{ tools { name } }");
  expect(status).toBe(200);
  expect(data.tools.length).toBeGreaterThan(0);
}

/** With headers that `fetch` does not let through. */
export function raw(
  served: Served,
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

export function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (chunk) => resolve(chunk.toString().split("\r\n")[0] ?? ""));
    socket.once("close", () => resolve("closed"));
  });
}

export async function everything(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
    if (answer.includes("\r\n\r\n")) socket.end();
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}
