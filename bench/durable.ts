/*
 * How much durability costs, against a loop that somebody would write by hand on the same SQLite, in the same process, on the
 * same disk, at the same fsync setting: `node bench/durable.ts [--relaxed] [--rounds N]`.
 *
 *   chain    100 steps, each needs the one before: one commit a step, for both.
 *   fan-out  1,000 items at once: one commit a result by hand, one commit for all that come together here.
 *
 * Both run right after each other in each round, and the median of the rounds' ratios counts, since disks have moods.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { createEngine } from "../src/index.ts";
import { chainOf, fanOutOf } from "../test/simple-plans.ts";
import { median, timed } from "./figures.ts";
import { save } from "./save.ts";

const { values } = parseArgs({
  options: { relaxed: { type: "boolean", default: false }, rounds: { type: "string", default: "15" } },
});
const durability = values.relaxed ? "relaxed" : "full";
const rounds = Number(values.rounds);
/** Rounds that do not count: code is compiled while it runs, and logs grow until they are used again. */
const WARM_UP = 12;
const CHAIN = 100;
const ITEMS = 1_000;
/** What has to hold: at most this many times the loop's time, and at least this many times as fast. */
const CHAIN_MOST = 1.5;
const FAN_OUT_LEAST = 10;

const work = async ({ n }: { n: number }) => ({ n: n + 1 });

/** What somebody would write: a row for each result, committed before the next step. */
class HandWritten {
  readonly #database: DatabaseSync;
  readonly #run;
  readonly #result;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec("PRAGMA journal_mode = WAL");
    this.#database.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    this.#database.exec("CREATE TABLE runs (id INTEGER PRIMARY KEY, status TEXT NOT NULL)");
    this.#database.exec(
      "CREATE TABLE results (run INTEGER, step INTEGER, body TEXT, PRIMARY KEY (run, step)) WITHOUT ROWID",
    );
    this.#run = this.#database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?)");
    this.#result = this.#database.prepare("INSERT INTO results VALUES (?, ?, ?)");
  }

  async chain(run: number): Promise<void> {
    this.#run.run(run, "running");
    let result = { n: 0 };
    for (let step = 0; step < CHAIN; step++) {
      result = await work(result);
      this.#result.run(run, step, JSON.stringify(result));
    }
    this.#run.run(run, "completed");
  }

  async fanOut(run: number): Promise<void> {
    this.#run.run(run, "running");
    const items = Array.from({ length: ITEMS }, async (_, n) => {
      const result = await work({ n });
      this.#result.run(run, n, JSON.stringify(result));
    });
    await Promise.all(items);
    this.#run.run(run, "completed");
  }

  close(): void {
    this.#database.close();
  }
}

interface Pair {
  readonly ours: number;
  readonly byHand: number;
}

/** Both, one right after the other, and in turn first. */
async function pair(
  round: number,
  ours: () => Promise<unknown>,
  byHand: () => Promise<unknown>,
): Promise<Pair> {
  if (round % 2 === 0) return { ours: await timed(ours), byHand: await timed(byHand) };
  const byHandTime = await timed(byHand);
  return { ours: await timed(ours), byHand: byHandTime };
}

const folder = mkdtempSync(join(tmpdir(), "sequitur-bench-"));
const engine = await createEngine({
  store: { sqlite: join(folder, "ours.db"), durability },
  tools: { work },
});
const byHand = new HandWritten(join(folder, "by-hand.db"));
const times = { chain: [] as Pair[], fanOut: [] as Pair[] };
const items = Array.from({ length: ITEMS }, (_, n) => n);
const chain = chainOf(CHAIN, "work");
const fanOut = fanOutOf("work");

for (let round = -WARM_UP; round < rounds; round++) {
  const chainTimes = await pair(
    round,
    async () => check(await engine.run(chain)),
    () => byHand.chain(2 * round),
  );
  const fanOutTimes = await pair(
    round,
    async () => check(await engine.run(fanOut, { arguments: { items } })),
    () => byHand.fanOut(2 * round + 1),
  );
  if (round < 0) continue;
  times.chain.push(chainTimes);
  times.fanOut.push(fanOutTimes);
}
await engine.close();
byHand.close();
rmSync(folder, { recursive: true, force: true });

function check({
  status,
  error,
}: {
  readonly status: string;
  readonly error?: { readonly message: string };
}): void {
  if (status !== "completed") throw new Error(`the run is ${status}: ${error?.message}`);
}

const chainRatio = median(times.chain.map(({ ours, byHand }) => ours / byHand));
const fanOutRatio = median(times.fanOut.map(({ ours, byHand }) => byHand / ours));
const ms = (numbers: number[]) => `${median(numbers).toFixed(1)} ms`;
const both = (pairs: readonly Pair[]) =>
  `Sequitur ${ms(pairs.map(({ ours }) => ours))}, by hand ${ms(pairs.map(({ byHand }) => byHand))}`;
// Without fsync there is little to save; the bars are for what is the default.
const verdict = (bar: string, holds: boolean) =>
  durability === "relaxed" ? "" : ` (${bar}: ${holds ? "holds" : "DOES NOT HOLD"})`;
process.stdout.write(
  [
    `${durability} durability, median of ${rounds} rounds`,
    `chain of ${CHAIN}:      ${both(times.chain)}: ${chainRatio.toFixed(2)} times its time${verdict(`at most ${CHAIN_MOST}`, chainRatio <= CHAIN_MOST)}`,
    `fan-out of ${ITEMS}: ${both(times.fanOut)}: ${fanOutRatio.toFixed(1)} times as fast${verdict(`at least ${FAN_OUT_LEAST}`, fanOutRatio >= FAN_OUT_LEAST)}`,
    "",
  ].join("\n"),
);
if (durability === "full" && (chainRatio > CHAIN_MOST || fanOutRatio < FAN_OUT_LEAST)) process.exitCode = 1;
save(`durable-${durability}`, [{ durability, chainRatio, fanOutTimesAsFast: fanOutRatio }]);
