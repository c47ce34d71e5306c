import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { isGone, newOwner } from "./owner.ts";

/** The owner that this process would be, with some parts changed. */
function other(change: (parts: string[]) => void): string {
  const parts = newOwner().split(" ");
  change(parts);
  return parts.join(" ");
}

describe("an owner", () => {
  test("is another one for each engine", () => {
    expect(newOwner()).not.toBe(newOwner());
  });

  test("that lives is not gone", () => {
    expect(isGone(newOwner())).toBe(false);
  });

  test("whose process has ended is gone", async () => {
    const child = spawn(process.execPath, ["-e", "0"]);
    await once(child, "exit");
    expect(isGone(other((parts) => (parts[3] = String(child.pid))))).toBe(true);
  });

  test("whose number another process has got since is gone", () => {
    expect(isGone(other((parts) => (parts[4] = "1")))).toBe(true);
  });

  test("of before the machine was started again is gone", () => {
    expect(isGone(other((parts) => (parts[1] = "an-earlier-boot")))).toBe(true);
  });

  test("on another machine, or in another container, may live for all we know", () => {
    expect(isGone(other((parts) => (parts[0] = "elsewhere")))).toBe(false);
    expect(isGone(other((parts) => parts.splice(2, 2, "pid:[1]", "999999999")))).toBe(false);
  });
});
