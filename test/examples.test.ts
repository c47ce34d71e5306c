import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { folderWith, sequitur } from "./run-cli.ts";

// Every test starts processes, and machines may be busy.
vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const entries = readdirSync(new URL("../examples", import.meta.url), { withFileTypes: true });
const plans = entries
  .filter((entry) => entry.isFile() && /\.(agent|plan|workflow)\.json$/.test(entry.name))
  .map((entry) => `examples/${entry.name}`);

describe("the examples", () => {
  it("check clean with all their tools and agents known, by their own configuration", async () => {
    expect(await sequitur(root, ["check", ...plans])).toMatchObject({ code: 0, err: "" });
  });

  it("check clean all together, by the README's command", async () => {
    const all = entries.map((entry) => `examples/${entry.name}`);
    expect(await sequitur(root, ["check", ...all])).toMatchObject({ code: 0, err: "" });
  });

  it("are checked for real: a tool that is not there is found", async () => {
    const text = readFileSync(new URL("../examples/weekly-digest.plan.json", import.meta.url), "utf8");
    const tools = readdirSync(new URL("../examples/tools", import.meta.url)).map(
      (name) => `--tools=examples/tools/${name}`,
    );
    const { code, err } = await sequitur(root, ["check", "-", ...tools], {
      stdin: text.replace("fetch_events", "fetch_event"),
    });
    expect(code).toBe(1);
    expect(err).toContain(`There is no tool called "fetch_event".`);
  });
});

describe("the examples run", () => {
  const db = join(folderWith({}), "runs.db");
  const run = (plan: string, ...args: string[]) =>
    sequitur(root, ["run", `examples/${plan}`, "--db", db, ...args]);

  it.each([
    ["code-tour.agent.json", []],
    ["document-analysis.agent.json", ["--arg", "folder=/inbox"]],
    ["facility-shipments.plan.json", []],
    ["interview.workflow.json", []],
    ["onboarding-interview.workflow.json", ["--arg", "customer_id=c-1"]],
    ["translate-batch.agent.json", ["--args", '{"messages": ["a", "b"], "language": "de"}']],
    ["weekly-digest.plan.json", ["--input", "week_start=2031-05-05"]],
  ])("%s", async (plan, args) => {
    const { code, out, err } = await run(plan, ...args);
    expect({ code, err, out }).toMatchObject({ code: 0, err: "" });
    expect(out).toContain("✓ completed");
  });

  it.each([
    ["reply-to-newest-mail.plan.json", ["--input", "reply_message=Thanks"], "reply"],
    ["order-with-cleanup.agent.json", ["--args", '{"order_id": "o-1", "items": ["lamp"]}'], "charge"],
  ])("%s, once a person said yes", async (plan, args, step) => {
    const { code, out } = await run(plan, ...args, "--json");
    expect(code).toBe(4);
    const { id } = JSON.parse(out);
    expect((await sequitur(root, ["confirm", id, step, "yes", "--db", db])).code).toBe(0);
  });

  it("code-tour counts the project's own lines", async () => {
    const { out } = await run("code-tour.agent.json", "--arg", "folder=/src", "--json");
    const { response, steps } = JSON.parse(out);
    expect(steps.folders.result.directories).toContain("/src/core");
    expect(steps.count.result.length).toBe(steps.folders.result.directories.length);
    expect(response.report).toContain("The longest files:");
    const text = readFileSync(new URL("../src/core/advance.ts", import.meta.url), "utf8");
    const counted = steps.count.result
      .flatMap(({ files }: { files: { file: string; lines: number }[] }) => files)
      .find(({ file }: { file: string }) => file === "/src/core/advance.ts");
    expect(counted.lines).toBe(text.trimEnd().split("\n").length);
  });
});
