import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { folderWith, sequitur, startSequitur } from "../../test/run-cli.ts";
import { sampleProject } from "../../test/sample-project.ts";

// Every test starts processes, and machines may be busy.
vi.setConfig({ testTimeout: 60_000 });

const folder = sampleProject();
const run = (...args: string[]) => sequitur(folder, ["run", ...args]);

describe("sequitur run", () => {
  it("prints a line for each step that settled, then the response", async () => {
    const { code, out, err } = await run("sum.agent.json", "--arg", "n=4");
    expect(err).toBe("");
    expect(out).toMatch(
      /^✓ list \d+ ms\n✓ work [\d.]+ m?s {2}4 items\n✓ add \d+ ms\n- never {2}skipped: .*\n\n✓ completed in .* · 8 steps · run_\w+\n\ntotal {2}20\n$/,
    );
    expect(out).not.toContain("\u001b");
    expect(code).toBe(0);
  });

  it("prints the result and nothing else with --json", async () => {
    const { code, out } = await run("sum.agent.json", "--json");
    const result = JSON.parse(out);
    expect(result).toMatchObject({ status: "completed", response: { total: 12 } });
    expect(result.steps["work[2].inner"]).toMatchObject({ status: "completed", result: { value: 6 } });
    expect(code).toBe(0);
  });

  it("keeps what tools print out of the JSON", async () => {
    const { out, err } = await run("talks.plan.json", "--json");
    expect(JSON.parse(out)).toMatchObject({ status: "completed" });
    expect(err).toBe('a tool talks\ntalk: and logs {"n":1}\n');
  });

  it("prints only what the plan gives with --quiet", async () => {
    expect(await run("sum.agent.json", "--quiet")).toEqual({ code: 0, out: "total  12\n", err: "" });
  });

  it.each([
    ["sum.agent.json", ["--args", '{"n": 2}'], { total: 6 }],
    ["sum.agent.json", ["--args", '{"n": 9}', "--arg", "n=1"], { total: 2 }],
    ["sum.agent.json", ["--args", "@args.json"], { total: 30 }],
  ])("takes the arguments of %s from %j", async (plan, args, response) => {
    const other = folderWith({ "args.json": { n: 5 } });
    const at = (word: string) => (word.startsWith("@") ? `@${join(other, word.slice(1))}` : word);
    const { out } = await run(plan, "--json", ...args.map(at));
    expect(JSON.parse(out).response).toEqual(response);
  });

  it("runs step plans and workflows whose plan is a file beside them", async () => {
    const steps = JSON.parse((await run("steps.plan.json", "--json")).out);
    expect(steps.execution.results[1].data).toEqual({ total: 3 });
    const elsewhere = folderWith({});
    const { code } = await sequitur(elsewhere, [
      "run",
      join(folder, "outer.workflow.json"),
      "--tools",
      join(folder, "tools.mjs"),
    ]);
    expect(code).toBe(0);
  });

  it("takes a plan from standard input", async () => {
    const { code, out } = await sequitur(folder, ["run", "-", "--quiet"], {
      stdin: '[{"id":"a","tool":"list"}]',
    });
    expect(out).toBe("a\n  items  [1, 2, 3]\n");
    expect(code).toBe(0);
  });

  it("keeps its runs below the current folder, or where --db says", async () => {
    const place = folderWith({ "plan.json": [{ id: "a", tool: "t" }], "t.mjs": "export const t = () => 1;" });
    await sequitur(place, ["run", "plan.json", "--tools", "t.mjs"]);
    expect(existsSync(join(place, ".sequitur/runs.db"))).toBe(true);
    await sequitur(place, ["run", "plan.json", "--tools", "t.mjs", "--db", "deep/other.db"]);
    expect(existsSync(join(place, "deep/other.db"))).toBe(true);
  });

  it("gives agents the files below --files", async () => {
    const place = folderWith({
      "data/a.txt": "hello",
      "read.agent.json": {
        instructions: [
          {
            execution_id: "read",
            agent_definition_path: "/agents/core/read_file.agent",
            arguments: { file_path: "/a.txt" },
          },
          {
            execution_id: "write",
            agent_definition_path: "/agents/core/put_file.agent",
            arguments: { file_path: "/b.txt", content: "REF:read.content" },
          },
        ],
        response_reference_map: { content: "REF:read.content" },
      },
    });
    const { out, err } = await sequitur(place, ["run", "read.agent.json", "--files", "data", "--quiet"]);
    expect({ out, err }).toEqual({ out: "content  hello\n", err: "" });
    expect(readFileSync(join(place, "data/b.txt"), "utf8")).toBe("hello");
  });
});

describe("a run that fails", () => {
  it("says which step and why: exit code 3", async () => {
    const { code, out, err } = await run("fails.plan.json");
    expect(out).toMatch(/^✗ pay .* 2 attempts {2}card declined$/m);
    expect(out).toMatch(/^⊘ ship {2}blocked: .*pay/m);
    expect(out).toMatch(/^✗ failed in /m);
    expect(err).toMatch(
      /^ToolError: pay: card declined\nGo on from where it ended: sequitur resume run_\w+\n$/,
    );
    expect(code).toBe(3);
  });

  it("goes on with what it can with --continue: partial success, exit code 3", async () => {
    const { code, out } = await run("fails.plan.json", "--continue", "--json");
    expect(JSON.parse(out)).toMatchObject({
      status: "partial_success",
      steps: { other: { status: "completed" } },
    });
    expect(code).toBe(3);
  });
});

describe("a plan that is wrong", () => {
  it("is shown as check shows it, and nothing is kept: exit code 1", async () => {
    const place = folderWith({
      "plan.json":
        '[\n  { "id": "a", "tool": "t" },\n  { "id": "b", "tool": "t", "arguments": { "x": "{{aa.result}}" } }\n]\n',
      "t.mjs": "export const t = () => 1;",
    });
    const { code, out, err } = await sequitur(place, ["run", "plan.json", "--tools", "t.mjs"]);
    expect(err).toContain('error[unknown-step]: Invalid reference: there is no step called "aa".');
    expect(err).toContain("┌─ plan.json:3:50");
    expect(out).toBe("");
    expect(code).toBe(1);
    expect(existsSync(join(place, ".sequitur"))).toBe(false);
  });

  it("does not know tools that were not given", async () => {
    const place = folderWith({ "plan.json": [{ id: "a", tool: "t" }] });
    const { code, err } = await sequitur(place, ["run", "plan.json"]);
    expect(err).toContain('There is no tool called "t".');
    expect(err).toContain("No tools were given: name them with --tools MODULE");
    expect(code).toBe(1);
  });

  it.each([
    [["sum.agent.json", "--arg", 'n="many"'], /Arguments of the plan: .*n.*number/],
    [["asks.plan.json", "--input", "tu=Sarah"], /does not ask for an input "tu"\..*Did you mean "to"\?/s],
    [["asks.plan.json", "--input", "copies=0"], /copies/],
  ])("counts what is given to it: %j", async (args, message) => {
    const { code, out, err } = await run(...args);
    expect(err).toMatch(message);
    expect(err).toContain("given on the command line");
    expect(out).toBe("");
    expect(code).toBe(1);
  });
});

describe("a command line that makes no sense", () => {
  it.each([
    [[], /Which plan\?/],
    [["sum.agent.json", "fails.plan.json"], /One plan at a time/],
    [["sum.agnet.json"], /Did you mean sum\.agent\.json\?/],
    [["sum.agent.json", "--arg", "n"], /--arg takes name=value/],
    [["sum.agent.json", "--args", "{n: 2}"], /--args is not JSON/],
    [["sum.agent.json", "--args", "[1]"], /--args must be a JSON object/],
    [["sum.agent.json", "--args", "@nowhere.json"], /--args @nowhere\.json cannot be read/],
  ])("%j: exit code 2", async (args, message) => {
    const { code, out, err } = await run(...args);
    expect(err).toMatch(message);
    expect(out).toBe("");
    expect(code).toBe(2);
  });
});

describe("without a terminal", () => {
  it("a run that asks waits, and says how to answer: exit code 4", async () => {
    const { code, out, err } = await run("asks.plan.json", "--json", "--input", "to=Sarah");
    const { id, status, questions } = JSON.parse(out);
    expect(status).toBe("waiting");
    expect(questions.map(({ name }: { name: string }) => name)).toEqual(["copies", "urgent", "tone"]);
    expect(err).toContain("copies  How many (integer) for mail");
    expect(err).toContain('tone  How to say it (one of "kind", "firm") for mail');
    expect(err).toContain(`sequitur input ${id} copies=… urgent=… tone=…`);
    expect(code).toBe(4);
  });

  it("everything can be given at the start", async () => {
    const inputs = '{"to": "5", "copies": 2, "urgent": false}';
    const { code, out } = await run("asks.plan.json", "--json", "--inputs", inputs, "--input", "tone=kind");
    expect(JSON.parse(out).steps.mail.result).toEqual({ to: "5", copies: 2, urgent: false, tone: "kind" });
    expect(code).toBe(0);
  });
});

describe("Ctrl-C", () => {
  it("cancels the run, also where a tool does not listen: exit code 130", async () => {
    const started = startSequitur(folder, ["run", "hangs.plan.json"]);
    await started.printed("hanging");
    started.child.kill("SIGINT");
    const { code, out, err } = await started.result;
    expect(out).toContain("⊘ cancelled in");
    expect(err).toContain("CancelledError: Cancelled by Ctrl-C.");
    expect(code).toBe(130);
  });
});
