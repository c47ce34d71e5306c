/* A server on loopback that speaks the OpenAI-compatible interface and answers by a script, one answer a request. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type ScriptedAnswer =
  | string
  | {
      readonly text?: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Sent as one JSON document, not as a stream. */
      readonly whole?: boolean;
      /** The connection is cut after the first piece. */
      readonly breaksOff?: boolean;
      readonly finish?: string;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
    };

export interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [key: string]: unknown;
  };
}

export interface ScriptedModel {
  readonly baseUrl: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export type Script = ScriptedAnswer | ((request: SeenRequest) => ScriptedAnswer);

/** What it has no answer for any more, it answers with the last one. */
export async function scriptedModel(...script: Script[]): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const seen = await read(incoming);
    const next = script[Math.min(requests.length, script.length - 1)] ?? "";
    requests.push(seen);
    answer(response, seen, typeof next === "function" ? next(seen) : next);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  const { url = "", headers } = incoming;
  return { path: url, authorization: headers.authorization, body: JSON.parse(text) as SeenRequest["body"] };
}

function answer(response: ServerResponse, seen: SeenRequest, scripted: ScriptedAnswer): void {
  const given = typeof scripted === "string" ? { text: scripted } : scripted;
  if (given.status !== undefined || given.body !== undefined) {
    response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers });
    response.end(given.body ?? JSON.stringify({ error: { message: "scripted failure" } }));
    return;
  }
  const usage = { prompt_tokens: given.inputTokens ?? 10, completion_tokens: given.outputTokens ?? 5 };
  if (seen.path.endsWith("/embeddings")) {
    const input = seen.body.input as readonly string[];
    const data = input.map((text) => ({ embedding: [text.length, 0.5] }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data, usage: { prompt_tokens: usage.prompt_tokens } }));
    return;
  }
  const { text = "", finish = "stop" } = given;
  if (given.whole === true) {
    response.writeHead(200, { "content-type": "application/json" });
    const choices = [{ message: { content: text }, finish_reason: finish }];
    response.end(JSON.stringify({ choices, usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (chunk: unknown) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  // In pieces that end in the middle of words, as models send them.
  for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) {
    send({ choices: [{ delta: { content: piece } }] });
    if (given.breaksOff === true) {
      response.socket?.destroy();
      return;
    }
  }
  send({ choices: [{ delta: {}, finish_reason: finish }] });
  send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}
