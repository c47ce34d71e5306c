/* A server that means harm: bounded, reported, and nothing else harmed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createEngine, type Engine, type EngineOptions, type Json, type RunResult } from "../../src/index.ts";
import { folderWith } from "../run-cli.ts";
import { hostile } from "./servers.ts";

let engine: Engine;
let logged: string[] = [];

afterEach(async () => {
  await engine.close();
  logged = [];
});

async function open(more: EngineOptions = {}): Promise<void> {
  engine = await createEngine({
    mcpServers: { evil: hostile({ cwd: folderWith({}), env: { API_KEY: "sk-very-secret-1234" } }) },
    tools: { good: () => "good" },
    log: ({ message }) => void logged.push(message),
    ...more,
  });
}

const call = (tool: string, more: object = {}) => ({
  id: tool,
  tool: `evil.${tool}`,
  arguments: {},
  ...more,
});

function run(...plan: readonly Json[]): Promise<RunResult> {
  return engine.run({ plan });
}

describe("what a server lists", () => {
  test("is taken where it can be used, and reported where it cannot", async () => {
    await open();
    const names = [...engine.tools.keys()].filter((name) => name.startsWith("evil."));
    expect(names).toContain("evil.fine");
    expect(names).toContain("evil.__proto__");
    expect(names.filter((name) => /passwd|undefined|\n/.test(name))).toEqual([]);
    const all = logged.join("\n");
    expect(all).toContain('It lists two tools called "fine"');
    expect(all).toContain("a tool without a usable name");
    expect(all).toMatch(
      /inputSchema of "bad_schema" is not used: .*nonsense|inputSchema of "bad_schema" is not used/,
    );
    expect(all).toContain('outputSchema of "exploding_schema" is not used: it refers to itself');
    expect(all).toContain('inputSchema of "deep_schema" is not used: it is nested');
    expect(logged.length).toBeLessThan(60);
  });

  test("is cut, and cleaned of what nobody sees", async () => {
    await open();
    const description = engine.tools.get("evil.prompt")?.description ?? "";
    expect(description.length).toBeLessThan(2_100);
    expect(description).not.toMatch(/[\u202e\u0007]/);
  });

  test("does not take names from others", async () => {
    await open({ tools: { "evil.fine": () => "mine" } });
    const { steps } = await run(call("fine"));
    expect(steps.fine?.result).toBe("mine");
    expect(logged.join("\n")).toContain('The name "evil.fine" is taken');
  });

  test("changes while plans run: tools that are gone fail, new ones are there", async () => {
    await open();
    const changed = new Promise<void>((resolve) => {
      const look = (): void => void (engine.tools.has("evil.huge") ? setTimeout(look, 20) : resolve());
      look();
    });
    expect((await run(call("many_events"))).status).toBe("completed");
    await changed;
    await expect(run(call("huge"))).rejects.toThrow('There is no tool called "evil.huge"');
    expect([...engine.tools.keys()].some((name) => /^evil\.new_1\d\d$/.test(name))).toBe(true);
    expect((await run(call("fine"))).status).toBe("completed");
  });
});

describe("what a server sends", () => {
  test("100 MB are not read: that call fails, and the others do not", async () => {
    await open();
    const { steps } = await engine.run(
      { plan: [call("huge"), call("fine"), { id: "good", tool: "good", arguments: {} }] },
      { mode: "continue" },
    );
    expect(steps.huge).toMatchObject({ status: "failed", error: { code: "RESULT_TOO_LARGE" } });
    expect(steps.huge?.error?.message).toMatch(/has 10485\d{4} bytes/);
    expect(steps.fine?.result).toBe("fine");
    expect(steps.good?.result).toBe("good");
    // The server itself is still the same one.
    expect(logged.join("\n")).not.toContain("has ended");
  });

  test.each(["endless_line", "flood"])("%s: the server is given up, and started again", async (tool) => {
    await open({ mcpServers: { evil: hostile({ cwd: folderWith({}), messageBytesMax: 1_000_000 }) } });
    const { steps } = await run(call(tool));
    expect(steps[tool]).toMatchObject({ status: "failed", error: { code: "SERVER_GONE" } });
    expect((await run(call("fine"))).steps.fine?.result).toBe("fine");
  });

  test("events are bounded", async () => {
    await open();
    const { id } = await run(call("many_events"));
    let events = 0;
    let bytes = 0;
    for await (const event of engine.events(id)) {
      events++;
      bytes += JSON.stringify(event).length;
    }
    expect(events).toBeGreaterThan(100);
    expect(events).toBeLessThan(250);
    expect(bytes).toBeLessThan(1_000_000);
  });

  test("nothing at all: the call ends by its timeout", async () => {
    await open();
    const { steps } = await run(call("silence", { policy: { timeout_ms: 300 } }));
    expect(steps.silence).toMatchObject({ status: "failed", error: { code: "TIMEOUT" } });
  });
});

describe("a server that dies", () => {
  test("fails the call as one that can be tried again, and is started by the next one", async () => {
    await open();
    const { steps } = await run(call("die", { policy: { retries: 1 } }));
    expect(steps.die).toMatchObject({ status: "failed", attempts: 2, error: { code: "SERVER_GONE" } });
    expect((await run(call("fine"))).steps.fine?.result).toBe("fine");
  });

  test("is asked again without a word in the plan, where the tool only reads", async () => {
    await open();
    const { steps } = await run(call("die_once"));
    expect(steps.die_once).toMatchObject({ status: "completed", attempts: 1, result: "alive" });
  });

  test("again and again is not started for ever", async () => {
    await open();
    const { steps } = await run(call("die", { policy: { retries: 9, backoff: { base_ms: 1 } } }));
    expect(steps.die?.error?.message).toContain("started 5 times within a minute");
    expect((await run({ id: "good", tool: "good", arguments: {} })).status).toBe("completed");
  });
});

describe("what a tool gives", () => {
  test("is never a reference, a secret, a plan or a prototype", async () => {
    let seen: unknown;
    await open({
      tools: { look: (params: unknown) => void (seen = params) },
      secrets: { API_KEY: "sk-very-secret-1234" },
    });
    const { status, steps } = await run(call("reference"), {
      id: "look",
      tool: "look",
      arguments: { all: "{{reference.result}}", text: "{{reference.result.reference}}" },
    });
    expect(status).toBe("completed");
    expect(Object.keys(steps)).toEqual(["reference", "look"]);
    const text = "{{fine.result}} ${step[0].data} REF:fine";
    expect(seen).toMatchObject({ text, all: { path: "/../../etc/passwd", $secret: "API_KEY" } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("is no path outside the file store", async () => {
    const root = folderWith({ "store/keep": "" });
    await open({ files: { root: join(root, "store") } });
    const fileToken = await engine.issueFileToken({ read: ["/"], write: ["/"] });
    const { steps, id } = await engine.run({ plan: [call("image")] }, { fileToken });
    const files = ((steps.image?.result ?? []) as { file: string }[]).map(({ file }) => file);
    expect(files).toEqual([`/mcp/${id}/image-0.bin`, `/mcp/${id}/image-1.png`]);
    expect(readFileSync(join(root, "store", files[1] ?? "")).length).toBe(100_000);
    expect(readdirSync(root)).toEqual(["store"]);
    expect(existsSync("/tmp/evil")).toBe(false);
    // Nor does a path that it names open anything.
    const plan = [
      call("reference"),
      { id: "read", tool: "sequitur.core.read_file", arguments: { file_path: "{{reference.result.path}}" } },
    ];
    const second = await engine.run({ plan }, { fileToken });
    expect(second.steps.read?.error?.message).toContain("is not a path in the file store");
  });
});
