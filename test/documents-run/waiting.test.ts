/* A run that waits for a person holds nothing: shown with processes that end by themselves while their runs wait. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { createEngine } from "../../src/index.ts";

const child = fileURLToPath(new URL("./waiting-child.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sequitur-waiting-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the process reported, once it has ended by itself. */
async function reports(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", child, ...args], {
    timeout: 60_000,
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const stores = [
  ["in memory", "memory"],
  ["in SQLite", join(folder, "waiting.db")],
] as const;

describe.each(stores)("a run that waits, kept %s", { timeout: 60_000 }, (_, store) => {
  test("holds no timer, thread or loop: its process has nothing to do and ends", async () => {
    const [waiting] = await reports(store);
    expect(waiting).toEqual({ status: "waiting", questions: ["x", "c"], resources: [], held: [] });
  });

  test("goes on at once when it is answered", async () => {
    const [, done] = await reports(store, "answer");
    expect(done).toMatchObject({ status: "completed", b: { n: 1, x: 5 } });
    // A handful of turns of the event loop, not of a clock.
    expect(done?.turns).toBeLessThan(20);
  });
});

describe("a run that waits in a file", () => {
  const plan = [{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } }];
  const tools = { echo: (params: object) => params };

  test("goes on in whichever process it is answered, and is seen to end in the other", async () => {
    const store = { sqlite: join(folder, "seen.db") };
    const [one, two] = [await createEngine({ store, tools }), await createEngine({ store, tools })];
    const here = await one.start(plan, { runId: "r1" });
    await (await two.resume("r1")).provideInputs({ x: "there" });
    expect((await here.result).steps.a?.result).toEqual({ x: "there" });
    await one.close();
    await two.close();
  });

  test("is answered by another engine; the first one, answering too late, hears of it", async () => {
    const store = { sqlite: join(folder, "two.db") };
    const [one, two] = [await createEngine({ store, tools }), await createEngine({ store, tools })];
    const here = await one.start(plan, { runId: "r1" });
    const there = await two.resume("r1");
    await there.provideInputs({ x: "there" });
    expect((await there.result).steps.a?.result).toEqual({ x: "there" });
    await expect(here.provideInputs({ x: "here" })).rejects.toThrow(/not taken: another process .* "r1"/);
    await expect(here.provideInputs({ x: "here" })).rejects.toMatchObject({ code: "RUN_ENDED" });
    expect((await here.result).steps.a?.result).toEqual({ x: "there" });
    for (const engine of [one, two])
      expect((await engine.get("r1"))?.steps.a?.result).toEqual({ x: "there" });
    await one.close();
    await two.close();
  });
});
