import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolContext } from "../../src/index.ts";
import { subscribe } from "./event-source.ts";
import { type Served, serve } from "./served.ts";

let served: Served;

beforeAll(async () => {
  served = await serve({
    tools: {
      /** Says so many texts of so many characters, a few in each turn of the event loop. */
      talk: async ({ texts, length }: { texts: number; length: number }, { emit }: ToolContext) => {
        for (let i = 0; i < texts; i++) {
          emit({ kind: "TextEmitted", text: `${i} `.padEnd(length, "x") });
          if (i % 20 === 0) await new Promise(setImmediate);
        }
        return { texts };
      },
      echo: (params: unknown) => params,
    },
  });
});

afterAll(() => served.close());

const START = "mutation($source: JSON) { startRun(source: $source) { id } }";
const EVENTS =
  "subscription($id: ID!, $after: Int) { runEvents(id: $id, after: $after) { seq kind step data } }";

async function start(texts: number, length: number): Promise<string> {
  const source = { steps: [{ tool: "talk", params: { texts, length } }] };
  return (await served.ask(START, { source })).data.startRun.id;
}

test("a subscriber that comes back with its last number misses nothing, and sees nothing twice", async () => {
  const id = await start(400, 10);
  const seen: number[] = [];
  // Leaves after 1, 2, 4, 8 … events, wherever the run is by then.
  for (let patience = 1, over = false; !over; patience *= 2) {
    let taken = 0;
    for await (const { data } of subscribe(served, EVENTS, { id, after: seen.at(-1) ?? 0 })) {
      seen.push(data.runEvents.seq);
      over = data.runEvents.kind === "RunFinished";
      if (++taken >= patience) break;
    }
  }
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1));
  expect(seen.length).toBeGreaterThan(400);
});

test("what is read later is what was seen live", async () => {
  const id = await start(50, 10);
  const live: unknown[] = [];
  for await (const event of subscribe(served, EVENTS, { id })) live.push(event);
  const later: unknown[] = [];
  for await (const event of subscribe(served, EVENTS, { id })) later.push(event);
  expect(later).toEqual(live);
});

test("a run that does not exist is said to be none", async () => {
  const { errors } = await served.ask(EVENTS, { id: "nope" });
  expect(errors?.[0]).toMatchObject({
    message: `There is no run "nope".`,
    extensions: { code: "UNKNOWN_RUN" },
  });
});

test("changes of runs are announced, each run as it stands", async () => {
  const changes = subscribe(served, "subscription { runsChanged { missed runs { id status plan } } }");
  const first = changes.next();
  // The subscription is open when the server has counted it.
  while (!(await metrics()).includes("sequitur_subscriptions_open 1")) await new Promise(setImmediate);
  const { data } = await served.ask(START, { source: [{ id: "a", tool: "echo" }] });
  const seen: { id: string; status: string }[] = (await first).value.data.runsChanged.runs;
  while (seen.at(-1)?.status !== "completed")
    seen.push(...(await changes.next()).value.data.runsChanged.runs);
  expect(seen.at(-1)).toMatchObject({ id: data.startRun.id, status: "completed" });
  await changes.return(undefined);
  while (!(await metrics()).includes("sequitur_subscriptions_open 0")) await new Promise(setImmediate);
});

async function metrics(): Promise<string> {
  const response = await fetch(`${served.server.url}metrics`, {
    headers: { authorization: `Bearer ${served.admin}` },
  });
  return response.text();
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("a subscriber that never reads does not grow the server's memory", async () => {
  const warm = await start(100, 10_000);
  for await (const _ of served.engine.events(warm));
  const before = heldBytes();
  const idle = await Promise.all(Array.from({ length: 5 }, () => silentSubscriber()));
  // 5 subscribers times 20 MB that nobody takes.
  const texts = 2_000;
  const id = await start(texts, 10_000);
  for (const { ask } of idle) ask(id);
  let count = 0;
  for await (const event of served.engine.events(id)) if (event.kind === "TextEmitted") count++;
  expect(count).toBe(texts);
  expect(heldBytes() - before).toBeLessThan(20_000_000);
  for (const { socket } of idle) socket.destroy();
}, 30_000);

/** Sends a subscription and reads nothing of what comes. */
async function silentSubscriber() {
  const socket = connect(served.server.port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.pause();
  const ask = (id: string): void => {
    const body = JSON.stringify({ query: EVENTS, variables: { id } });
    socket.write(
      [
        "POST /graphql HTTP/1.1",
        `Host: 127.0.0.1:${served.server.port}`,
        `Authorization: Bearer ${served.admin}`,
        "Accept: text/event-stream",
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "",
        body,
      ].join("\r\n"),
    );
  };
  return { socket, ask };
}
