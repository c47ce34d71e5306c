import { execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { folderWith, sequitur } from "../../test/run-cli.ts";

// Every test starts processes, and machines may be busy.
vi.setConfig({ testTimeout: 60_000 });

const commandsIn = (out: string): string => {
  const [, next = ""] = out.split("Next:\n");
  return next
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .join(" && ");
};

describe("sequitur init", () => {
  it("makes a project that runs, and prints commands that work", async () => {
    const folder = folderWith({});
    const { code, out } = await sequitur(folder, ["init", "my project"]);
    expect(code).toBe(0);
    const output = execSync(commandsIn(out), { cwd: folder, encoding: "utf8" });
    expect(output).toContain("Oslo, Lagos, Lima: 14.5 degrees on average.");
    expect(output).toContain("2 tests passed");
    expect((await sequitur(join(folder, "my project"), ["check", "weather.plan.json"])).code).toBe(0);
  });

  it("says npx where the project has sequitur", async () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    mkdirSync(join(root, ".sequitur"), { recursive: true });
    const place = mkdtempSync(join(root, ".sequitur", "init-"));
    const { out } = await sequitur(place, ["init"]);
    expect(out).toContain("Made in this folder:");
    expect(commandsIn(out)).toBe("npx sequitur run weather.plan.json && npx sequitur test");
    rmSync(place, { recursive: true });
  });

  it("leaves alone what is there", async () => {
    const folder = folderWith({ "tools.mjs": "// mine" });
    const { code, err } = await sequitur(folder, ["init"]);
    expect(err).toContain(". already has tools.mjs");
    expect(code).toBe(2);
    expect(readFileSync(join(folder, "tools.mjs"), "utf8")).toBe("// mine");
  });
});
