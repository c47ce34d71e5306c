/* A subscriber: reads server-sent events until the stream ends, or until it has had enough. */
import type { Json } from "../../src/index.ts";
import type { Served } from "./served.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
type Event = any;

export async function* subscribe(served: Served, query: string, variables: Json = {}): AsyncGenerator<Event> {
  const controller = new AbortController();
  const response = await fetch(served.graphql, {
    method: "POST",
    headers: {
      accept: "text/event-stream",
      authorization: `Bearer ${served.admin}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ query, variables }),
    signal: controller.signal,
  });
  try {
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        if (message.startsWith("event: complete")) return;
        const [, data] = /^event: next\ndata: (.*)$/.exec(message) ?? [];
        if (data !== undefined) yield JSON.parse(data);
      }
    }
  } finally {
    controller.abort();
  }
}
