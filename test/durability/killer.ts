/*
 * The killer: starts the real command line on a real database, kills it with SIGKILL at random moments, again and again, until the
 * run ends. `node test/durability/killer.ts --kills 500 --seed 1`.
 *
 * What the tools do to the world is a line in a file, with the call's idempotency key. The laws:
 *
 *   L1  Nothing is lost: at the end, every step's effect is there, and the answer is right.
 *   L2  Nothing finished is done again: once a completion is on record, its effect does not come a second time.
 *   L3  What was under way is done again under the same key: no effect has a key that is not a step's.
 *   L4  The journal only grows: what was on record after one kill is on record after the next.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { canonicalJson, type Json } from "../../src/base/json.ts";
import { seededUnit } from "../../src/base/random.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";
import { createEngine } from "../../src/index.ts";
import { KILLER_PLANS, type KillerPlan, TOOL_NAMES, TOOLS_MODULE } from "./killer-plans.ts";

export interface KillerOptions {
  /** SIGKILLs in all; the runs under way when the last one has been sent are let go to their ends. */
  readonly kills: number;
  readonly seed: number;
  readonly bin?: string;
  readonly onRun?: (report: RunReport) => void;
}

export interface RunReport {
  readonly plan: string;
  readonly kills: number;
  readonly effects: number;
  /** Effects that came more than once, since the process was killed before it could record them. */
  readonly repeated: number;
}

const BIN = fileURLToPath(new URL("../../bin/sequitur.js", import.meta.url));

/** Runs that are killed side by side: most of a kill's time is a process that starts. */
const LANES = 4;

/** Goes through the plans until enough processes have been killed. Throws where a law is broken. */
export async function kill({ kills, seed, bin = BIN, onRun }: KillerOptions): Promise<RunReport[]> {
  const reports: RunReport[] = [];
  const cartridges = { left: kills };
  let runs = 0;
  const lane = async (): Promise<void> => {
    while (cartridges.left > 0) {
      const run = runs++;
      const plan = KILLER_PLANS[run % KILLER_PLANS.length] as KillerPlan;
      const report = await new Victim(plan, bin, (salt) => seededUnit(seed, run, salt)).runToEnd(cartridges);
      reports.push(report);
      onRun?.(report);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return reports;
}

interface Cartridges {
  left: number;
}

/** One run, over as many processes as it takes. */
class Victim {
  readonly #plan: KillerPlan;
  readonly #bin: string;
  readonly #chance: (salt: number) => number;
  readonly #folder = mkdtempSync(join(tmpdir(), "sequitur-killer-"));
  readonly #effects = join(this.#folder, "effects.txt");
  readonly #db = join(this.#folder, "runs.db");
  /** How often each effect had come when its completion was first seen on record. */
  readonly #settled = new Map<string, number>();
  #kills = 0;
  #journal = 0;

  constructor(plan: KillerPlan, bin: string, chance: (salt: number) => number) {
    this.#plan = plan;
    this.#bin = bin;
    this.#chance = chance;
    writeFileSync(join(this.#folder, "tools.mjs"), TOOLS_MODULE);
    writeFileSync(join(this.#folder, "plan.json"), JSON.stringify(plan.plan));
    writeFileSync(this.#effects, "");
  }

  async runToEnd(cartridges: Cartridges): Promise<RunReport> {
    try {
      for (let round = 0; ; round++) {
        const runId = await this.#look();
        const child = this.#start(runId);
        const out = await this.#killOrEnd(child, round, cartridges);
        if (out !== undefined) return await this.#judge(out);
        this.#kills++;
      }
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #start(runId: string | undefined): ChildProcess {
    const where = ["--db", "runs.db", "--json", "--quiet"];
    const first = ["run", "plan.json", "--tools", "tools.mjs", ...where];
    const args = runId === undefined ? first : ["resume", runId, ...where];
    return spawn(process.execPath, [this.#bin, ...args], {
      cwd: this.#folder,
      env: { ...process.env, EFFECTS: this.#effects },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Kills when so many effects have come, or, now and then, before anything could: while it starts, or folds the journal. */
  async #killOrEnd(child: ChildProcess, round: number, cartridges: Cartridges): Promise<string | undefined> {
    const chance = (salt: number) => this.#chance(10 * round + salt);
    const end = ended(child);
    const before = this.#lines().length;
    const more = Math.floor(chance(1) * 6);
    const isEarly = chance(2) < 0.1;
    const deadline = Date.now() + (isEarly ? chance(3) * 400 : 60_000);
    let over = false;
    end.then(
      () => (over = true),
      () => (over = true),
    );
    while (!over && Date.now() < deadline && this.#lines().length < before + 1 + more) await pause(1);
    if (!isEarly) await pause(chance(4) * 8);
    if (over || cartridges.left === 0) return end;
    cartridges.left--;
    child.kill("SIGKILL");
    const out = await end;
    // It was faster: it had ended before it could be killed.
    if (out !== undefined) cartridges.left++;
    return out;
  }

  #lines(): string[] {
    return readFileSync(this.#effects, "utf8").split("\n").slice(0, -1);
  }

  /** What a newcomer finds in the store. Checks L2 and L4. */
  async #look(): Promise<string | undefined> {
    const driver = await sqliteDriver(this.#db);
    const engine = await createEngine({
      store: driver,
      tools: Object.fromEntries(TOOL_NAMES.map((name) => [name, () => null])),
    });
    const [record] = driver.list({});
    if (record !== undefined) {
      const length = [...driver.events(record.id)].length;
      if (length < this.#journal)
        throw broken("L4", `the journal had ${this.#journal} events, and has ${length}`);
      this.#journal = length;
      await this.#checkSettled(engine.events(record.id, { follow: false }), record.id);
    }
    await engine.close();
    return record?.id;
  }

  async #checkSettled(
    trace: AsyncIterable<{ readonly kind: string; readonly step?: string }>,
    runId: string,
  ): Promise<void> {
    const counts = countOf(this.#lines());
    for await (const { kind, step } of trace) {
      const key = `${runId}/${step}`;
      if (kind === "StepSucceeded" && !this.#settled.has(key)) this.#settled.set(key, counts.get(key) ?? 0);
    }
    for (const [key, count] of this.#settled) {
      const now = counts.get(key) ?? 0;
      if (count === 0) throw broken("L1", `${key} is on record, but its effect never came`);
      if (now !== count)
        throw broken("L2", `${key} was done again after it was on record (${count} → ${now})`);
    }
  }

  /** The run has ended: was everything done, and is the answer right? */
  async #judge(out: string): Promise<RunReport> {
    const runId = (await this.#look()) ?? "";
    const counts = countOf(this.#lines());
    const expected = new Set(this.#plan.steps.map((step) => `${runId}/${step}`));
    for (const key of expected) if (!counts.has(key)) throw broken("L1", `the effect of ${key} is missing`);
    for (const key of counts.keys())
      if (!expected.has(key)) throw broken("L3", `the effect ${key} is no step's`);
    const result = JSON.parse(out) as { status: string; response?: Json };
    if (result.status !== "completed") throw broken("L1", `the run is ${result.status}: ${out}`);
    const [right, wrong] = [canonicalJson(this.#plan.response), canonicalJson(result.response ?? null)];
    if (right !== wrong) throw broken("L1", `the answer is ${wrong}, not ${right}`);
    const effects = this.#lines().length;
    return { plan: this.#plan.name, kills: this.#kills, effects, repeated: effects - counts.size };
  }
}

function countOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function broken(law: string, message: string): Error {
  return new Error(`${law} is broken: ${message}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What it wrote, once it has ended by itself; undefined where it was killed. */
async function ended(child: ChildProcess): Promise<string | undefined> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => (out += String(chunk)));
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  if (signal === "SIGKILL") return undefined;
  if (code !== 0) throw new Error(`sequitur ended with ${code ?? signal}:\n${err}\n${out}`);
  return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { kills: { type: "string", default: "50" }, seed: { type: "string" }, bin: { type: "string" } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  process.stdout.write(`seed ${seed}\n`);
  const before = Date.now();
  const reports = await kill({
    kills: Number(values.kills),
    seed,
    ...(values.bin !== undefined && { bin: values.bin }),
    onRun: ({ plan, kills, effects, repeated }) =>
      process.stdout.write(
        `${plan}: killed ${kills} times, ${effects} effects, ${repeated} of them repeated\n`,
      ),
  });
  const total = (pick: (report: RunReport) => number) =>
    reports.reduce((sum, report) => sum + pick(report), 0);
  process.stdout.write(
    `${total((report) => report.kills)} kills over ${reports.length} runs, ${total((report) => report.effects)} effects, ${total((report) => report.repeated)} repeated, in ${((Date.now() - before) / 1_000).toFixed(0)} s: no law broken\n`,
  );
}
