/* Plans through MCP servers that nobody here wrote. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEngine, type Engine, explain, type TraceEvent } from "../../src/index.ts";
import { folderWith, sequitur } from "../run-cli.ts";
import { everything, filesystem, memory } from "./servers.ts";

const folder = folderWith({ "names.txt": "Ada,Grace,Hedy" });
let engine: Engine;

beforeAll(async () => {
  engine = await createEngine({
    mcpServers: {
      files: { ...filesystem(folder), confirm: "never" },
      graph: memory(join(folder, "memory.jsonl")),
      all: everything(),
      careful: filesystem(folder),
    },
    files: { root: folder },
  });
});

afterAll(() => engine.close());

describe("server-filesystem and server-memory", () => {
  test("a plan reads a file, remembers what is in it, and writes what is remembered", async () => {
    const { status, steps, error } = await engine.run({
      plan: [
        { id: "read", tool: "files.read_text_file", arguments: { path: join(folder, "names.txt") } },
        {
          id: "remember",
          tool: "graph.create_entities",
          arguments: {
            entities: [
              {
                name: "pioneers",
                entityType: "list",
                observations: ["{{read.result.content}}", "from a file"],
              },
            ],
          },
        },
        {
          id: "recall",
          tool: "graph.open_nodes",
          arguments: { names: ["{{remember.result.entities[0].name}}"] },
        },
        {
          id: "text",
          tool: "sequitur.core.render_template",
          arguments: {
            template: "We remember: <<who>>",
            values: { who: "{{recall.result.entities[0].observations[0]}}" },
          },
        },
        {
          id: "write",
          tool: "files.write_file",
          arguments: { path: join(folder, "out.txt"), content: "{{text.result.text}}" },
        },
      ],
    });
    expect(error).toBeUndefined();
    expect(status).toBe("completed");
    expect(steps.recall?.result).toMatchObject({ entities: [{ name: "pioneers" }] });
    expect(readFileSync(join(folder, "out.txt"), "utf8")).toBe("We remember: Ada,Grace,Hedy");
  });

  test("their schemas are checked before anything runs", () => {
    const { diagnostics } = engine.compile({
      plan: [
        { id: "read", tool: "files.read_text_file", arguments: { file: "x" } },
        { id: "next", tool: "files.list_directory", arguments: { path: "{{read.result.contents}}" } },
        { id: "typo", tool: "files.read_text_fil", arguments: { path: "x" } },
      ],
    });
    const all = JSON.stringify(diagnostics);
    expect(all).toContain("path");
    expect(all).toContain("contents");
    expect(all).toContain('Did you mean \\"files.read_text_file\\"?');
  });

  test("what they say of themselves is in explain, and destructive tools wait for a person", async () => {
    const plan = {
      plan: [
        { id: "look", tool: "careful.list_directory", arguments: { path: folder } },
        { id: "write", tool: "careful.write_file", arguments: { path: join(folder, "b.txt"), content: "b" } },
      ],
    };
    const { program } = engine.compile(plan);
    expect(program && explain(program)).toMatchObject({
      confirmations: ["write"],
      sideEffects: ["careful.write_file"],
    });
    const run = await engine.start(plan);
    const asked = await run.endedOrAsked();
    expect(asked).toMatchObject({ status: "waiting", questions: [{ name: "write", kind: "confirmation" }] });
    await run.confirm("write", true);
    expect((await run.result).status).toBe("completed");
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("b");
  });

  test("a failure of theirs is a failure of the step", async () => {
    const { steps } = await engine.run({
      plan: [{ id: "read", tool: "files.read_text_file", arguments: { path: "/etc/passwd" } }],
    });
    expect(steps.read).toMatchObject({ status: "failed", error: { code: "MCP_TOOL" } });
    expect(steps.read?.error?.message).toContain("outside allowed directories");
  });
});

describe("server-everything", () => {
  test("text, structured content, images and links become values", async () => {
    const { steps } = await engine.run({
      plan: [
        { id: "echo", tool: "all.echo", arguments: { message: "hello" } },
        { id: "weather", tool: "all.get-structured-content", arguments: { location: "New York" } },
        { id: "image", tool: "all.get-tiny-image", arguments: {} },
        { id: "links", tool: "all.get-resource-links", arguments: { count: 2 } },
        { id: "sum", tool: "all.get-sum", arguments: { a: "{{weather.result.temperature}}", b: 1 } },
      ],
    });
    expect(steps.echo?.result).toBe("Echo: hello");
    expect(steps.weather?.result).toHaveProperty("humidity");
    expect(steps.image?.result).toContainEqual(
      expect.objectContaining({ type: "image", mime_type: "image/png" }),
    );
    expect(steps.links?.result).toContainEqual(expect.objectContaining({ type: "resource_link" }));
    expect(steps.sum?.status).toBe("completed");
  });

  test("progress becomes events", async () => {
    const { id } = await engine.run({
      plan: [
        { id: "long", tool: "all.trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } },
      ],
    });
    const events: TraceEvent[] = [];
    for await (const event of engine.events(id)) events.push(event);
    expect(JSON.stringify(events)).toContain('"kind":"ToolProgress","progress":1,"total":3');
  });

  test("a cancelled run takes its call back", async () => {
    const run = await engine.start({
      plan: [
        { id: "long", tool: "all.trigger-long-running-operation", arguments: { duration: 600, steps: 2 } },
      ],
    });
    await run.cancel("enough");
    expect((await run.result).status).toBe("cancelled");
    const again = await engine.run({
      plan: [{ id: "echo", tool: "all.echo", arguments: { message: "still here" } }],
    });
    expect(again.steps.echo?.result).toBe("Echo: still here");
  });
});

test("on the command line: sequitur.config.json, a run that waits, and resume with nothing but the store", async () => {
  const { command, args } = filesystem(".");
  const place = folderWith({
    "sequitur.config.json": { mcpServers: { files: { command, args } } },
    "write.plan.json": {
      plan: [
        {
          id: "write",
          tool: "files.write_file",
          arguments: { path: "note.txt", content: "from the command line" },
        },
      ],
    },
  });
  const graph = await sequitur(place, ["graph", "write.plan.json"]);
  expect(graph.out).toContain("files.write_file");
  const run = await sequitur(place, ["run", "write.plan.json", "--json"]);
  expect(run.code, run.err).toBe(4);
  const { id } = JSON.parse(run.out) as { id: string };
  const shown = await sequitur(place, ["show", id, "--json"]);
  expect(shown.out, shown.err).toContain('"confirmation"');
  const yes = await sequitur(place, ["confirm", id, "write", "yes", "--json"]);
  expect(yes.code, yes.err).toBe(0);
  expect(readFileSync(join(place, "note.txt"), "utf8")).toBe("from the command line");
});

test("the example of examples/mcp", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const db = join(folderWith({}), "runs.db");
  const plan = "examples/mcp/remember-folder.plan.json";
  const { code, out, err } = await sequitur(root, ["run", plan, "--db", db, "--json"], {
    env: { TMPDIR: folder },
  });
  expect(code, err).toBe(0);
  expect(JSON.parse(out).steps.recall.result.entities[0].observations[0]).toContain("Ten scenarios");
});
