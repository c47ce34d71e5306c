/* A store in trouble says so, and what was in it stays readable. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  answerOf,
  codeOf,
  fill,
  openScratch,
  recordOf,
  SOURCE,
  scratchFile,
  scratchFolder,
  startOf,
} from "../../../test/durability/scratch.ts";
import { sqliteDriver } from "./driver.ts";

describe("a full disk", () => {
  test("refuses what does not fit; all that was recorded is there, and more can be recorded when there is room", async () => {
    const file = scratchFile();
    const driver = await openScratch(file, { sizeMaxBytes: 200_000 });
    driver.create(recordOf("r"), SOURCE, startOf("r"));
    let recorded = 1;
    const code = codeOf(() => {
      for (; ; recorded++) driver.append("r", recorded, [answerOf(recorded, "x".repeat(5_000))]);
    });
    expect(code).toBe("STORE_FULL");
    expect(recorded).toBeGreaterThan(10);
    expect([...driver.events("r")]).toHaveLength(recorded);
    driver.close();
    const roomy = await openScratch(file);
    expect(roomy.claim("r")).toBe(true);
    roomy.append("r", recorded, [answerOf(recorded)]);
    expect([...roomy.events("r")]).toHaveLength(recorded + 1);
  });

  test("says what to do", async () => {
    const driver = await openScratch(scratchFile(), { sizeMaxBytes: 120_000 });
    const write = () => driver.create(recordOf("r"), { ...SOURCE, plan: "x".repeat(200_000) }, startOf("r"));
    expect(write).toThrow("The disk is full. Make room and resume the run");
    expect(driver.list({})).toEqual([]);
  });
});

describe("a store that cannot be written to", () => {
  const child = fileURLToPath(new URL("../../../test/durability/read-only-child.ts", import.meta.url));

  /** By somebody who has no right to write: root would have. */
  function look(file: string): unknown {
    const isRoot = process.getuid?.() === 0;
    const { stdout, stderr } = spawnSync(process.execPath, [child, file], {
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
      encoding: "utf8",
    });
    return JSON.parse(stdout || JSON.stringify(stderr));
  }

  async function readOnlyStore(): Promise<string> {
    const file = scratchFile();
    const driver = await openScratch(file);
    fill(driver, "r", 2);
    driver.release("r");
    driver.close();
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o555);
    return file;
  }

  test("can be looked at; whoever writes hears why not", async () => {
    const file = await readOnlyStore();
    expect(look(file)).toEqual({ list: ["r"], events: 3, claim: "STORE_READ_ONLY" });
    chmodSync(dirname(file), 0o755);
  });

  test("and is not there yet, cannot be made", () => {
    const folder = scratchFolder();
    chmodSync(folder, 0o555);
    expect(look(join(folder, "new.db"))).toEqual({ open: "STORE_UNREADABLE" });
    chmodSync(folder, 0o755);
  });
});

describe("a locked store", () => {
  test("can be read, refuses to be written to after a while, and takes what was refused when the lock is gone", async () => {
    const file = scratchFile();
    const driver = await openScratch(file, { busyTimeoutMs: 10 });
    fill(driver, "r", 1);
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    expect(codeOf(() => driver.append("r", 2, [answerOf(1)]))).toBe("STORE_LOCKED");
    expect(codeOf(() => driver.create(recordOf("s"), SOURCE, startOf("s")))).toBe("STORE_LOCKED");
    driver.release("r");
    expect([...driver.events("r")]).toHaveLength(2);
    other.exec("ROLLBACK");
    other.close();
    driver.append("r", 2, [answerOf(1)]);
    expect([...driver.events("r")]).toHaveLength(3);
  });

  test("that nobody can open says so", async () => {
    const file = scratchFile();
    const other = new DatabaseSync(file);
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (x)");
    await expect(sqliteDriver(file, { busyTimeoutMs: 10 })).rejects.toMatchObject({ code: "STORE_LOCKED" });
    other.close();
  });
});

describe("a damaged store", () => {
  /** Runs enough to fill many pages, each with a large event and small ones. */
  async function damagedStore(damage: (bytes: Buffer) => void): Promise<string> {
    const file = scratchFile();
    const driver = await openScratch(file, { durability: "relaxed" });
    for (let run = 0; run < 40; run++) {
      driver.create(recordOf(`r${run}`), SOURCE, startOf(`r${run}`));
      driver.append(`r${run}`, 1, [answerOf(0, "y".repeat(9_000)), answerOf(1)]);
    }
    driver.close();
    const bytes = readFileSync(file);
    damage(bytes);
    writeFileSync(file, bytes);
    return file;
  }

  test("gives what can be read, and says of the rest that it is damaged", async () => {
    // Pages that hold nothing but parts of the last runs' large events.
    const file = await damagedStore((bytes) => bytes.fill(0xa5, bytes.length - 5 * 4_096));
    const driver = await openScratch(file);
    const outcomes = driver.list({}).map(({ id }) => codeOf(() => [...driver.events(id)]) ?? "read");
    expect(outcomes).toHaveLength(40);
    expect(new Set(outcomes)).toEqual(new Set(["read", "STORE_DAMAGED"]));
    expect(outcomes.filter((outcome) => outcome === "read").length).toBeGreaterThan(20);
  });

  test.each([
    ["whose beginning is gone", (bytes: Buffer) => bytes.fill(0xa5, 0, 200)],
    ["whose schema is gone", (bytes: Buffer) => bytes.fill(0xa5, 100, 4_096)],
  ])("%s is refused, and not written to", async (_, damage) => {
    const file = await damagedStore(damage);
    const before = readFileSync(file);
    await expect(sqliteDriver(file)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("an event that is no JSON any more is named", async () => {
    const file = scratchFile();
    const driver = await openScratch(file);
    fill(driver, "r", 3);
    const raw = new DatabaseSync(file);
    raw.prepare("UPDATE events SET body = substr(body, 3) WHERE seq = 2").run();
    raw.close();
    expect(() => [...driver.events("r")]).toThrow(`event 2 of the run "r" cannot be read`);
  });

  test("a log that was torn anywhere gives a journal without gaps", async () => {
    const file = scratchFile();
    const driver = await openScratch(file);
    fill(driver, "r", 12);
    const torn = join(scratchFolder(), "torn.db");
    const lengths = new Set<number>();
    const size = statSync(`${file}-wal`).size;
    for (const at of [...Array.from({ length: Math.ceil(size / 1_021) }, (_, i) => i * 1_021), size]) {
      copyFileSync(file, torn);
      copyFileSync(`${file}-wal`, `${torn}-wal`);
      truncateSync(`${torn}-wal`, at);
      const survivor = await openScratch(torn);
      const events = [...survivor.events("r")];
      expect(events).toEqual(
        [startOf("r"), ...Array.from({ length: 12 }, (_, i) => answerOf(i))].slice(0, events.length),
      );
      lengths.add(events.length);
      survivor.close();
    }
    expect(lengths.size).toBe(14);
  });
});

describe("a file that is no store", () => {
  test("of a newer version is refused, and left as it is", async () => {
    const file = scratchFile();
    (await openScratch(file)).close();
    const raw = new DatabaseSync(file);
    raw.exec("PRAGMA user_version = 999");
    raw.close();
    const before = readFileSync(file);
    await expect(sqliteDriver(file)).rejects.toMatchObject({ code: "NEWER_DATABASE" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([0, 1])("of another program is refused, and left as it is (user_version %i)", async (version) => {
    const file = scratchFile();
    const raw = new DatabaseSync(file);
    raw.exec(`CREATE TABLE customers (id); PRAGMA user_version = ${version}`);
    raw.close();
    const before = readFileSync(file);
    await expect(sqliteDriver(file)).rejects.toMatchObject({
      code: "FOREIGN_DATABASE",
      message: expect.stringContaining('"customers"'),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("but text is refused", async () => {
    const file = join(scratchFolder(), "notes.txt");
    writeFileSync(file, "Dear diary, ".repeat(100));
    await expect(sqliteDriver(file)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  });

  test("but a folder is refused", async () => {
    await expect(sqliteDriver(scratchFolder())).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
  });
});

test("a store that was closed says so", async () => {
  const driver = await openScratch(scratchFile());
  fill(driver, "r", 1);
  driver.close();
  expect(codeOf(() => driver.append("r", 2, [answerOf(1)]))).toBe("STORE_CLOSED");
  expect(codeOf(() => driver.list({}))).toBe("STORE_CLOSED");
});
