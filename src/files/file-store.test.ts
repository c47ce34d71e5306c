import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SimulatedClock } from "../base/clock.ts";
import { FileAccessError } from "./file-access-error.ts";
import { FileStore } from "./file-store.ts";
import type { GrantedFiles } from "./granted-files.ts";

let folder: string;
let root: string;
let store: FileStore;
let all: GrantedFiles;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sequitur-files-")));
  root = join(folder, "root");
  await mkdir(join(root, "reports"), { recursive: true });
  await writeFile(join(root, "reports", "a.txt"), "Alpha");
  await writeFile(join(folder, "outside.txt"), "secret");
  await mkdir(join(folder, "elsewhere"));
  await writeFile(join(folder, "elsewhere", "b.txt"), "secret");
  store = await FileStore.open({ root });
  all = store.withToken(await store.issueToken({ read: ["/"], write: ["/"] }));
});

afterEach(() => rm(folder, { recursive: true }));

describe("reading and writing", () => {
  test("a path is a path below the root", async () => {
    expect(await all.readText("/reports/a.txt")).toBe("Alpha");
    await expect(all.readText("/etc/passwd")).rejects.toThrow("There is no file at /etc/passwd.");
    await expect(all.readText(join(root, "reports", "a.txt"))).rejects.toThrow("There is no file at");
  });

  test("what is written is read again, byte by byte, and the folders on the way are made", async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7) % 256);
    expect(await all.write("/new//folder/x.bin", bytes)).toBe("/new/folder/x.bin");
    expect(Buffer.from(await all.readBytes("/new/folder/x.bin")).equals(bytes)).toBe(true);
    await all.write("/new/folder/x.bin", "");
    expect(await all.readText("/new/folder/x.bin")).toBe("");
    expect(await readdir(join(root, "new", "folder"))).toEqual(["x.bin"]);
  });

  test("a byte order mark is part of the text", async () => {
    await all.write("/bom.txt", "\ufeffx");
    expect(await all.readText("/bom.txt")).toBe("\ufeffx");
  });

  test("what is not UTF-8 is not given as text", async () => {
    await all.write("/image.bin", Uint8Array.of(0xff, 0xfe));
    await expect(all.readText("/image.bin")).rejects.toThrow(/\/image\.bin is not UTF-8 text.*base64/);
  });

  test("a file that is not to be replaced stays, unless it is what was to be written", async () => {
    await expect(all.write("/reports/a.txt", "Beta", { replace: false })).rejects.toThrow(
      "There already is a file at /reports/a.txt.",
    );
    expect(await all.readText("/reports/a.txt")).toBe("Alpha");
    expect(await all.write("/reports/a.txt", "Alpha", { replace: false })).toBe("/reports/a.txt");
    expect(await all.write("/reports/b.txt", "Beta", { replace: false })).toBe("/reports/b.txt");
    expect((await readdir(join(root, "reports"))).sort()).toEqual(["a.txt", "b.txt"]);
  });

  test("of writes at once, each is whole and one remains; nothing is left over", async () => {
    const texts = Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(100_000));
    await Promise.all(texts.map((text) => all.write("/same.txt", text)));
    expect(texts).toContain(await all.readText("/same.txt"));
    expect((await readdir(root)).sort()).toEqual(["reports", "same.txt"]);
  });

  test("of exclusive writes at once, one wins", async () => {
    const writes = Array.from({ length: 8 }, (_, i) => all.write("/once.txt", `${i}`, { replace: false }));
    const ends = await Promise.allSettled(writes);
    expect(ends.filter((end) => end.status === "fulfilled")).toHaveLength(1);
    expect((await readdir(root)).sort()).toEqual(["once.txt", "reports"]);
  });

  test("folders are not files, files are not folders", async () => {
    await expect(all.readText("/reports")).rejects.toThrow("/reports is a folder, not a file.");
    await expect(all.write("/reports", "x")).rejects.toThrow("/reports is a folder, not a file.");
    await expect(all.write("/", "x")).rejects.toThrow("/ is the root folder, not a file.");
    await expect(all.write("/reports/a.txt/b", "x")).rejects.toThrow(
      "/reports/a.txt is a file, not a folder.",
    );
    await expect(all.readText("/reports/a.txt/b")).rejects.toThrow("There is no file at /reports/a.txt/b.");
    await expect(all.list("/reports/a.txt")).rejects.toThrow("/reports/a.txt is a file, not a folder.");
    await expect(all.list("/none")).rejects.toThrow("There is no folder at /none.");
  });

  test("sizes are limited", async () => {
    const small = await FileStore.open({ root, readBytesMax: 4, writeBytesMax: 3, entriesMax: 1 });
    const files = small.withToken(await small.issueToken({ read: ["/"], write: ["/"] }));
    await expect(files.readText("/reports/a.txt")).rejects.toThrow("has more than 4 bytes");
    await expect(files.write("/b.txt", "Beta")).rejects.toThrow("have 4 bytes; 3 are the most");
    await files.write("/b.txt", "abc");
    await expect(files.list("/")).rejects.toThrow("/ holds more than 1 entries");
  });

  test("listing and describing", async () => {
    await all.write("/reports/2030/b.txt", "Beta!");
    const entries = await all.list("/", { recursive: true });
    expect(entries.map(({ path, kind, size_bytes }) => [path, kind, size_bytes])).toEqual([
      ["/reports", "directory", 0],
      ["/reports/2030", "directory", 0],
      ["/reports/2030/b.txt", "file", 5],
      ["/reports/a.txt", "file", 5],
    ]);
    expect(await all.list("/reports")).toHaveLength(2);
    const found = await all.describe("/reports/a.txt");
    expect(found).toMatchObject({
      exists: true,
      kind: "file",
      file_name: "a.txt",
      parent_directory: "/reports",
    });
    expect(await all.describe("/none/x.txt/")).toEqual({
      exists: false,
      path: "/none/x.txt",
      file_name: "x.txt",
      parent_directory: "/none",
    });
  });
});

describe("symbolic links are not followed", () => {
  const LINK = "symbolic link";

  beforeEach(async () => {
    await symlink(join(folder, "outside.txt"), join(root, "file-link"));
    await symlink(join(folder, "elsewhere"), join(root, "folder-link"));
    await symlink(join(folder, "nowhere"), join(root, "dangling"));
    await symlink(join(root, "reports"), join(root, "inside-link"));
    await symlink("..", join(root, "reports", "up"));
    await symlink("loop", join(root, "loop"));
  });

  test.each([
    "/file-link",
    "/folder-link/b.txt",
    "/dangling",
    "/dangling/x",
    "/inside-link/a.txt",
    "/reports/up/root",
    "/loop",
  ])("%s", async (path) => {
    await expect(all.readText(path)).rejects.toThrow(LINK);
    await expect(all.readBytes(path)).rejects.toThrow(LINK);
    await expect(all.describe(path)).rejects.toThrow(LINK);
    await expect(all.list(path)).rejects.toThrow(LINK);
    await expect(all.write(path, "owned")).rejects.toThrow(LINK);
    await expect(all.write(path, "owned", { replace: false })).rejects.toThrow(LINK);
    await expect(all.write(`${path}/deeper/x`, "owned")).rejects.toThrow(LINK);
  });

  test("nothing outside was touched", async () => {
    await expect(all.write("/folder-link/b.txt", "owned")).rejects.toThrow(LINK);
    await expect(all.write("/dangling", "owned")).rejects.toThrow(LINK);
    expect(await readFile(join(folder, "outside.txt"), "utf8")).toBe("secret");
    expect(await readFile(join(folder, "elsewhere", "b.txt"), "utf8")).toBe("secret");
    expect((await readdir(folder)).sort()).toEqual(["elsewhere", "outside.txt", "root"]);
  });

  test("and not listed", async () => {
    const paths = (await all.list("/", { recursive: true })).map(({ path }) => path);
    expect(paths).toEqual(["/reports", "/reports/a.txt"]);
  });

  test("but the root itself may be behind one", async () => {
    await symlink(root, join(folder, "root-link"));
    const linked = await FileStore.open({ root: join(folder, "root-link") });
    const files = linked.withToken(await linked.issueToken({ read: ["/"] }));
    expect(await files.readText("/reports/a.txt")).toBe("Alpha");
  });
});

test.each([
  "/../outside.txt",
  "/reports/../../outside.txt",
  "../outside.txt",
  "/..%2foutside.txt",
  "/．．/outside.txt",
  "/reports\\..\\..\\outside.txt",
  "/a\0",
])("%j is refused by every operation", async (path) => {
  await expect(all.readText(path)).rejects.toThrow(FileAccessError);
  await expect(all.readBytes(path)).rejects.toThrow(FileAccessError);
  await expect(all.write(path, "x")).rejects.toThrow(FileAccessError);
  await expect(all.list(path)).rejects.toThrow(FileAccessError);
  await expect(all.describe(path)).rejects.toThrow(FileAccessError);
  expect(await readFile(join(folder, "outside.txt"), "utf8")).toBe("secret");
});

test("messages name no path of the host", async () => {
  const attempts = [
    () => all.readText("/none"),
    () => all.readText("/reports"),
    () => all.list("/x"),
    () => all.write("/reports", ""),
  ];
  for (const attempt of attempts) {
    const error = await attempt().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "FileAccessError", code: "FILE_ACCESS" });
    expect(String(error)).not.toContain(folder);
  }
});

test("a store needs a folder", async () => {
  await expect(FileStore.open({ root: join(folder, "none") })).rejects.toThrow("is not a folder");
  await expect(FileStore.open({ root: join(folder, "outside.txt") })).rejects.toThrow("is not a folder");
});

describe("tokens", () => {
  const KEY = "0123456789abcdef0123456789abcdef";

  async function failureOf(token: string | undefined, verb: "read" | "write" = "read"): Promise<string> {
    const files = store.withToken(token);
    const attempt = verb === "read" ? files.readText("/reports/a.txt") : files.write("/reports/a.txt", "x");
    const error = await attempt.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ name: "FileAccessError", code: "FILE_ACCESS", retryable: false });
    if (token !== undefined && token.length > 10) expect(String(error)).not.toContain(token);
    return String(error);
  }

  test("without one, nothing is read, written, listed or told", async () => {
    expect(await failureOf(undefined)).toContain("Cannot read /reports/a.txt: no token was given.");
    expect(await failureOf(undefined, "write")).toContain("Cannot write /reports/a.txt: no token was given.");
    const none = store.withToken(undefined);
    await expect(none.list("/")).rejects.toThrow("no token was given");
    await expect(none.describe("/none")).rejects.toThrow("no token was given");
  });

  test("reading does not include writing, nor writing reading", async () => {
    const reads = await store.issueToken({ read: ["/reports"] });
    expect(await store.withToken(reads).readText("/reports/a.txt")).toBe("Alpha");
    expect(await failureOf(reads, "write")).toContain("the token does not allow writing /reports/a.txt");
    const writes = await store.issueToken({ write: ["/reports"] });
    expect(await failureOf(writes)).toContain("the token does not allow reading /reports/a.txt");
    await expect(store.withToken(writes).list("/reports")).rejects.toThrow("does not allow reading /reports");
  });

  test("a scope covers whole names, however the path is spelled", async () => {
    await all.write("/report", "x");
    await all.write("/reports-2/a.txt", "x");
    const files = store.withToken(await store.issueToken({ read: ["/reports/"] }));
    expect(await files.readText("//reports/./a.txt")).toBe("Alpha");
    for (const path of ["/report", "/reports-2/a.txt", "/", "/Reports/a.txt"]) {
      await expect(files.readBytes(path)).rejects.toThrow("the token does not allow reading");
    }
    await expect(files.readText("/reports/../report")).rejects.toThrow("is not a name");
  });

  test("nothing is said of files that the token does not cover", async () => {
    const files = store.withToken(await store.issueToken({ read: ["/other"] }));
    const there = await files.readText("/reports/a.txt").catch((error: Error) => error.message);
    const missing = await files.readText("/reports/b.txt").catch((error: Error) => error.message);
    expect(missing).toBe(String(there).replaceAll("a.txt", "b.txt"));
  });

  test("it ends when it expires, to the millisecond", async () => {
    const clock = new SimulatedClock(1_900_000_000_123);
    store = await FileStore.open({ root }, clock);
    const token = await store.issueToken({ read: ["/"], expiresInMs: 500 });
    const files = store.withToken(token);
    clock.at(clock.now() + 499, () => {});
    clock.at(clock.now() + 500, () => {});
    expect(await files.readText("/reports/a.txt")).toBe("Alpha");
    clock.step();
    expect(await files.readText("/reports/a.txt")).toBe("Alpha");
    clock.step();
    expect(await failureOf(token)).toContain("the token has expired");
    expect(await failureOf(await store.issueToken({ read: ["/"], expiresInMs: -1 }))).toContain(
      "the token has expired",
    );
  });

  test("a token of another store is refused, unless they share a key", async () => {
    const other = await FileStore.open({ root });
    expect(await failureOf(await other.issueToken({ read: ["/"] }))).toContain("signed with another key");
    const [first, second] = [
      await FileStore.open({ root, key: KEY }),
      await FileStore.open({ root, key: Buffer.from(KEY) }),
    ];
    const token = await first.issueToken({ read: ["/"] });
    expect(await second.withToken(token).readText("/reports/a.txt")).toBe("Alpha");
  });

  test("a short key is refused", async () => {
    await expect(FileStore.open({ root, key: "secret" })).rejects.toThrow(/has 6 bytes; at least 32/);
  });

  test("a token that was changed, widened or cut is refused", async () => {
    const token = await store.issueToken({ read: ["/other"] });
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const widened = encode({ ...claims, read: ["/"] });
    expect(await failureOf(`${header}.${widened}.${signature}`)).toContain("signed with another key");
    expect(await failureOf(`${header}.${widened}.`)).toMatch(
      /signed with another key|is not one that issueFileToken made/,
    );
    for (const broken of ["", "x", "a.b.c", token.slice(0, -10), `${token}x`, `${header}.${payload}`]) {
      expect(await failureOf(broken)).toMatch(/signed with another key|is not one that issueFileToken made/);
    }
  });

  test("a token without a signature, or with another algorithm, is refused", async () => {
    const unsigned = new UnsecuredJWT({ read: ["/"], write: [] })
      .setIssuer("sequitur")
      .setAudience("sequitur/files")
      .encode();
    expect(await failureOf(unsigned)).toMatch(/not signed with HS256|is not one that issueFileToken made/);
    const key = Buffer.from(KEY + KEY);
    const hs512 = await new SignJWT({ read: ["/"], write: [] })
      .setProtectedHeader({ alg: "HS512" })
      .sign(key);
    expect(await failureOf(hs512)).toContain("not signed with HS256");
  });

  test("the given key itself signs nothing: it is not the key of tokens", async () => {
    store = await FileStore.open({ root, key: KEY });
    const forged = await new SignJWT({ read: ["/"], write: ["/"] })
      .setProtectedHeader({ alg: "HS256", typ: "sequitur-files+jwt" })
      .setIssuer("sequitur")
      .setAudience("sequitur/files")
      .sign(Buffer.from(KEY));
    expect(await failureOf(forged)).toContain("signed with another key");
  });

  test("scopes are paths", async () => {
    await expect(store.issueToken({ read: ["reports"] })).rejects.toThrow('did you mean "/reports"?');
    await expect(store.issueToken({ read: ["/reports/*"] })).rejects.toThrow('"*" has no meaning');
    await expect(store.issueToken({ write: ["/a/../b"] })).rejects.toThrow("is not a name");
    await expect(store.issueToken({ expiresInMs: Number.NaN })).rejects.toThrow("a number of milliseconds");
  });

  test("nobody gets the token out of the files it opened", async () => {
    const token = await store.issueToken({ read: ["/"] });
    const files = store.withToken(token);
    expect(JSON.stringify(files)).toBe("{}");
    expect(Object.getOwnPropertyNames(files)).toEqual([]);
  });
});
