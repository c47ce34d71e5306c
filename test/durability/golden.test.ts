import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { canonicalJson, type Json } from "../../src/base/json.ts";
import { SCHEMA_VERSION } from "../../src/drivers/sqlite/migrations.ts";
import { createEngine, type Engine, type TraceEvent } from "../../src/index.ts";
import { playThrough, storeWith } from "./crash.ts";
import {
  goldenJournals,
  goldenSchemas,
  loadGoldenDatabase,
  writeGoldenDatabase,
  writeGoldenJournal,
} from "./golden.ts";
import { canonicalResult, RUN_ID } from "./play.ts";
import { answerOf, openScratch, recordOf, SOURCE, scratchFile, startOf } from "./scratch.ts";
import { WORKLOADS } from "./workloads/all.ts";
import { TOOLS } from "./workloads/tools.ts";

async function traceOf(engine: Engine): Promise<TraceEvent[]> {
  const trace: TraceEvent[] = [];
  for await (const event of engine.events(RUN_ID, { follow: false })) trace.push(event);
  return trace;
}

const isWriting = process.env.WRITE_GOLDEN === "1";

test.runIf(isWriting)("write what is missing", async () => {
  for (const workload of WORKLOADS) {
    const { ending, journal, record, source } = await playThrough(workload);
    const engine = await createEngine({
      store: await storeWith({ record, source, ending, journal, calls: [] }, journal),
      tools: TOOLS,
    });
    writeGoldenJournal({
      title: workload.title,
      record,
      source,
      journal,
      trace: JSON.parse(JSON.stringify(await traceOf(engine))),
      ending: JSON.parse(ending),
    });
    await engine.close();
  }
  writeGoldenDatabase(await someRuns());
});

/** A run that has ended, one that was left in the middle, one that waits, and one that failed. */
async function someRuns(): Promise<string> {
  const file = scratchFile();
  const engine = await createEngine({
    store: { sqlite: file },
    tools: { give: () => 1, fail: TOOLS.fail ?? (() => null) },
  });
  const two = [
    { id: "a", tool: "give" },
    { id: "b", tool: "give", dependencies: ["a"] },
  ];
  await engine.run(two, { runId: "done" });
  await engine.run(
    [
      { id: "a", tool: "give" },
      { id: "b", tool: "fail", dependencies: ["a"] },
    ],
    { runId: "failed" },
  );
  await engine.run([{ id: "a", tool: "give", arguments: { x: "{{PLACEHOLDER_x}}" } }], { runId: "waiting" });
  await engine.close();
  const driver = await openScratch(file);
  driver.create(recordOf("middle"), { ...SOURCE, plan: two }, startOf("middle"));
  driver.append("middle", 1, [answerOf(0)]);
  driver.close();
  return file;
}

describe("journals of earlier versions", () => {
  const journals = goldenJournals();

  test("are there for every workload", () => {
    expect(journals.map(({ title }) => title).sort()).toEqual(WORKLOADS.map(({ title }) => title).sort());
  });

  test.each(journals)(
    "$title, by $writtenBy, means what it meant",
    async ({ record, source, journal, trace, ending }) => {
      const store = await storeWith({ record, source, ending: "", journal, calls: [] }, journal);
      const engine = await createEngine({ store, tools: TOOLS });
      onTestFinished(() => engine.close());
      const result = await engine.get(RUN_ID);
      expect(result && canonicalResult(result)).toBe(canonicalJson(ending));
      // A later version may say more of an event, but nothing else.
      expect(JSON.parse(JSON.stringify(await traceOf(engine)))).toMatchObject(trace as object[]);
      expect((await engine.replay(RUN_ID)).problems).toEqual([]);
    },
  );
});

describe("databases of earlier versions", () => {
  test("are there for every schema", () => {
    expect(goldenSchemas()).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1));
  });

  test.each(goldenSchemas())("schema %i is brought up to date, and its runs go on", async (version) => {
    const file = scratchFile();
    loadGoldenDatabase(version, file);
    const called: string[] = [];
    const tool = (
      _: object,
      { runId, stepId }: { readonly runId: string; readonly stepId: string },
    ): Json => {
      called.push(`${runId} ${stepId}`);
      return 2;
    };
    const engine = await createEngine({ store: { sqlite: file }, tools: { give: tool, fail: tool } });
    onTestFinished(() => engine.close());
    const listed = (await engine.list()).map(({ id, status }) => `${id}: ${status}`);
    expect(listed.sort()).toEqual([
      "done: completed",
      "failed: failed",
      "middle: running",
      "waiting: waiting",
    ]);
    expect(await engine.get("done")).toMatchObject({ status: "completed", steps: { b: { result: 1 } } });
    const runs = await engine.recover();
    expect(runs.map(({ id }) => id).sort()).toEqual(["middle", "waiting"]);
    await runs.find(({ id }) => id === "waiting")?.provideInputs({ x: 1 });
    const failed = await engine.resume("failed");
    const results = await Promise.all([...runs, failed].map((run) => run.result));
    expect(results.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(called.sort()).toEqual(["failed b", "middle b", "waiting a"]);
  });

  test.each(goldenSchemas())("schema %i becomes what a new database is", async (version) => {
    const [old, fresh] = [scratchFile(), scratchFile()];
    loadGoldenDatabase(version, old);
    for (const file of [old, fresh]) (await openScratch(file)).close();
    expect(schemaOf(old)).toEqual(schemaOf(fresh));
  });
});

function schemaOf(file: string): unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  const version = database.prepare("PRAGMA user_version").get();
  database.close();
  return [version, ...rows];
}
