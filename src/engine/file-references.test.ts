/* Document 1's file references, from the plan through the engine to the tool and back. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../base/json.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { StartOptions } from "./options.ts";
import type { RunResult } from "./result.ts";

const KEY = "a key that is long enough to sign tokens with";
const SLY = 'REF:make.file.path {{a.result}} ${step[0].data} "quoted"\n\\REF:x';

let root: string;
let engine: Engine;
let token: string;
let calls: Json[];
const logged: string[] = [];

function field(name: string, type_name: string, required = true): JsonObject {
  return { name, type_name, required };
}

/** `make` gives files; `take` gets something of every declared type. */
const AGENTS = {
  "/make.agent": {
    system_event_endpoint: "make",
    responses: [field("file", "file"), field("name", "string", false), field("files", "list", false)],
  },
  "/take.agent": {
    system_event_endpoint: "take",
    arguments: ["text", "thing", "doc", "list", "object"].map((name, i) =>
      field(name, ["string", "any", "file", "list", "object"][i] ?? "any", false),
    ),
  },
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sequitur-references-"));
  await writeFile(join(root, "a.txt"), "Alpha");
  await writeFile(join(root, "b.txt"), "Beta");
  await writeFile(join(root, "sly.txt"), SLY);
  await writeFile(join(root, "binary.bin"), Buffer.from([0xff]));
  calls = [];
  engine = await engineWith("memory");
  token = await engine.issueFileToken({ read: ["/"], write: [] });
});

afterEach(async () => {
  await engine.close();
  await rm(root, { recursive: true });
});

function engineWith(store: "memory" | { sqlite: string }): Promise<Engine> {
  return createEngine({
    store,
    agents: AGENTS,
    files: { root, key: KEY },
    tools: {
      make: ({ file = "/a.txt" }: { file?: string }) => ({ file, name: "made", files: ["/a.txt", "/b.txt"] }),
      take: (params: JsonObject) => {
        calls.push(params);
        return params;
      },
    },
    log: (entry) => logged.push(JSON.stringify(entry)),
  });
}

function taking(args: JsonObject, more: JsonObject = {}, file = "/a.txt"): JsonObject {
  return {
    instructions: [
      { execution_id: "make", agent_definition_path: "/make.agent", arguments: { file } },
      { execution_id: "take", agent_definition_path: "/take.agent", arguments: args, ...more },
    ],
  };
}

function run(plan: JsonObject, options: StartOptions = { fileToken: token }): Promise<RunResult> {
  return engine.run(plan, options);
}

describe("what a file reference is", () => {
  test("the contents for a string and for anything, the path for a file, attributes as they are", async () => {
    const { status } = await run(
      taking({
        text: "REF:make.file",
        thing: "REF:make.file",
        doc: "REF:make.file",
        list: [
          "REF:make.file",
          "REF:make.file.path",
          "REF:make.file.file_name",
          "REF:make.file.parent_directory",
        ],
        object: { deep: [{ file: "REF:make.file" }], name: "REF:make.name" },
      }),
    );
    expect(status).toBe("completed");
    expect(calls).toEqual([
      {
        text: "Alpha",
        thing: "Alpha",
        doc: "/a.txt",
        list: ["Alpha", "/a.txt", "a.txt", "/"],
        object: { deep: [{ file: "Alpha" }], name: "made" },
      },
    ]);
  });

  test("attributes need no token", async () => {
    const args = { text: "REF:make.file.path", thing: "REF:make.file.file_name", doc: "REF:make.file" };
    expect((await run(taking(args), {})).status).toBe("completed");
    expect(calls).toEqual([{ text: "/a.txt", thing: "a.txt", doc: "/a.txt" }]);
  });

  test("the contents in conditions", async () => {
    const when = (value: string): JsonObject => ({
      conditions: [{ param: "REF:make.file", operator: "equals", value }],
    });
    expect((await run(taking({}, when("Alpha")))).steps.take?.status).toBe("completed");
    const skipped = await run(taking({}, when("/a.txt")));
    expect(skipped.steps.take).toMatchObject({
      status: "skipped",
      reason: expect.stringContaining('it is "Alpha"'),
    });
  });

  test("the contents in variables and transforms, before and after the call", async () => {
    const more = {
      transform_arguments: {
        variables: { parts: ["REF:make.file", "REF:make.file.file_name"], separator: ": " },
        transforms: { text: "join(parts, separator)", thing: "upper(REF:make.file)", doc: "REF:make.file" },
      },
      transform_results: { variables: { again: "REF:make.file" }, transforms: { thing: "again" } },
    };
    const { steps } = await run(taking({}, more));
    expect(calls).toEqual([{ text: "Alpha: a.txt", thing: "ALPHA", doc: "/a.txt" }]);
    expect(steps.take?.result).toMatchObject({ thing: "Alpha" });
  });

  test("document 1: a prompt made of an argument and a file", async () => {
    const plan = {
      arguments: [field("analysis_prompt", "string"), field("file_to_analyze", "file")],
      instructions: [
        {
          execution_id: "analyze_with_llm",
          agent_definition_path: "/take.agent",
          transform_arguments: {
            variables: {
              prompt_parts: ["REF:arguments.analysis_prompt", "REF:arguments.file_to_analyze"],
              separator: "\n\n",
            },
            transforms: { text: "join(prompt_parts, separator)" },
          },
          arguments: { thing: "REF:arguments.file_to_analyze.file_name" },
        },
      ],
    };
    const given = { analysis_prompt: "Summarise", file_to_analyze: "/b.txt" };
    expect((await run(plan, { fileToken: token, arguments: given })).status).toBe("completed");
    expect(calls).toEqual([{ text: "Summarise\n\nBeta", thing: "b.txt" }]);
  });

  test("a plan's own transforms read its file arguments before it starts", async () => {
    const plan = {
      arguments: [field("file", "file"), field("words", "list", false)],
      transform_arguments: {
        variables: { text: "REF:arguments.file" },
        transforms: { words: 'split(text, "p")' },
      },
      instructions: [
        {
          execution_id: "take",
          agent_definition_path: "/take.agent",
          arguments: { list: "REF:arguments.words" },
        },
      ],
    };
    const options = { arguments: { file: "/a.txt" } };
    expect((await run(plan, { ...options, fileToken: token })).status).toBe("completed");
    expect(calls).toEqual([{ list: ["Al", "ha"] }]);
    await expect(run(plan, options)).rejects.toMatchObject({
      name: "PlanError",
      message: expect.stringContaining("no token was given"),
    });
  });

  test("through composites: a file is passed on as a file, and read where it is used", async () => {
    const inner = {
      arguments: [field("doc", "file")],
      responses: [field("same", "file"), field("text", "string")],
      instructions: [
        {
          execution_id: "take",
          agent_definition_path: "/take.agent",
          arguments: { text: "REF:arguments.doc", doc: "REF:arguments.doc" },
        },
      ],
      response_reference_map: { same: "REF:arguments.doc", text: "REF:arguments.doc" },
    };
    const plan = {
      responses: [field("file", "file"), field("contents", "string"), field("name", "string")],
      instructions: [
        { execution_id: "make", agent_definition_path: "/make.agent", arguments: {} },
        { execution_id: "inner", agent_definition: inner, arguments: { doc: "REF:make.file" } },
      ],
      response_reference_map: {
        file: "REF:inner.same",
        contents: "REF:inner.same",
        name: "REF:inner.same.file_name",
      },
    };
    const { response, steps } = await run(plan);
    expect(calls).toEqual([{ text: "Alpha", doc: "/a.txt" }]);
    expect(response).toEqual({ file: "/a.txt", contents: "Alpha", name: "a.txt" });
    expect(steps.inner?.result).toEqual({ same: "/a.txt", text: "Alpha" });
  });

  test("over the files of a fan-out", async () => {
    const plan = {
      instructions: [
        { execution_id: "make", agent_definition_path: "/make.agent", arguments: {} },
        {
          execution_id: "each",
          agent_definition: {
            arguments: [field("doc", "file")],
            instructions: [
              {
                execution_id: "take",
                agent_definition_path: "/take.agent",
                arguments: { text: "REF:arguments.doc" },
              },
            ],
            response_reference_map: { text: "REF:take.text", name: "REF:arguments.doc.file_name" },
          },
          parallel_execution: { iterate_over: "REF:make.files", child_argument_name: "doc" },
        },
      ],
      response_reference_map: { all: "REF:each.response" },
    };
    const { response } = await run(plan);
    expect(response).toEqual({
      all: [
        { text: "Alpha", name: "a.txt" },
        { text: "Beta", name: "b.txt" },
      ],
    });
  });

  test("until a file says so", async () => {
    const more = {
      repeat: { until: [{ param: "REF:make.file", operator: "equals", value: "Alpha" }], max: 3 },
    };
    expect((await run(taking({}, more))).status).toBe("completed");
    expect(calls).toHaveLength(1);
  });

  test("contents are data, however they look", async () => {
    await run(taking({ text: "REF:make.file", list: ["REF:make.file"] }, {}, "/sly.txt"));
    expect(calls).toEqual([{ text: SLY, list: [SLY] }]);
  });
});

describe("what fails", () => {
  async function errorOf(file: string, options: StartOptions): Promise<RunResult["error"]> {
    const { status, steps } = await run(taking({ text: "REF:make.file" }, {}, file), options);
    expect(status).toBe("failed");
    expect(calls).toEqual([]);
    return steps.take?.error;
  }

  test("without a token, the step fails and says what is missing", async () => {
    expect(await errorOf("/a.txt", {})).toEqual({
      name: "RuntimeResolutionError",
      code: "RUNTIME_RESOLUTION",
      message: expect.stringContaining("Cannot read /a.txt: no token was given."),
    });
  });

  test("with a token that has expired, that is for other paths, or of another engine", async () => {
    const expired = await engine.issueFileToken({ read: ["/"], expiresInMs: -1 });
    expect((await errorOf("/a.txt", { fileToken: expired }))?.message).toContain("the token has expired");
    const narrow = await engine.issueFileToken({ read: ["/a"], write: ["/"] });
    expect((await errorOf("/a.txt", { fileToken: narrow }))?.message).toContain(
      "the token does not allow reading /a.txt",
    );
    const other = await createEngine({ files: { root } });
    const foreign = await other.issueFileToken({ read: ["/"] });
    expect((await errorOf("/a.txt", { fileToken: foreign }))?.message).toContain("signed with another key");
    expect((await errorOf("/a.txt", { fileToken: "nonsense" }))?.message).toContain(
      "is not one that issueFileToken made",
    );
  });

  test("with a path that is not there, leaves the root, or holds no text", async () => {
    expect((await errorOf("/none.txt", { fileToken: token }))?.message).toBe(
      "There is no file at /none.txt.",
    );
    expect((await errorOf("/../a.txt", { fileToken: token }))?.message).toContain('".." is not a name');
    expect((await errorOf("relative.txt", { fileToken: token }))?.message).toContain(
      'did you mean "/relative.txt"?',
    );
    expect((await errorOf("/binary.bin", { fileToken: token }))?.message).toContain("is not UTF-8 text");
  });

  test("the failure can be handled like any other", async () => {
    const plan = taking({ text: "REF:make.file" });
    const handler = {
      execution_id: "handler",
      agent_definition_path: "/take.agent",
      conditions: [{ param: "REF:take.status", operator: "equals", value: "failed" }],
      arguments: { thing: "REF:take.error.code" },
    };
    const { status } = await run({ instructions: [...(plan.instructions as Json[]), handler] }, {});
    expect(status).toBe("completed");
    expect(calls).toEqual([{ thing: "RUNTIME_RESOLUTION" }]);
  });
});

describe("the journal", () => {
  test("holds the contents, so that a run shown later is the run that was", async () => {
    const started = await engine.start(taking({ text: "REF:make.file" }), { fileToken: token });
    const before = await started.result;
    await writeFile(join(root, "a.txt"), "changed since");
    const later = await engine.get(started.id);
    expect(later?.steps).toEqual(before.steps);
    const events = [];
    for await (const event of started.events) events.push(event);
    expect(events.find(({ kind }) => kind === "FilesRead")).toMatchObject({ files: [{ text: "Alpha" }] });
    expect(events.find(({ kind, step }) => kind === "StepStarted" && step === "take")).toMatchObject({
      arguments: { text: "Alpha" },
    });
  });

  test("does not hold the token, nor does anything else", async () => {
    const started = await engine.start(taking({ text: "REF:make.file" }, {}, "/none"), { fileToken: token });
    const result = await started.result;
    const events = [];
    for await (const event of started.events) events.push(event);
    const everything = JSON.stringify([
      events,
      result,
      result.steps,
      await engine.get(started.id),
      await engine.list(),
      logged,
    ]);
    expect(everything).toContain("There is no file at /none.");
    for (const part of [token, ...token.split(".")]) expect(everything).not.toContain(part);
  });

  test("lets another process go on, with a token of its own and what was read already", async () => {
    await engine.close();
    const store = { sqlite: join(root, "..", `${root.split("/").at(-1)}.db`) };
    try {
      engine = await engineWith(store);
      const plan = taking({ text: "REF:make.file" });
      const late = {
        execution_id: "late",
        agent_definition_path: "/take.agent",
        dependencies: ["take"],
        arguments: { thing: "REF:arguments.file" },
      };
      const whole = {
        arguments: [field("file", "file")],
        instructions: [...(plan.instructions as Json[]), late],
      };
      const narrow = await engine.issueFileToken({ read: ["/a.txt"] });
      const started = await engine.start(whole, { fileToken: narrow, arguments: { file: "/b.txt" } });
      expect(await started.result).toMatchObject({
        status: "failed",
        steps: { late: { error: { name: "RuntimeResolutionError" } } },
      });
      await engine.close();
      await writeFile(join(root, "a.txt"), "changed since");
      engine = await engineWith(store);
      const resumed = await engine.resume(started.id, {
        fileToken: await engine.issueFileToken({ read: ["/b.txt"] }),
      });
      expect((await resumed.result).status).toBe("completed");
      expect(calls).toEqual([{ text: "Alpha" }, { thing: "Beta" }]);
    } finally {
      await engine.close();
      for (const end of ["", "-wal", "-shm"]) await rm(`${store.sqlite}${end}`, { force: true });
      engine = await engineWith("memory");
    }
  });
});

test("tools have the files of their run", async () => {
  const own = await createEngine({
    files: { root },
    tools: { count: async (_params: JsonObject, { files }) => (await files.readText("/a.txt")).length },
  });
  const plan = [{ id: "a", tool: "count", arguments: {} }];
  const fileToken = await own.issueFileToken({ read: ["/a.txt"] });
  expect((await own.run(plan, { fileToken })).steps.a?.result).toBe(5);
  expect((await own.run(plan)).steps.a?.error).toMatchObject({
    name: "FileAccessError",
    code: "FILE_ACCESS",
  });
});

test("a token is for whoever has a store", async () => {
  await expect(createEngine({ files: { root: join(root, "none") } })).rejects.toMatchObject({
    name: "FileAccessError",
  });
});
