import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  answerOf,
  codeOf,
  fill,
  openScratch,
  recordOf,
  SOURCE,
  scratchFile,
  startOf,
} from "../../../test/durability/scratch.ts";
import { SimulatedClock } from "../../base/clock.ts";
import { LEASE_MS } from "./leases.ts";

describe("what runs are runs of", () => {
  const definitions = (file: string): unknown[] => {
    const database = new DatabaseSync(file);
    const rows = database.prepare("SELECT body FROM definitions").all();
    database.close();
    return rows;
  };

  test("is kept once for all of them", async () => {
    const file = scratchFile();
    const driver = await openScratch(file);
    for (const id of ["a", "b", "c"]) driver.create(recordOf(id), SOURCE, startOf(id));
    expect(definitions(file)).toHaveLength(1);
  });

  test("is kept apart where two have the same digest", async () => {
    const file = scratchFile();
    const driver = await openScratch(file);
    driver.create(recordOf("a"), SOURCE, startOf("a"));
    const database = new DatabaseSync(file);
    database.exec(`UPDATE definitions SET body = '{"plan":"another"}'`);
    database.close();
    for (const id of ["b", "c"]) {
      driver.create(recordOf(id), SOURCE, startOf(id));
      expect(driver.find(id)?.source).toEqual(JSON.parse(JSON.stringify(SOURCE)));
    }
    expect(driver.find("a")?.source).toEqual({ plan: "another" });
    expect(definitions(file)).toHaveLength(2);
  });
});

describe("a journal", () => {
  test("is read back as it was written, from any place, in pages", async () => {
    const driver = await openScratch(scratchFile());
    driver.create(recordOf("r"), SOURCE, startOf("r"));
    const answers = Array.from({ length: 1_000 }, (_, i) =>
      answerOf(i, `“${i}” \u0000 \ud800 ${"x".repeat(i)}`),
    );
    driver.append("r", 1, answers);
    expect([...driver.events("r")]).toEqual([startOf("r"), ...answers]);
    expect([...driver.events("r", 700)]).toEqual(answers.slice(699));
    expect([...driver.events("r", 1_001)]).toEqual([]);
    expect([...driver.events("another")]).toEqual([]);
  });

  test("can grow while somebody reads it", async () => {
    const driver = await openScratch(scratchFile());
    fill(driver, "r", 300);
    const read: number[] = [];
    for (const event of driver.events("r")) {
      read.push(event.at);
      if (read.length === 5) driver.append("r", 301, [answerOf(300)]);
    }
    expect(read).toHaveLength(302);
  });

  test("is there after the store was closed and opened again", async () => {
    const file = scratchFile();
    const first = await openScratch(file);
    fill(first, "r", 3);
    first.close();
    const second = await openScratch(file);
    expect([...second.events("r")]).toHaveLength(4);
    expect(second.find("r")).toEqual({ record: recordOf("r"), source: JSON.parse(JSON.stringify(SOURCE)) });
  });

  test("has an id that is taken once", async () => {
    const file = scratchFile();
    const [one, other] = [await openScratch(file), await openScratch(file)];
    expect(one.create(recordOf("r"), SOURCE, startOf("r"))).toBe(true);
    expect(other.create(recordOf("r"), SOURCE, startOf("r"))).toBe(false);
    expect(one.create(recordOf("r"), SOURCE, startOf("r"))).toBe(false);
    expect([...one.events("r")]).toHaveLength(1);
  });
});

describe("together", () => {
  test("all is written, or nothing", async () => {
    const driver = await openScratch(scratchFile());
    fill(driver, "a", 0);
    fill(driver, "b", 0);
    const write = () => {
      driver.append("a", 1, [answerOf(0)]);
      driver.append("b", 1, [answerOf(0)]);
    };
    expect(() =>
      driver.together(() => {
        write();
        throw new RangeError("no");
      }),
    ).toThrow("no");
    expect([[...driver.events("a")], [...driver.events("b")]].map((events) => events.length)).toEqual([1, 1]);
    driver.together(write);
    expect([[...driver.events("a")], [...driver.events("b")]].map((events) => events.length)).toEqual([2, 2]);
  });

  test("a run that was taken in a transaction that failed is not ours", async () => {
    const file = scratchFile();
    const [one, other] = [await openScratch(file), await openScratch(file)];
    fill(one, "r", 0);
    one.update("r", "waiting", undefined);
    expect(() =>
      one.together(() => {
        one.append("r", 1, [answerOf(0)]);
        throw new RangeError("no");
      }),
    ).toThrow("no");
    expect(one.orphans()).toEqual(["r"]);
    expect(other.claim("r")).toBe(true);
  });

  test("others see nothing before the commit", async () => {
    const file = scratchFile();
    const [one, other] = [await openScratch(file), await openScratch(file)];
    fill(one, "r", 0);
    one.together(() => {
      one.append("r", 1, [answerOf(0)]);
      expect([...other.events("r")]).toHaveLength(1);
    });
    expect([...other.events("r")]).toHaveLength(2);
  });
});

describe("leases", () => {
  test("a run has one owner at a time", async () => {
    const file = scratchFile();
    const [one, other] = [await openScratch(file), await openScratch(file)];
    fill(one, "r", 1);
    expect(other.claim("r")).toBe(false);
    expect(other.orphans()).toEqual([]);
    expect(codeOf(() => other.append("r", 2, [answerOf(1)]))).toBe("LEASE_LOST");
    one.release("r");
    expect(other.orphans()).toEqual(["r"]);
    expect(other.claim("r")).toBe(true);
    expect(codeOf(() => one.append("r", 2, [answerOf(1)]))).toBe("LEASE_LOST");
    other.append("r", 2, [answerOf(1)]);
    expect([...one.events("r")]).toHaveLength(3);
  });

  test("a process that only slept cannot write to what others have taken, and can to what they have not", async () => {
    const file = scratchFile();
    const clock = new SimulatedClock(1_000);
    const sleeper = await openScratch(file, { clock });
    fill(sleeper, "taken", 0);
    fill(sleeper, "left", 0);
    const later = new SimulatedClock(1_000 + LEASE_MS + 1);
    const other = await openScratch(file, { clock: later });
    expect(other.claim("taken")).toBe(true);
    expect(codeOf(() => sleeper.append("taken", 1, [answerOf(0)]))).toBe("LEASE_LOST");
    sleeper.append("left", 1, [answerOf(0)]);
    other.append("taken", 1, [answerOf(0)]);
    expect([...other.events("taken")]).toHaveLength(2);
    expect([...other.events("left")]).toHaveLength(2);
  });

  test("that have not run out are respected, and are renewed before they do", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const file = scratchFile();
    const clock = new SimulatedClock(1_000);
    const one = await openScratch(file, { clock });
    fill(one, "r", 0);
    const soon = await openScratch(file, { clock: new SimulatedClock(1_000 + LEASE_MS) });
    expect(soon.claim("r")).toBe(false);
    clock.at(1_000 + LEASE_MS / 2, () => vi.advanceTimersByTime(LEASE_MS / 3));
    clock.step();
    const later = await openScratch(file, { clock: new SimulatedClock(1_000 + LEASE_MS * 1.5) });
    expect(later.claim("r")).toBe(false);
  });

  test("a run that waits is nobody's, and is taken with the next event", async () => {
    const file = scratchFile();
    const [one, other] = [await openScratch(file), await openScratch(file)];
    fill(one, "r", 0);
    one.update("r", "waiting", undefined);
    expect(one.orphans()).toEqual(["r"]);
    other.append("r", 1, [answerOf(0)]);
    expect(codeOf(() => one.append("r", 1, [answerOf(0)]))).toBe("LEASE_LOST");
    other.update("r", "waiting", undefined);
    // Free again, but it has moved on: only a writer who has seen that may write.
    expect(codeOf(() => one.append("r", 1, [answerOf(0)]))).toBe("LEASE_LOST");
    one.append("r", 2, [answerOf(1)]);
    expect([...other.events("r")]).toHaveLength(3);
  });

  test("a run that has ended is no orphan", async () => {
    const driver = await openScratch(scratchFile());
    fill(driver, "r", 0);
    driver.update("r", "completed", 5_000);
    expect(driver.orphans()).toEqual([]);
    expect(driver.list({})).toMatchObject([{ id: "r", status: "completed", finishedAt: 5_000 }]);
  });

  test("of an owner that is gone is free at once", async () => {
    const file = scratchFile();
    const driver = await openScratch(file);
    fill(driver, "r", 0);
    const raw = new DatabaseSync(file);
    const { owner } = raw.prepare("SELECT owner FROM runs").get() as { owner: string };
    // The same process number, given to a process that began at another time.
    const parts = owner.split(" ");
    raw.prepare("UPDATE runs SET owner = ?").run([...parts.slice(0, 4), "1", "x"].join(" "));
    raw.close();
    expect((await openScratch(file)).claim("r")).toBe(true);
  });

  test("are let go when the store is closed", async () => {
    const file = scratchFile();
    const one = await openScratch(file);
    fill(one, "r", 0);
    one.close();
    one.close();
    expect((await openScratch(file)).orphans()).toEqual(["r"]);
  });
});

describe("definitions", () => {
  test("are stored once, and forgotten with the last run that has them", async () => {
    const file = scratchFile();
    const driver = await openScratch(file);
    for (const id of ["a", "b"]) driver.create(recordOf(id), SOURCE, startOf(id));
    driver.create(recordOf("c"), { ...SOURCE, plan: [] }, startOf("c"));
    const raw = new DatabaseSync(file);
    const count = () => (raw.prepare("SELECT count(*) AS n FROM definitions").get() as { n: number }).n;
    expect(count()).toBe(2);
    for (const id of ["a", "b", "c"]) driver.update(id, "completed", id === "c" ? 9_000 : 4_000);
    expect(driver.forget(5_000)).toBe(2);
    expect(count()).toBe(1);
    expect(driver.find("a")).toBeUndefined();
    expect([...driver.events("a")]).toEqual([]);
    expect([...driver.events("c")]).toHaveLength(1);
    raw.close();
  });

  test("runs that have not ended are never forgotten", async () => {
    const driver = await openScratch(scratchFile());
    fill(driver, "r", 1);
    fill(driver, "w", 1);
    driver.update("w", "waiting", undefined);
    expect(driver.forget(Number.MAX_SAFE_INTEGER)).toBe(0);
    expect([...driver.events("r"), ...driver.events("w")]).toHaveLength(4);
  });
});

test("the newest runs are listed first, by status where asked", async () => {
  const driver = await openScratch(scratchFile());
  for (const [i, id] of ["a", "b", "c"].entries()) driver.create(recordOf(id, i), SOURCE, startOf(id));
  driver.update("b", "failed", 9);
  expect(driver.list({}).map(({ id }) => id)).toEqual(["c", "b", "a"]);
  expect(driver.list({ status: "failed" }).map(({ id }) => id)).toEqual(["b"]);
  expect(driver.list({ limit: 1 }).map(({ id }) => id)).toEqual(["c"]);
});

test("what others write is news", async () => {
  const file = scratchFile();
  const [one, other] = [await openScratch(file), await openScratch(file)];
  one.hasNews();
  fill(one, "mine", 1);
  expect(one.hasNews()).toBe(false);
  fill(other, "theirs", 1);
  expect(one.hasNews()).toBe(true);
  expect(one.hasNews()).toBe(false);
});
