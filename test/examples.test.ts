import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sequitur } from "./run-cli.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const entries = readdirSync(new URL("../examples", import.meta.url), { withFileTypes: true });
const plans = entries.filter((entry) => entry.isFile()).map((entry) => `examples/${entry.name}`);
const tools = readdirSync(new URL("../examples/tools", import.meta.url)).map(
  (name) => `--tools=examples/tools/${name}`,
);

describe("the examples", () => {
  it("check clean as they are, by the README's command", async () => {
    const all = entries.map((entry) => `examples/${entry.name}`);
    const result = await sequitur(root, ["check", ...all]);
    expect(result).toMatchObject({ code: 0, err: "" });
  });

  it("check clean with all their tools and agents known", async () => {
    const result = await sequitur(root, ["check", ...plans, "--agents", "examples/agents", ...tools]);
    expect(result).toMatchObject({ code: 0, err: "" });
  });

  it("are checked for real: a tool that is not there is found", async () => {
    const text = readFileSync(new URL("../examples/weekly-digest.plan.json", import.meta.url), "utf8");
    const { code, err } = await sequitur(root, ["check", "-", ...tools], {
      stdin: text.replace("fetch_events", "fetch_event"),
    });
    expect(code).toBe(1);
    expect(err).toContain(`There is no tool called "fetch_event".`);
  });
});
