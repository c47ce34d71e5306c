import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileAccessError } from "./file-access-error.ts";
import {
  fileName,
  isWithin,
  parentDirectory,
  segmentsOf,
  type VirtualPath,
  virtualPath,
} from "./virtual-path.ts";

describe("a path in the store", () => {
  test.each([
    ["/reports/a.txt", "/reports/a.txt"],
    ["/", "/"],
    ["/reports/", "/reports"],
    ["//reports///a.txt", "/reports/a.txt"],
    ["/./reports/./a.txt", "/reports/a.txt"],
    ["/Bu\u0308cher/a", "/B\u00fccher/a"],
    ["/100%/a%20b", "/100%/a%20b"],
    ["/notes…/½ done", "/notes…/½ done"],
    ["/a..b/...c/.hidden", "/a..b/...c/.hidden"],
    ["/2030-01-01T10:00/a", "/2030-01-01T10:00/a"],
    ["/خانه‌ها/👩‍🔧.txt", "/خانه‌ها/👩‍🔧.txt"],
  ])("%s is %s", (text, path) => {
    expect(virtualPath(text)).toBe(path);
  });

  test.each([
    ["", "it is empty"],
    ["a.txt", 'did you mean "/a.txt"?'],
    ["./a.txt", 'did you mean "/a.txt"?'],
    ["../a.txt", 'a path begins with "/"'],
    ["/..", '".." is not a name'],
    ["/../etc/passwd", '".." is not a name'],
    ["/a/../../etc/passwd", '".." is not a name'],
    ["/a/..", '".." is not a name'],
    ["/a/...", '"..." is not a name'],
    ["/a/.. /b", '".. " is not a name'],
    ["/a/. ./b", '". ." is not a name'],
    ["/a\0.txt", "a control character"],
    ["/a\n.txt", "a control character"],
    ["/a\u0085.txt", "a control character"],
    ["\\a", "a backslash"],
    ["/a\\..\\b", "a backslash"],
    ["\\\\server\\share", "a backslash"],
    ["C:/windows", "a drive letter"],
    ["c:a", "a drive letter"],
    ["/C:/windows", "begins like a drive letter"],
    ["/Ｃ：/windows", "begins like a drive letter"],
    ["file:///etc/passwd", "it is an address"],
    ["/%2e%2e/etc", "percent-encoded"],
    ["/%2E./etc", "percent-encoded"],
    ["/a%2fb", "percent-encoded"],
    ["/a%5Cb", "percent-encoded"],
    ["/a%00", "percent-encoded"],
    ["/%252e%252e/x", "percent-encoded"],
    ["/%25252e/x", "percent-encoded"],
    ["/%c0%ae%c0%ae/x", "percent-encoded"],
    ["/%e0%80%ae/x", "percent-encoded"],
    ["/%u002e/x", "percent-encoded"],
    ["/．．/x", "is not a name"],
    ["/․․/x", "is not a name"],
    ["/‥/x", "is not a name"],
    ["/.\u200b./x", "is not a name"],
    ["/\u202e..", "is not a name"],
    ["/a／b", "looks like a slash"],
    ["/a∕b", "looks like a slash"],
    ["/a⁄b", "looks like a slash"],
    ["/a⧸b", "looks like a slash"],
    ["/a＼b", "looks like a slash"],
    ["/a﹨b", "looks like a slash"],
    ["/℀", "looks like a slash"],
    ["/\ud800", "surrogate"],
    [`/${"x".repeat(256)}`, "longer than 255 bytes"],
    [`/${"ü".repeat(128)}`, "longer than 255 bytes"],
    [`/${"x/".repeat(3000)}`, "more than 4096 characters"],
    ["/.sequitur-tmp-1", "the store's own"],
    ["/.Sequitur-TMP-1", "the store's own"],
  ])("%j is refused: %s", (text, why) => {
    expect(() => virtualPath(text)).toThrow(FileAccessError);
    expect(() => virtualPath(text)).toThrow(why);
  });

  const nasty = fc.constantFrom(
    "..",
    ".",
    "/",
    "\\",
    "a",
    "%2e",
    "%2f",
    "．",
    "／",
    "‥",
    "\0",
    " ",
    "C:",
    "\u200b",
    "%25",
    "é",
    "e\u0301",
  );

  test("whatever the text, what is accepted has only names, and reading it again changes nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(nasty, fc.string({ unit: "grapheme" }))), (parts) => {
        let path: VirtualPath;
        try {
          path = virtualPath(`/${parts.join("")}`);
        } catch (error) {
          expect(error).toBeInstanceOf(FileAccessError);
          return;
        }
        expect(virtualPath(path)).toBe(path);
        for (const name of segmentsOf(path)) {
          expect(name.normalize("NFKC").replace(/[\p{Cf}. ]/gu, "")).not.toBe("");
          expect(name.normalize("NFKC")).not.toMatch(/[/\\\0]/);
        }
      }),
    );
  });
});

test("a folder holds what is in it by whole names", () => {
  const within = (path: string, folder: string): boolean => isWithin(virtualPath(path), virtualPath(folder));
  expect(within("/a/b", "/a")).toBe(true);
  expect(within("/a", "/a")).toBe(true);
  expect(within("/a", "/a/")).toBe(true);
  expect(within("/ab", "/a")).toBe(false);
  expect(within("/A/b", "/a")).toBe(false);
  expect(within("/", "/a")).toBe(false);
  expect(within("/a", "/")).toBe(true);
});

test("the attributes of a path", () => {
  const path = virtualPath("/reports/2030/a.txt");
  expect(fileName(path)).toBe("a.txt");
  expect(parentDirectory(path)).toBe("/reports/2030");
  expect(parentDirectory(virtualPath("/a.txt"))).toBe("/");
});
