import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { folderWith, sequitur, startSequitur } from "../../test/run-cli.ts";
import { sampleProject } from "../../test/sample-project.ts";

// Every test starts processes, and machines may be busy.
vi.setConfig({ testTimeout: 60_000 });

/** Runs a plan and gives its id. */
async function start(folder: string, ...args: string[]): Promise<string> {
  const { out } = await sequitur(folder, ["run", ...args, "--json"]);
  return JSON.parse(out).id;
}

async function resultOf(folder: string, id: string) {
  return JSON.parse((await sequitur(folder, ["show", id, "--json"])).out);
}

const callsIn = (folder: string) => readFileSync(join(folder, "calls.txt"), "utf8").trim().split("\n");

/** Starts a plan whose second step hangs, and kills its process there. */
async function killed(folder: string): Promise<string> {
  const started = startSequitur(folder, ["run", "hangs.plan.json"]);
  await started.printed("hanging");
  started.child.kill("SIGKILL");
  await started.result;
  const [run] = JSON.parse((await sequitur(folder, ["runs", "--json"])).out);
  return run.id;
}

describe("sequitur runs", () => {
  it("lists the runs, the newest first", async () => {
    const folder = sampleProject();
    expect((await sequitur(folder, ["runs"])).out).toContain("There are no runs yet");
    expect(JSON.parse((await sequitur(folder, ["runs", "--json"])).out)).toEqual([]);
    const done = await start(folder, "sum.agent.json");
    const failed = await start(folder, "fails.plan.json");
    const { code, out } = await sequitur(folder, ["runs"]);
    expect(out).toMatch(
      new RegExp(
        `^${failed} +✗ failed +fails .*ago +took .*\n${done} +✓ completed +sum .*ago +took .*\n2 runs: 1 failed, 1 completed · half took .*\n$`,
      ),
    );
    expect(code).toBe(0);
    const list = JSON.parse((await sequitur(folder, ["runs", "--status", "failed", "--json"])).out);
    expect(list).toMatchObject([{ id: failed, name: "fails", dialect: "actions", status: "failed" }]);
    expect(new Date(list[0].startedAt).toISOString()).toBe(list[0].startedAt);
    expect((await sequitur(folder, ["runs", "--status", "done"])).code).toBe(2);
  });
});

describe("sequitur show", () => {
  it("shows steps, errors, reasons and what came out", async () => {
    const folder = sampleProject();
    const failed = await start(folder, "fails.plan.json");
    const { code, out } = await sequitur(folder, ["show", failed]);
    expect(out).toContain(`fails  ✗ failed  ${failed}`);
    expect(out).toMatch(/^3 steps: 1 failed, .* · 1 further attempt$/m);
    expect(out).toMatch(/✗ pay .* {2}2 attempts {2}card declined/);
    expect(out).toContain("ToolError: pay: card declined");
    expect(code).toBe(0);
    const done = await start(folder, "sum.agent.json");
    const shown = await sequitur(folder, ["show", done]);
    expect(shown.out).toMatch(/✓ work .* {2}3 items/);
    expect(shown.out).toContain("total  12");
    expect((await sequitur(folder, ["show", done, "add"])).out).toContain("values  [2, 4, 6]");
    expect((await sequitur(folder, ["show", done, "ad"])).err).toContain("Did you mean add?");
  });

  it("takes the beginning of an id", async () => {
    const folder = sampleProject();
    const id = await start(folder, "sum.agent.json");
    await start(folder, "sum.agent.json");
    expect((await resultOf(folder, id.slice(0, -1))).id).toBe(id);
    expect((await resultOf(folder, id.slice("run_".length, -1))).id).toBe(id);
    const { code, err } = await sequitur(folder, ["show", "run_"]);
    expect(err).toContain('"run_" is the beginning of 2 runs');
    expect(code).toBe(2);
  });

  it("says so where there is no such run, or no store", async () => {
    const folder = sampleProject();
    const none = await sequitur(folder, ["show", "x"]);
    expect(none.err).toContain("no store at .sequitur/runs.db");
    expect(none.code).toBe(2);
    await start(folder, "sum.agent.json");
    const unknown = await sequitur(folder, ["show", "x"]);
    expect(unknown.err).toContain('There is no run "x"');
    expect(unknown.code).toBe(2);
  });

  it("needs no tools that are still there", async () => {
    const folder = sampleProject();
    const id = await start(folder, "sum.agent.json");
    renameSync(join(folder, "tools.mjs"), join(folder, "moved.mjs"));
    const { code, out, err } = await sequitur(folder, ["show", id, "--json"]);
    expect(JSON.parse(out).response).toEqual({ total: 12 });
    expect(err).toContain("There is no module");
    expect(code).toBe(0);
  });
});

describe("sequitur resume", () => {
  it("goes on after SIGKILL, from another folder, without calling again what had finished", async () => {
    const folder = sampleProject();
    const id = await killed(folder);
    expect((await sequitur(folder, ["runs"])).out).toContain(`interrupted: sequitur resume ${id}`);
    expect((await sequitur(folder, ["show", id])).out).toContain("Its process is gone.");
    writeFileSync(join(folder, "go"), "");
    const { code, out } = await sequitur(folderWith({}), [
      "resume",
      id,
      "--db",
      join(folder, ".sequitur/runs.db"),
    ]);
    expect(out).toMatch(/^✓ hang .*\n\n✓ completed/);
    expect(code).toBe(0);
    expect(callsIn(folder)).toEqual(["list", "hang", "hang"]);
  });

  it("tries a failed run again from where it failed", async () => {
    const folder = sampleProject();
    const id = await start(folder, "recovers.plan.json");
    writeFileSync(join(folder, "go"), "");
    const { code, out } = await sequitur(folder, ["resume", id, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      id,
      status: "completed",
      steps: { recover: { result: { ok: true } } },
    });
    expect(code).toBe(0);
    expect(callsIn(folder)).toEqual(["list", "recover", "recover"]);
  });

  it("shows a completed run's result again, and calls nothing", async () => {
    const folder = sampleProject();
    const id = await start(folder, "sum.agent.json");
    const { code, out } = await sequitur(folder, ["resume", id, "--quiet"]);
    expect({ code, out }).toEqual({ code: 0, out: "total  12\n" });
    expect(callsIn(folder)).toEqual(["list", "add"]);
  });

  it("leaves a run to the process that has it", async () => {
    const folder = sampleProject();
    const started = startSequitur(folder, ["run", "hangs.plan.json"]);
    await started.printed("hanging");
    const [{ id }] = JSON.parse((await sequitur(folder, ["runs", "--json"])).out);
    for (const command of ["resume", "cancel"]) {
      const { code, err } = await sequitur(folder, [command, id]);
      expect(err).toContain("Another process is carrying out the run");
      expect(code).toBe(2);
    }
    started.child.kill("SIGINT");
    expect((await started.result).code).toBe(130);
  });
});

describe("sequitur cancel", () => {
  it("ends a run that waits", async () => {
    const folder = sampleProject();
    const id = await start(folder, "asks.plan.json");
    const { code, out } = await sequitur(folder, ["cancel", id, "--reason", "no need"]);
    expect(out).toMatch(/^⊘ cancelled in /);
    expect(code).toBe(0);
    expect(await resultOf(folder, id)).toMatchObject({ status: "cancelled", error: { message: "no need" } });
    const again = await sequitur(folder, ["cancel", id]);
    expect(again.err).toContain("has ended (cancelled)");
    expect(again.code).toBe(2);
  });

  it("calls nothing of a run that was interrupted", async () => {
    const folder = sampleProject();
    const id = await killed(folder);
    expect((await sequitur(folder, ["cancel", id])).code).toBe(0);
    expect(callsIn(folder)).toEqual(["list", "hang"]);
  });
});

describe("sequitur input", () => {
  it("answers, several at once or one after the other, and goes on", async () => {
    const folder = sampleProject();
    const id = await start(folder, "asks.plan.json");
    const some = await sequitur(folder, ["input", id, "to=Sarah", "copies=2"]);
    expect(some.err).toContain(`sequitur input ${id} urgent=… tone=…`);
    expect(some.code).toBe(4);
    const { code, out } = await sequitur(folder, ["input", id, "urgent=true", "tone=firm", "--json"]);
    expect(JSON.parse(out).steps.mail.result).toEqual({ to: "Sarah", copies: 2, urgent: true, tone: "firm" });
    expect(code).toBe(0);
    const late = await sequitur(folder, ["input", id, "to=Tom"]);
    expect(late.err).toContain("has ended (completed)");
    expect(late.code).toBe(2);
  });

  it.each([
    [["copies=many"], /"copies": /],
    [["tu=Sarah"], /Nobody asked for "tu"/],
    [["to="], /blank/],
    [["to"], /takes name=value/],
    [[], /Which answers\?/],
  ])("refuses %j, and the questions stay open", async (answers, message) => {
    const folder = sampleProject();
    const id = await start(folder, "asks.plan.json");
    const { code, err } = await sequitur(folder, ["input", id, ...answers]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    expect((await resultOf(folder, id)).questions).toHaveLength(4);
  });
});

describe("sequitur confirm", () => {
  it.each([
    ["yes", 0, "completed"],
    ["no", 3, "cancelled"],
  ])("says %s", async (answer, _code, status) => {
    const folder = sampleProject();
    const { code, err, out } = await sequitur(folder, ["run", "confirms.plan.json", "--json"]);
    const { id } = JSON.parse(out);
    expect(code).toBe(4);
    expect(err).toContain("risky  Change the world");
    expect(err).toContain(`sequitur confirm ${id} risky yes`);
    await sequitur(folder, ["confirm", id, "risky", answer]);
    expect((await resultOf(folder, id)).steps.risky.status).toBe(status);
    const again = await sequitur(folder, ["confirm", id, "risky", answer]);
    expect(again.code).toBe(2);
  });

  it("knows only yes and no, and steps that wait", async () => {
    const folder = sampleProject();
    const id = await start(folder, "confirms.plan.json");
    expect((await sequitur(folder, ["confirm", id, "risky", "maybe"])).err).toContain("yes or no");
    const { code, err } = await sequitur(folder, ["confirm", id, "first", "yes"]);
    expect(err).toContain('"first" is not waiting');
    expect(code).toBe(2);
  });
});

describe("sequitur replay", () => {
  it("verifies a journal", async () => {
    const folder = sampleProject();
    for (const plan of ["sum.agent.json", "fails.plan.json", "asks.plan.json"]) {
      const id = await start(folder, plan);
      const { code, out } = await sequitur(folder, ["replay", id]);
      expect(out).toMatch(/^✓ \d+ events give the same \d+ commands, and the same end: /);
      expect(code).toBe(0);
    }
  });

  it("finds an end that is not the one on record", async () => {
    const folder = sampleProject();
    const id = await start(folder, "sum.agent.json");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(folder, ".sequitur/runs.db"));
    database.prepare("UPDATE runs SET status = 'failed' WHERE id = ?").run(id);
    database.close();
    const { code, err } = await sequitur(folder, ["replay", id]);
    expect(err).toMatch(/on record the run is failed at .*, but its journal makes it completed at /);
    expect(code).toBe(3);
  });
});

describe("sequitur gc", () => {
  it("removes what ended long ago, and nothing that is open", async () => {
    const folder = sampleProject();
    await start(folder, "sum.agent.json");
    const waiting = await start(folder, "asks.plan.json");
    expect((await sequitur(folder, ["gc", "--older-than", "30d"])).out).toContain("Removed 0 runs");
    expect((await sequitur(folder, ["gc", "--older-than", "0s"])).out).toContain("Removed 1 run ");
    const left = JSON.parse((await sequitur(folder, ["runs", "--json"])).out);
    expect(left.map(({ id }: { id: string }) => id)).toEqual([waiting]);
    expect((await sequitur(folder, ["gc"])).code).toBe(2);
    expect((await sequitur(folder, ["gc", "--older-than", "soon"])).code).toBe(2);
  });
});

describe("sequitur collection", () => {
  it("puts, finds and removes documents", async () => {
    const folder = folderWith({});
    const collection = (...args: string[]) => sequitur(folder, ["collection", ...args]);
    expect(JSON.parse((await collection("find", "people", "--json")).out)).toEqual([]);
    await collection("put", "people", '{"id": 1, "name": "Ada"}');
    await collection("put", "people", "id=2", "name=Tom");
    expect(JSON.parse((await collection("find", "people", "id=2", "--json")).out)).toEqual([
      { id: 2, name: "Tom" },
    ]);
    expect((await collection("find", "people")).out).toBe("id    1\nname  Ada\n\nid    2\nname  Tom\n");
    expect((await collection("remove", "people")).code).toBe(2);
    expect((await collection("remove", "people", "name=Ada")).out).toContain("Removed 1 document");
    expect((await collection("remove", "people", "--all", "--json")).out).toBe("1\n");
    expect((await collection("poke", "people")).code).toBe(2);
  });
});
