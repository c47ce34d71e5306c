import { lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, sequitur } from "../../test/run-cli.ts";

const fine = [{ id: "a", tool: "x" }];
const wrong = `[
  { "id": "a", "tool": "x" },
  { "id": "b", "tool": "y", "arguments": { "v": "{{aa.result.v}}" } }
]
`;

describe("check", () => {
  it("says that a plan is fine", async () => {
    const folder = folderWith({ "plan.json": fine, "other.json": fine });
    expect(await sequitur(folder, ["check", "plan.json"])).toEqual({
      code: 0,
      out: "plan.json: no problems\n",
      err: "",
    });
    expect((await sequitur(folder, ["check", "plan.json", "other.json"])).out).toBe("2 plans: no problems\n");
  });

  it("shows a problem with its line, a caret and a fix", async () => {
    const { code, out, err } = await sequitur(folderWith({ "plan.json": wrong }), ["check", "plan.json"]);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toBe(`error[unknown-step]: Invalid reference: there is no step called "aa".
  ┌─ plan.json:3:50
  │
3 │   { "id": "b", "tool": "y", "arguments": { "v": "{{aa.result.v}}" } }
  │                                                  ^^^^^^^^^^^^^^^
  = help: Did you mean "a"?
  = fix: refer to "a", applied by \`sequitur check --fix\`

1 error
1 of these can be fixed by sequitur check --fix.
`);
  });

  it("prints JSON and nothing else", async () => {
    const folder = folderWith({ "plan.json": wrong, "fine.json": fine });
    const { code, out, err } = await sequitur(folder, ["check", "fine.json", "plan.json", "--json"]);
    expect(code).toBe(1);
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual({
      ok: false,
      diagnostics: [
        {
          code: "unknown-step",
          name: "InvalidReferenceError",
          severity: "error",
          message: `Invalid reference: there is no step called "aa".`,
          file: "plan.json",
          line: 3,
          column: 50,
          endLine: 3,
          endColumn: 65,
          pointer: "/1/arguments/v",
          hints: [`Did you mean "a"?`],
          fix: { title: `refer to "a"`, edits: [expect.objectContaining({ op: "splice", text: "a" })] },
        },
      ],
    });
    const clean = await sequitur(folder, ["check", "fine.json", "--json"]);
    expect(clean.code).toBe(0);
    expect(JSON.parse(clean.out)).toEqual({ ok: true, diagnostics: [] });
  });

  it("lets warnings pass", async () => {
    const folder = folderWith({ "plan.json": [] });
    const { code, out, err } = await sequitur(folder, ["check", "plan.json"]);
    expect(code).toBe(0);
    expect(out).toBe("");
    expect(err).toContain("warning[empty-plan]");
    expect(JSON.parse((await sequitur(folder, ["check", "plan.json", "--json"])).out).ok).toBe(true);
  });

  it("reads standard input", async () => {
    const { code, err } = await sequitur(folderWith({}), ["check", "-"], { stdin: wrong });
    expect(code).toBe(1);
    expect(err).toContain("┌─ <stdin>:3:50");
  });

  it("checks the other files when one is missing", async () => {
    const folder = folderWith({ "plan.json": wrong });
    const { code, err } = await sequitur(folder, ["check", "nothing.json", "plan.json"]);
    expect(code).toBe(2);
    expect(err).toContain("There is no file nothing.json.");
    expect(err).toContain("error[unknown-step]");
  });

  it("looks through folders for plans", async () => {
    const folder = folderWith({
      "plans/a.plan.json": fine,
      "plans/deep/b.agent": { system_event_endpoint: "x" },
      "plans/package.json": {},
      "plans/node_modules/c.plan.json": wrong,
      "empty/readme.txt": "",
    });
    expect((await sequitur(folder, ["check", "plans", "empty"])).out).toBe("2 plans: no problems\n");
    expect(await sequitur(folder, ["check", "empty"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("no plans below empty"),
    });
  });

  it("refuses step references where the environment switches them off", async () => {
    const folder = folderWith({
      "plan.json": { steps: [{ tool: "a" }, { tool: "b", params: { x: "${step[0].data}" } }] },
    });
    expect((await sequitur(folder, ["check", "plan.json"])).code).toBe(0);
    const off = await sequitur(folder, ["check", "plan.json"], { env: { ENABLE_STEP_REFERENCES: "false" } });
    expect(off.code).toBe(1);
    expect(off.err).toContain("error[references-disabled]");
  });

  it("finds the plan of a workflow beside its file", async () => {
    const folder = folderWith({
      "flows/x.workflow.json": { context_variables: {}, plan: "../plans/x.plan.json" },
      "plans/x.plan.json": wrong,
    });
    const { err } = await sequitur(folder, ["check", "flows/x.workflow.json"]);
    expect(err).toContain("┌─ plans/x.plan.json:3:50");
  });
});

describe("check --fix", () => {
  it("repairs a file in place, keeping its layout", async () => {
    const folder = folderWith({ "plan.json": wrong });
    const result = await sequitur(folder, ["check", "plan.json", "--fix"]);
    expect(result).toEqual({
      code: 0,
      out: "Fixed 1 problem in plan.json.\nplan.json: no problems\n",
      err: "",
    });
    expect(readFileSync(join(folder, "plan.json"), "utf8")).toBe(wrong.replace("aa.result", "a.result"));
    expect(readdirSync(folder)).toEqual(["plan.json"]);
  });

  it("repairs syntax first, then what it brings to light", async () => {
    const folder = folderWith({ "plan.json": `{ steps: [ { 'tool': "a", "parms": {"x": 1,}, } ]` });
    const { code, err } = await sequitur(folder, ["check", "plan.json", "--fix", "--json"]);
    expect(err).toContain("in plan.json");
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"))).toEqual({
      steps: [{ tool: "a", params: { x: 1 } }],
    });
  });

  it("reports what is left", async () => {
    const folder = folderWith({ "plan.json": `[{ "id": "a", "tol": "x", "arguments": 5 }]` });
    const { code, out, err } = await sequitur(folder, ["check", "plan.json", "--fix"]);
    expect(code).toBe(1);
    expect(out).toBe("Fixed 1 problem in plan.json.\n");
    expect(err).toContain("error[wrong-shape]");
    expect(err).not.toContain("unknown-field");
  });

  it("repairs an agent's own file", async () => {
    const folder = folderWith({
      "plan.json": { instructions: [{ execution_id: "a", agent_definition_path: "/sub/x.agent" }] },
      "agents/sub/x.agent": `{ "system_event_endpoint": "x", "argumets": [] }`,
    });
    const before = await sequitur(folder, ["check", "plan.json", "--agents", "agents"]);
    expect(before.err).toContain("┌─ agents/sub/x.agent:1:33");
    const { code, out } = await sequitur(folder, ["check", "plan.json", "--agents", "agents", "--fix"]);
    expect(out).toBe("Fixed 1 problem in agents/sub/x.agent.\nplan.json: no problems\n");
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "agents/sub/x.agent"), "utf8")).toContain(`"arguments": []`);
  });

  it("writes a plan from standard input to standard output", async () => {
    const { code, out, err } = await sequitur(folderWith({}), ["check", "-", "--fix"], { stdin: wrong });
    expect(code).toBe(0);
    expect(out).toBe(wrong.replace("aa.result", "a.result"));
    expect(err).toBe("Fixed 1 problem in <stdin>.\n<stdin>: no problems\n");
    expect((await sequitur(folderWith({}), ["check", "-", "--fix", "--json"], { stdin: wrong })).code).toBe(
      2,
    );
  });

  it("keeps a link a link", async () => {
    const folder = folderWith({ "real.json": wrong });
    symlinkSync("real.json", join(folder, "link.json"));
    await sequitur(folder, ["check", "link.json", "--fix"]);
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.json"), "utf8")).toContain("{{a.result.v}}");
  });
});
