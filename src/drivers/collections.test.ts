import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Driver, StoredDocument } from "./driver.ts";
import { memoryDriver } from "./memory/driver.ts";
import { sqliteDriver } from "./sqlite/driver.ts";

const folders: string[] = [];
const drivers: Driver[] = [];

async function open(name: "memory" | "sqlite"): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-"));
  folders.push(folder);
  const driver = name === "memory" ? memoryDriver() : await sqliteDriver(join(folder, "runs.db"));
  drivers.push(driver);
  return driver;
}

afterEach(() => {
  for (const driver of drivers.splice(0)) driver.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe.each(["memory", "sqlite"] as const)("collections in %s", (name) => {
  test("find documents by exact fields, in the order in which they came", async () => {
    const { collections } = await open(name);
    collections.put("users", { user: "u1", name: "Ada", age: 36 });
    collections.put("users", { user: "u2", name: "Bob", age: null });
    collections.put("users", { user: "u1", name: "Cy", age: "36" });
    collections.put("others", { user: "u1", name: "Eve" });
    const names = (query: Record<string, string | number | boolean | null>) =>
      collections.find("users", query).map(({ document }) => document.name);
    expect(names({ user: "u1" })).toEqual(["Ada", "Cy"]);
    expect(names({ age: 36 })).toEqual(["Ada"]);
    expect(names({ age: "36" })).toEqual(["Cy"]);
    expect(names({ age: null })).toEqual(["Bob"]);
    expect(names({ absent: null })).toEqual([]);
    expect(names({})).toEqual(["Ada", "Bob", "Cy"]);
    expect(collections.find("nothing", {})).toEqual([]);
  });

  test.each([
    'a"b',
    "a.b",
    "$",
    "__proto__",
    "constructor",
    "a[0]",
    "'; DROP TABLE documents; --",
    "ключ",
    "a\\b",
  ])("take any key and value: %s", async (odd) => {
    const { collections } = await open(name);
    const document = JSON.parse(`{ ${JSON.stringify(odd)}: ${JSON.stringify(odd)}, "n": 1 }`);
    collections.put("c", document);
    collections.put("c", { n: 2 });
    const query = JSON.parse(`{ ${JSON.stringify(odd)}: ${JSON.stringify(odd)} }`);
    expect(collections.find("c", query).map((found) => found.document.n)).toEqual([1]);
  });

  test("a document with an id takes the place of the one with that id", async () => {
    const { collections } = await open(name);
    collections.put("c", { id: 1, a: 1 });
    collections.put("c", { id: "1", a: 2 });
    collections.put("c", { id: 1, b: 3 });
    expect(collections.find("c", {}).map(({ version, document }) => ({ version, document }))).toEqual([
      { version: 2, document: { id: 1, b: 3 } },
      { version: 1, document: { id: "1", a: 2 } },
    ]);
  });

  test("a document is replaced only in the version that was read", async () => {
    const { collections } = await open(name);
    collections.put("c", { id: 1, n: 0 });
    const [found] = collections.find("c", { id: 1 }) as [StoredDocument];
    expect(collections.replace("c", found, { id: 1, n: 1 })).toBe(true);
    expect(collections.replace("c", found, { id: 1, n: 2 })).toBe(false);
    expect(collections.find("c", {})[0]).toMatchObject({ version: 2, document: { n: 1 } });
  });

  test("remove says how many", async () => {
    const { collections } = await open(name);
    for (const n of [1, 1, 2]) collections.put("c", { n });
    expect(collections.remove("c", { n: 1 })).toBe(2);
    expect(collections.remove("c", { n: 1 })).toBe(0);
    expect(collections.find("c", {})).toHaveLength(1);
  });

  test("nobody can change a document from outside", async () => {
    const { collections } = await open(name);
    const document = { id: 1, list: [1] };
    collections.put("c", document);
    document.list.push(2);
    const [found] = collections.find("c", {}) as [StoredDocument];
    (found.document.list as unknown as number[]).push(3);
    expect(collections.find("c", {})[0]?.document.list).toEqual([1]);
  });
});

test("documents in SQLite are there in the next process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-"));
  folders.push(folder);
  const first = await sqliteDriver(join(folder, "runs.db"));
  first.collections.put("c", { id: 1 });
  first.close();
  const second = await sqliteDriver(join(folder, "runs.db"));
  drivers.push(second);
  expect(second.collections.find("c", { id: 1 })).toHaveLength(1);
});
