import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { compile } from "../../compiler.ts";
import { compile as compilePlan } from "../../dialects/compile.ts";
import { createEngine, type Engine } from "../../engine/engine.ts";
import type { RunResult } from "../../engine/result.ts";
import { explain } from "../../ir/analysis.ts";
import { coreAgentDefinitions, coreAgents } from "./core-agents.ts";

let root: string;
let engine: Engine;
let fileToken: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sequitur-core-"));
  await writeFile(join(root, "a.txt"), "Alpha");
  await writeFile(join(root, "b.txt"), "Beta");
  engine = await createEngine({ files: { root } });
  fileToken = await engine.issueFileToken({ read: ["/"], write: ["/out"] });
});

afterAll(() => rm(root, { recursive: true }));

function planOf(agent: string, args: JsonObject): JsonObject {
  const step = { execution_id: "x", agent_definition_path: `/agents/core/${agent}.agent`, arguments: args };
  return { instructions: [step] };
}

async function run(agent: string, args: JsonObject, by: Engine = engine): Promise<RunResult> {
  return by.run(planOf(agent, args), by === engine ? { fileToken } : {});
}

async function resultOf(agent: string, args: JsonObject): Promise<Json | undefined> {
  const { steps, error } = await run(agent, args);
  expect(error).toBeUndefined();
  return steps.x?.result;
}

async function errorOf(agent: string, args: JsonObject): Promise<RunResult["error"]> {
  const { status, error } = await run(agent, args);
  expect(status).toBe("failed");
  return error;
}

describe("the built-in agents", () => {
  test.each(coreAgents)("$name is a definition without faults", ({ name }) => {
    const definition = coreAgentDefinitions[`/agents/core/${name}.agent`] as JsonObject;
    expect(compile(definition, { tools: {} }).diagnostics).toEqual([]);
    expect(compile(JSON.stringify(definition)).diagnostics).toEqual([]);
    for (const field of [
      ...(definition.arguments as JsonObject[]),
      ...(definition.responses as JsonObject[]),
    ]) {
      expect(field.description).toMatch(/\.$/);
    }
  });

  test("are known to the compiler with and without other agents and tools", () => {
    const wrong = planOf("math", { expression: 5, extra: 1 });
    for (const options of [{}, { agents: {} }, { agents: {}, tools: {} }]) {
      expect(compile(planOf("math", { expression: "1" }), options).diagnostics).toEqual([]);
      const codes = compile(wrong, options).diagnostics.map(({ code }) => code);
      expect(codes.sort()).toEqual(["type-mismatch", "unexpected-argument"]);
    }
    const [typo] = compile(planOf("maths", {}), { agents: {} }).diagnostics;
    expect(typo).toMatchObject({
      code: "unknown-agent",
      hints: [expect.stringContaining("/agents/core/math.agent")],
    });
    expect(compilePlan(planOf("math", {}), { agents: {} }).diagnostics[0]?.code).toBe("unknown-agent");
  });

  test("are described in docs/agents.md, with everything they take and give", async () => {
    const guide = await readFile("docs/agents.md", "utf8");
    for (const agent of coreAgents) {
      const section = guide.split(/^##+ /m).find((text) => text.startsWith(`\`${agent.name}\``)) ?? "";
      for (const { name } of [...agent.arguments, ...agent.responses])
        expect(section).toContain(`\`${name}\``);
    }
    const example = /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
    expect(compile(example, { agents: {}, tools: {} }).diagnostics).toEqual([]);
  });

  test("say what they change", () => {
    const changing = coreAgents.filter((agent) => agent.sideEffects).map((agent) => agent.name);
    expect(changing).toEqual(["put_file", "http_request"]);
    const { program } = compile(planOf("put_file", { file_path: "/x", content: "" }));
    if (program === undefined) throw new Error("no program");
    expect(JSON.stringify(explain(program))).toContain("sequitur.core.put_file");
  });

  test("give way to definitions and tools of the user that have the same name", async () => {
    const definition = { system_event_endpoint: "mine" };
    for (const path of ["/agents/core/math.agent", "agents/core/math.agent"]) {
      const own = await createEngine({
        agents: { [path]: definition },
        tools: { mine: () => ({ result: "mine" }) },
      });
      expect((await run("math", { expression: "1" }, own)).steps.x?.result).toEqual({ result: "mine" });
    }
    const tools = { "sequitur.core.math": () => ({ result: 99 }) };
    expect((await run("math", { expression: "1" }, await createEngine({ tools }))).steps.x?.result).toEqual({
      result: 99,
    });
  });

  test("can be called as tools in the other languages, and are checked there, too", async () => {
    const steps = [
      { tool: "sequitur.core.math", params: { expression: "6 * 7" } },
      {
        tool: "sequitur.core.render_template",
        params: { template: "<<n>>!", values: { n: "${step[0].data.result}" } },
      },
    ];
    const { execution } = await engine.run({ steps });
    expect(execution?.results.map(({ data }) => data)).toEqual([{ result: 42 }, { text: "42!" }]);
    const plan = [{ id: "a", tool: "sequitur.core.math", arguments: { expresion: "1" } }];
    await expect(engine.run(plan)).rejects.toMatchObject({ name: "PlanError" });
    const wait = [{ id: "a", tool: "sequitur.core.list_directory", arguments: {} }];
    expect((await engine.run(wait, { fileToken })).status).toBe("completed");
  });
});

describe("files", () => {
  test("read_file", async () => {
    expect(await resultOf("read_file", { file_path: "/a.txt" })).toEqual({
      content: "Alpha",
      file: "/a.txt",
      size_bytes: 5,
    });
    const encoded = await resultOf("read_file", { file_path: "/a.txt", encoding: "base64" });
    expect(encoded).toMatchObject({ content: btoa("Alpha"), size_bytes: 5 });
    expect(await errorOf("read_file", { file_path: "/none" })).toMatchObject({
      name: "FileAccessError",
      code: "FILE_ACCESS",
      message: "There is no file at /none.",
    });
  });

  test("put_file writes text as it is, anything else as JSON, and bytes from base64", async () => {
    expect(await resultOf("put_file", { file_path: "/out/x.txt", content: "hé" })).toEqual({
      file: "/out/x.txt",
      size_bytes: 3,
    });
    expect(await resultOf("read_file", { file_path: "/out/x.txt" })).toMatchObject({ content: "hé" });
    await resultOf("put_file", { file_path: "/out/x.json", content: { a: [1] } });
    expect(await resultOf("read_file", { file_path: "/out/x.json" })).toMatchObject({
      content: '{\n  "a": [\n    1\n  ]\n}\n',
    });
    await resultOf("put_file", { file_path: "/out/x.bin", content: "/wA=", encoding: "base64" });
    expect(await resultOf("read_file", { file_path: "/out/x.bin", encoding: "base64" })).toMatchObject({
      content: "/wA=",
    });
    expect(
      await errorOf("put_file", { file_path: "/out/y", content: "?", encoding: "base64" }),
    ).toMatchObject({ code: "INVALID_CONTENT" });
    expect(
      await errorOf("put_file", { file_path: "/out/x.txt", content: "new", overwrite: false }),
    ).toMatchObject({ code: "FILE_ACCESS" });
    expect((await errorOf("put_file", { file_path: "/a.txt", content: "" }))?.message).toContain(
      "does not allow writing /a.txt",
    );
  });

  test("list_directory and describe_file", async () => {
    const listed = (await resultOf("list_directory", { extension: ".txt" })) as JsonObject;
    expect(listed.files).toEqual(["/a.txt", "/b.txt"]);
    const all = (await resultOf("list_directory", { directory_path: "/", recursive: true })) as JsonObject;
    expect(all.directories).toEqual(["/out"]);
    expect((all.entries as JsonObject[])[0]).toMatchObject({
      path: "/a.txt",
      file_name: "a.txt",
      kind: "file",
      size_bytes: 5,
    });
    expect(await resultOf("describe_file", { file_path: "/b.txt" })).toMatchObject({
      exists: true,
      size_bytes: 4,
      parent_directory: "/",
    });
    expect(await resultOf("describe_file", { file_path: "/none/c" })).toMatchObject({
      exists: false,
      file_name: "c",
    });
  });

  test("describe_file fans out over paths, as in document 2", async () => {
    const plan = {
      instructions: [
        {
          execution_id: "describe_files",
          agent_definition_path: "/agents/core/describe_file.agent",
          parallel_execution: {
            iterate_over: ["/a.txt", "/b.txt", "/c.txt"],
            child_argument_name: "file_path",
          },
        },
      ],
      response_reference_map: {
        names: "REF:describe_files.response.*.file_name",
        there: "REF:describe_files.response.*.exists",
      },
    };
    const { response } = await engine.run(plan, { fileToken });
    expect(response).toEqual({ names: ["a.txt", "b.txt", "c.txt"], there: [true, true, false] });
  });

  test("combine_content joins parts, nested lists and the contents of files", async () => {
    const parts = ["one", null, ["two", [3, { a: 1 }]]];
    expect(await resultOf("combine_content", { parts, separator: "|" })).toEqual({
      content: 'one|two|3|{"a":1}',
      count: 4,
    });
    const files = ["/a.txt", { path: "/b.txt" }];
    expect(await resultOf("combine_content", { parts: ["top"], files })).toEqual({
      content: "top\n\nAlpha\n\nBeta",
      count: 3,
    });
    expect(await resultOf("combine_content", { files, file_names: true, separator: "\n" })).toMatchObject({
      content: "/a.txt\nAlpha\n/b.txt\nBeta",
    });
    expect(await resultOf("combine_content", {})).toEqual({ content: "", count: 0 });
    expect(await errorOf("combine_content", { files: [5] })).toMatchObject({ code: "INVALID_CONTENT" });
    expect(await resultOf("combine_content", { parts: [{ file: "/a.txt" }] })).toMatchObject({
      content: '{"file":"/a.txt"}',
    });
  });

  test("without a file store, the error says how to give one", async () => {
    const error = (await run("read_file", { file_path: "/a.txt" }, await createEngine())).error;
    expect(error).toMatchObject({ name: "FileAccessError", code: "FILE_ACCESS" });
    expect(error?.message).toContain("createEngine({ files: { root: DIR } })");
    await expect((await createEngine()).issueFileToken({ read: ["/"] })).rejects.toThrow("has no file store");
  });
});

describe("values", () => {
  test("math", async () => {
    const args = {
      expression: "round(sum(prices) * (1 + rate), 2)",
      variables: { prices: [1, 2.5], rate: 0.19 },
    };
    expect(await resultOf("math", args)).toEqual({ result: 4.17 });
    expect(await errorOf("math", { expression: "1 / 0" })).toMatchObject({ name: "ToolError", code: "MATH" });
    const words = await errorOf("math", { expression: "a", variables: { a: "1" } });
    expect(words?.message).toContain(
      `The variable "a" must be a number or a list of numbers, not the text "1"`,
    );
  });

  test("render_template", async () => {
    const args = {
      template: "Dear <<user.name>>, you have <<n>> mails.",
      values: { user: { name: "Ida" }, n: 3 },
    };
    expect(await resultOf("render_template", args)).toEqual({ text: "Dear Ida, you have 3 mails." });
    expect(await errorOf("render_template", { template: "<<x>>" })).toMatchObject({ code: "TEMPLATE" });
  });

  test("json_query", async () => {
    const value = { users: [{ name: "Ida", age: 41 }, { name: "Bo", age: 12 }, { name: "Cy" }] };
    expect(await resultOf("json_query", { value, path: "users[0].name" })).toEqual({
      result: "Ida",
      found: true,
      count: 1,
    });
    expect(await resultOf("json_query", { value, path: "users.*.name" })).toMatchObject({
      result: ["Ida", "Bo", "Cy"],
      count: 3,
    });
    const adults = { value, path: ".users", filter: "item.age >= 18 and item.name != 'Bo'" };
    expect(await resultOf("json_query", adults)).toEqual({
      result: [{ name: "Ida", age: 41 }],
      found: true,
      count: 1,
    });
    expect(await resultOf("json_query", { text: '[1,2,"x"]', filter: "item == 2" })).toMatchObject({
      result: [2],
    });
    expect(await resultOf("json_query", { value })).toMatchObject({ result: value });
    expect(await resultOf("json_query", { value, path: "users[9]" })).toEqual({
      result: null,
      found: false,
      count: 0,
    });
    expect(await resultOf("json_query", { value: { x: null }, path: "x" })).toEqual({
      result: null,
      found: true,
      count: 1,
    });
    expect(await errorOf("json_query", { value, path: "users[9]", required: true })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await errorOf("json_query", { value, path: "a..b" })).toMatchObject({ code: "INVALID_PATH" });
    expect(await errorOf("json_query", { value, path: "users[0]", filter: "item" })).toMatchObject({
      code: "NOT_A_LIST",
    });
    expect(await errorOf("json_query", { value, path: "users", filter: "item.age >" })).toMatchObject({
      code: "INVALID_FILTER",
    });
    expect(await errorOf("json_query", { value, path: "users", filter: "item.age > age" })).toMatchObject({
      code: "INVALID_FILTER",
    });
    expect(
      await errorOf("json_query", { value, path: "users", filter: "item.name == REF:x.y" }),
    ).toMatchObject({
      code: "INVALID_FILTER",
    });
    expect(await errorOf("json_query", { value, path: "users", filter: "lenght(item) > 1" })).toMatchObject({
      code: "INVALID_FILTER",
    });
    expect(await errorOf("json_query", { text: "{" })).toMatchObject({ code: "INVALID_JSON" });
  });
});
