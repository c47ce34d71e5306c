import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { createEngine, type Engine } from "../../src/index.ts";
import { agent, call, field } from "../scene.ts";
import { aborted, calls, tools, world } from "./cluster-tools.ts";
import { hasServer } from "./server.ts";
import { type ClusterStage, invocations, openCluster, until } from "./stage.ts";

const question: Json = [{ id: "a", tool: "next", arguments: { n: "{{PLACEHOLDER_n}}" } }];
const timesOf = (step: string): number => calls.filter((id) => id === step).length;

describe.skipIf(!hasServer())("a cluster", { retry: 1 }, () => {
  let stage: ClusterStage;
  let engine: Engine;

  beforeAll(async () => {
    stage = await openCluster();
    await stage.worker({ tools });
    engine = await stage.engine({ tools });
  });
  afterAll(() => stage?.close());

  test("runs are listed, shown and traced as local ones are, by an engine that knows nothing of the cluster", async () => {
    const { id } = await engine.run([{ id: "a", tool: "next", arguments: { n: 1 } }]);
    const other = await createEngine({ store: stage.store, tools });
    expect((await other.list()).find((run) => run.id === id)?.status).toBe("completed");
    expect((await other.get(id))?.steps.a?.result).toEqual({ n: 2 });
    expect((await other.replay(id)).problems).toEqual([]);
    const kinds: string[] = [];
    for await (const { kind } of other.events(id)) kinds.push(kind);
    expect(kinds).toEqual(["RunStarted", "StepStarted", "StepSucceeded", "RunFinished"]);
    expect(await other.recover()).toEqual([]);
    await other.close();
  });

  test("a run of the cluster is not gone on with by a process that does not know the cluster", async () => {
    const { id } = await engine.run(question);
    const other = await createEngine({ store: stage.store, tools });
    await expect(other.resume(id)).rejects.toMatchObject({ code: "RUN_ELSEWHERE" });
    expect(await other.recover()).toEqual([]);
    await other.close();
  });

  test("heavy steps, as their tool or the plan says, are calls of any worker, with the same keys", async () => {
    const before = (await invocations(stage.server, "SequiturSteps")).length;
    const { id, status, steps } = await engine.run([
      { id: "a", tool: "heavy", arguments: { n: 1 } },
      { id: "b", tool: "heavy", arguments: { n: "{{a.result.n}}" } },
    ]);
    expect(status).toBe("completed");
    expect(steps.b?.result).toEqual({ n: 3, idempotencyKey: `${id}/b` });
    expect(await invocations(stage.server, "SequiturSteps")).toHaveLength(before + 2);
    await engine.run([
      { id: "a", tool: "heavy", arguments: { n: 1 }, policy: { placement: "inline" } },
      { id: "b", tool: "next", arguments: { n: 1 }, policy: { placement: "anywhere" } },
    ]);
    expect(await invocations(stage.server, "SequiturSteps")).toHaveLength(before + 3);
  });

  test("a long map goes to other workers in parts, and journals stay short", async () => {
    const list = Array.from({ length: 3_000 }, (_, n) => n);
    const each = { iterate_over: "REF:arguments.list", child_argument_name: "n" };
    const plan = agent([call("x", "next", {}, { parallel_execution: each })], {
      arguments: [field("list", "list")],
      response_reference_map: { all: "REF:x.response.*.n" },
    });
    const { response } = await engine.run(plan, { arguments: { list } });
    expect(response).toEqual({ all: list.map((n) => n + 1) });
    const sizes = [
      ...(await invocations(stage.server, "SequiturRun")),
      ...(await invocations(stage.server, "SequiturSteps")),
    ];
    expect(Math.max(...sizes.map(({ journal_size }) => journal_size))).toBeLessThan(2_000);
  });

  test("a value above 1 MiB is kept as a blob, and is whole at the other end", async () => {
    const { steps } = await engine.run([
      { id: "a", tool: "large", arguments: { size: 3_000_000 } },
      { id: "b", tool: "length", arguments: { text: "{{a.result.text}}" } },
    ]);
    expect(steps.b?.result).toEqual({ length: 3_000_000 });
    expect(readdirSync(join(stage.folder, "blobs"))).toHaveLength(1);
  });

  test("cancelling ends the run, and the signal of the call that is under way fires", async () => {
    const run = await engine.start([{ id: "stuck", tool: "never" }]);
    await until(async () => (await engine.get(run.id))?.steps.stuck?.status === "running");
    await run.cancel("enough");
    expect((await run.result).status).toBe("cancelled");
    await until(() => aborted.includes("stuck"));
  });

  test("a run that an operator cancels in Restate is cancelled, and is seen to be", async () => {
    const run = await engine.start([{ id: "stopped", tool: "never" }]);
    await until(async () => (await engine.get(run.id))?.steps.stopped?.status === "running");
    const open = (await invocations(stage.server, "SequiturRun")).filter(
      ({ status }) => status !== "completed",
    );
    for (const { id } of open)
      await fetch(`${stage.server.adminUrl}/invocations/${id}/cancel`, { method: "PATCH" });
    expect((await run.result).status).toBe("cancelled");
    await until(() => aborted.includes("stopped"));
  });

  test("a run that failed is taken up again from where it failed, and can be answered then", async () => {
    const plan: Json = [
      { id: "done", tool: "next", arguments: { n: 1 } },
      { id: "try", tool: "mended", arguments: { n: "{{done.result.n}}" } },
      { id: "sure", tool: "next", arguments: { n: "{{try.result.n}}" }, requires_confirmation: true },
    ];
    const { id, status } = await engine.run(plan);
    expect(status).toBe("failed");
    world.isMended = true;
    const run = await engine.resume(id);
    expect((await run.endedOrAsked()).questions?.map(({ name }) => name)).toEqual(["sure"]);
    await run.confirm("sure", true);
    const result = await run.result;
    expect(result.status).toBe("completed");
    expect(result.steps.sure?.result).toEqual({ n: 4 });
    expect(timesOf("done")).toBe(1);
  });

  test("however often a run is asked for under one key, by two engines at once, it is started once", async () => {
    const other = await stage.engine({ tools });
    const plan: Json = [{ id: "only", tool: "next", arguments: { n: 1 } }];
    const runs = await Promise.all(
      [engine, other, engine, other].map((each) => each.start(plan, { idempotencyKey: "k" })),
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    for (const run of runs) expect((await run.result).status).toBe("completed");
    expect(timesOf("only")).toBe(1);
  });

  test("a call that takes longer than a run may be idle is made once", async () => {
    const { status } = await engine.run([{ id: "long", tool: "slow", arguments: { ms: 3_500 } }]);
    expect(status).toBe("completed");
    expect(timesOf("long")).toBe(1);
  });

  test("an answer is taken once; a second one is refused with the reason", async () => {
    const run = await engine.start(question, { runId: "asked" });
    await run.endedOrAsked();
    const other = await stage.engine({ tools });
    const same = await other.resume("asked");
    await run.provideInputs({ n: 4 });
    await expect(same.provideInputs({ n: 5 })).rejects.toMatchObject({
      code: expect.stringMatching(/ALREADY_ANSWERED|RUN_ENDED/),
    });
    expect((await run.result).steps.a?.result).toEqual({ n: 5 });
  });

  test("an answer that comes before the question is there when it is asked", async () => {
    const url = `${stage.server.url}/SequiturRun/early/tell`;
    const at = Date.now();
    const answered = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "InputProvided", at, name: "n", value: 7 }),
    });
    expect(answered.ok).toBe(true);
    const run = await engine.start(question, { runId: "early" });
    expect((await run.result).steps.a?.result).toEqual({ n: 8 });
  });

  test("a worker that is asked to rebuild tells of all runs so far, exactly as they were", async () => {
    const ended = [
      await engine.run(
        [
          { id: "a", tool: "next", arguments: { n: "{{PLACEHOLDER_n}}" } },
          { id: "w", tool: "sequitur.core.wait", arguments: { duration_ms: 50 } },
          { id: "b", tool: "heavy", arguments: { n: "{{a.result.n}}" }, dependencies: ["w"] },
        ],
        { inputs: { n: 1 } },
      ),
      await engine.run(agent([call("stuck", "never", {}, { policy: { timeout_ms: 50, optional: true } })])),
    ];
    const asked = await engine.run(question);
    const ids = (await engine.list({ limit: 1_000 })).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([...ended, asked].map(({ id }) => id)));
    const before = await Promise.all(ids.map((id) => engine.get(id)));
    const database = new DatabaseSync(stage.store.sqlite);
    database.exec("DELETE FROM events; DELETE FROM runs");
    database.close();
    await engine.close();
    await stage.worker({ tools, rebuilds: true });
    engine = await stage.engine({ tools });
    const after = await Promise.all(ids.map((id) => engine.get(id)));
    expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(JSON.stringify(before)));
    expect(new Set(before.map((result) => result?.status))).toEqual(
      new Set(["completed", "waiting", "cancelled"]),
    );
    const run = await engine.resume(asked.id);
    await run.provideInputs({ n: 1 });
    expect((await run.result).status).toBe("completed");
  });

  test("the read model comes back from the journals of runs under way", async () => {
    const { id } = await engine.run(question);
    await engine.close();
    const database = new DatabaseSync(stage.store.sqlite);
    database.exec("DELETE FROM events; DELETE FROM runs");
    database.close();
    engine = await stage.engine({ tools });
    expect(await engine.get(id)).toBeUndefined();
    const told = await fetch(`${stage.server.url}/SequiturRun/${id}/tell`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "InputProvided", at: Date.now(), name: "n", value: 1 }),
    });
    expect(told.ok).toBe(true);
    await until(async () => (await engine.get(id))?.status === "completed");
    expect((await engine.get(id))?.steps.a?.result).toEqual({ n: 2 });
  });

  test("a plan whose files a token would open is refused, with what to do instead", async () => {
    await expect(engine.start(question, { fileToken: "x" })).rejects.toMatchObject({
      code: "FILES_ELSEWHERE",
    });
  });
});
