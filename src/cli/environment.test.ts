import { describe, expect, it } from "vitest";
import { folderWith, sequitur } from "../../test/run-cli.ts";

const plan = [{ id: "a", tool: "send", arguments: { to: 5 } }];
const tools = `export const send = {
  name: "send",
  input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  run: () => null,
};
`;

describe("tools", () => {
  it.each([
    ["named exports", tools],
    ["a default object", `${tools.replace("export ", "")}export default { send };\n`],
    ["a default list", `${tools.replace("export ", "")}export default [send];\n`],
    ["one default tool", tools.replace("export const send =", "export default")],
  ])("are %s", async (_, text) => {
    const folder = folderWith({ "plan.json": plan, "tools.mjs": text });
    const { code, err } = await sequitur(folder, ["check", "plan.json", "--tools", "tools.mjs"]);
    expect(err).toContain("error[type-mismatch]");
    expect(code).toBe(1);
  });

  it("may be plain functions, from several modules", async () => {
    const folder = folderWith({
      "plan.json": [
        { id: "a", tool: "send" },
        { id: "b", tool: "fetch" },
        { id: "c", tool: "fetsh" },
      ],
      "a.mjs": "export function send() {}\n",
      "b.mjs": "export default function fetch() {}\n",
    });
    const { err } = await sequitur(folder, ["check", "plan.json", "--tools", "a.mjs", "--tools=./b.mjs"]);
    expect(err).toContain(`There is no tool called "fetsh".`);
    expect(err).toContain("1 error");
  });

  it.each([
    ["nowhere.mjs", undefined, /There is no module nowhere\.mjs/],
    ["tools.mjs", "syntax error here", /cannot be loaded/],
    ["tools.mjs", "export const x = 5;", /"x" in tools\.mjs is not a tool/],
    ["tools.mjs", "", /There are no tools in tools\.mjs/],
  ])("in %s that are %j are refused", async (name, text, message) => {
    const folder = folderWith({ "plan.json": plan, ...(text !== undefined && { [name]: text }) });
    const { code, err } = await sequitur(folder, ["check", "plan.json", "--tools", name]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});

describe("agents", () => {
  const calls = (path: string) => ({ instructions: [{ execution_id: "a", agent_definition_path: path }] });

  it("are named by their path below the folder", async () => {
    const folder = folderWith({
      "plan.json": calls("/a/b.agent"),
      "bare.json": calls("a/b.agent"),
      "lib/a/b.agent": { system_event_endpoint: "x" },
    });
    expect((await sequitur(folder, ["check", "plan.json", "bare.json", "--agents", "lib"])).code).toBe(0);
  });

  it("are unknown only where a folder says which there are", async () => {
    const folder = folderWith({
      "plan.json": calls("/a.agent"),
      "lib/b.agent": { system_event_endpoint: "x" },
    });
    expect((await sequitur(folder, ["check", "plan.json"])).code).toBe(0);
    const { code, err } = await sequitur(folder, ["check", "plan.json", "--agents", "lib"]);
    expect(code).toBe(1);
    expect(err).toContain(`There is no agent at "/a.agent".`);
    expect((await sequitur(folder, ["check", "plan.json", "--agents", "nowhere"])).code).toBe(2);
  });
});

describe("sequitur.config.json", () => {
  it("says what the options would", async () => {
    const folder = folderWith({
      "sequitur.config.json": { tools: "tools.mjs", agents: "lib", context: "context.json", db: "runs.db" },
      "tools.mjs": tools,
      "lib/x.agent": { system_event_endpoint: "sned" },
      "context.json": { runtime_variables: [{ name: "x" }] },
      "plan.json": {
        instructions: [
          { execution_id: "a", agent_definition_path: "/x.agent", arguments: { v: "REF:context.y" } },
        ],
      },
    });
    const { err } = await sequitur(folder, ["check", "plan.json"]);
    expect(err).toContain(`There is no tool called "sned".`);
    expect(err).toContain(`no context variable called "y"`);
  });

  it("of the plan's folder counts where the current folder has none, from its own folder", async () => {
    const project = {
      "sequitur.config.json": { tools: "tools.mjs" },
      "tools.mjs": "export function send() {}\n",
      "plan.json": [{ id: "a", tool: "sned" }],
    };
    const nested = Object.fromEntries(Object.entries(project).map(([name, text]) => [`sub/${name}`, text]));
    const folder = folderWith({ ...nested, "other/plan.json": [{ id: "a", tool: "sned" }] });
    expect((await sequitur(folder, ["check", "sub/plan.json"])).err).toContain(`no tool called "sned"`);
    // Plans of several folders have no configuration in common.
    expect((await sequitur(folder, ["check", "sub/plan.json", "other/plan.json"])).code).toBe(0);
    const own = folderWith({ ...nested, "sequitur.config.json": {} });
    expect((await sequitur(own, ["check", "sub/plan.json"])).code).toBe(0);
  });

  it("gives way to an option", async () => {
    const folder = folderWith({
      "sequitur.config.json": { tools: ["gone.mjs"] },
      "tools.mjs": "export function send() {}\n",
      "plan.json": plan,
    });
    expect((await sequitur(folder, ["check", "plan.json"])).code).toBe(2);
    expect((await sequitur(folder, ["check", "plan.json", "--tools", "tools.mjs"])).code).toBe(0);
  });

  it.each([
    ["{", /is not JSON/],
    ["[]", /must be an object/],
    [{ agnets: "x" }, /has no key "agnets"\. Did you mean "agents"\?/],
    [{ agents: ["x"] }, /"agents" in sequitur\.config\.json must be a path\./],
  ])("must make sense: %j", async (config, message) => {
    const folder = folderWith({ "sequitur.config.json": config, "plan.json": plan });
    const { code, err } = await sequitur(folder, ["check", "plan.json"]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("reports context variables that are no JSON", async () => {
    const folder = folderWith({ "plan.json": [{ id: "a", tool: "x" }], "context.json": "{ broken" });
    const { code, err } = await sequitur(folder, ["check", "plan.json", "--context", "context.json"]);
    expect(code).toBe(1);
    expect(err).toContain("┌─ context.json:1:1");
  });
});
