import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { agent, call, field, type Scene, scene } from "../../test/scene.ts";
import { traceOf } from "../../test/trace-of.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { type EngineOptions, PlanError, type ToolContext } from "../index.ts";

const folders: string[] = [];
const scenes: Scene[] = [];

afterEach(async () => {
  for (const stage of scenes.splice(0)) await stage.engine.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function storeOf(name: string): NonNullable<EngineOptions["store"]> {
  if (name === "memory") return "memory";
  const folder = mkdtempSync(join(tmpdir(), "sequitur-"));
  folders.push(folder);
  return { sqlite: join(folder, "runs.db") };
}

async function open(store: NonNullable<EngineOptions["store"]>, tools = {}): Promise<Scene> {
  const stage = await scene({ write: writeVariable, ...tools }, { store });
  scenes.push(stage);
  return stage;
}

const writeVariable = ({ name, value }: { name: string; value: Json }, { context }: ToolContext) =>
  context.set(name, value);

const city = (more: JsonObject = {}, database: JsonObject = {}): JsonObject => ({
  defined_variables: [
    {
      name: "city",
      type: "string",
      ...more,
      database: { collection: "users", search_by: { id: "REF:arguments.user" }, field: "city", ...database },
    },
  ],
});
const reading = (context_variables: JsonObject): JsonObject => ({
  context_variables,
  plan: [{ id: "a", tool: "give", arguments: { value: "{{context.city}}" } }],
});
const writing = (context_variables: JsonObject, value: Json): JsonObject => ({
  context_variables,
  plan: [{ id: "a", tool: "write", arguments: { name: "city", value } }],
});

async function refusal(promise: Promise<unknown>): Promise<string[]> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PlanError);
  return (error as PlanError).diagnostics.map(({ message }) => message);
}

describe.each(["memory", "sqlite"])("defined variables in %s", (name) => {
  test("are read when the run starts, from the document that the arguments name", async () => {
    const stage = await open(storeOf(name));
    const users = stage.engine.collection("users");
    await users.put({ id: "u1", city: "Oslo", secret: "x" });
    await users.put({ id: "u2", city: "Rome" });
    const result = await stage.run(reading(city()), { arguments: { user: "u2" } });
    expect(result.steps.a?.result).toBe("Rome");
    expect(result.context).toEqual({ city: "Rome" });
  });

  test.each([
    ["no document", {}, { user: "nobody" }],
    ["no field", {}, { user: "u1" }],
    ["a search by null", {}, {}],
  ])("with %s: the default, or null, never the document", async (_case, more, args) => {
    const stage = await open(storeOf(name));
    await stage.engine.collection("users").put({ id: "u1", other: 1 });
    expect((await stage.run(reading(city(more)), { arguments: args })).context).toEqual({ city: null });
    const withDefault = reading(city({ ...more, default: "Bern", required: true }));
    expect((await stage.run(withDefault, { arguments: args })).context).toEqual({ city: "Bern" });
  });

  test("that are required and absent, or of another type, refuse the run", async () => {
    const stage = await open(storeOf(name));
    await stage.engine.collection("users").put({ id: "u1", city: 5 });
    expect(
      await refusal(stage.run(reading(city({ required: true })), { arguments: { user: "u2" } })),
    ).toEqual([
      `The context variable "city" is required, and field "city" of the collection "users" has no value: nothing there for "{\\"id\\":\\"u2\\"}".`,
    ]);
    expect(await refusal(stage.run(reading(city()), { arguments: { user: "u1" } }))).toEqual([
      `The context variable "city" must be a string, but field "city" of the collection "users" is the number 5.`,
    ]);
    expect(stage.calls).toEqual([]);
  });

  test("are written back when they are set, and nothing else of the document", async () => {
    const stage = await open(storeOf(name));
    const users = stage.engine.collection("users");
    await users.put({ id: "u1", city: "Oslo", age: 36 });
    const result = await stage.run(writing(city(), "Kyiv"), { arguments: { user: "u1" } });
    expect(result.context).toEqual({ city: "Kyiv" });
    expect(await users.find()).toEqual([{ id: "u1", city: "Kyiv", age: 36 }]);
    expect((await stage.run(reading(city()), { arguments: { user: "u1" } })).context).toEqual({
      city: "Kyiv",
    });
  });

  test("that have no document make one, which is found the next time", async () => {
    const stage = await open(storeOf(name));
    await stage.run(writing(city(), "Kyiv"), { arguments: { user: "u9" } });
    await stage.run(writing(city(), "Lviv"), { arguments: { user: "u9" } });
    expect(await stage.engine.collection("users").find()).toEqual([{ id: "u9", city: "Lviv" }]);
  });

  test("may lie deeper in the document", async () => {
    const stage = await open(storeOf(name));
    const users = stage.engine.collection("users");
    await users.put({ id: "u1", home: { city: "Oslo", zip: 1 }, "a.b": 1 });
    const declared = city({}, { field: "home.city" });
    expect((await stage.run(reading(declared), { arguments: { user: "u1" } })).context).toEqual({
      city: "Oslo",
    });
    await stage.run(writing(declared, "Rome"), { arguments: { user: "u1" } });
    expect(await users.find()).toEqual([{ id: "u1", home: { city: "Rome", zip: 1 }, "a.b": 1 }]);
    const odd = {
      name: "n",
      type: "number",
      database: { collection: "users", search_by: { id: "u1" }, field: "a.b" },
    };
    const result = await stage.run({
      context_variables: { defined_variables: [odd] },
      plan: [{ id: "a", tool: "echo" }],
    });
    expect(result.context).toEqual({ n: 1 });
  });

  test("a value that the caller gives is taken instead", async () => {
    const stage = await open(storeOf(name));
    await stage.engine.collection("users").put({ id: "u1", city: "Oslo" });
    const options = { arguments: { user: "u1" }, context: { city: "Given" } };
    expect((await stage.run(reading(city({ required: true })), options)).context).toEqual({ city: "Given" });
  });

  test("the search is by what the plan was given, after its defaults", async () => {
    const stage = await open(storeOf(name));
    await stage.engine.collection("users").put({ id: "u1", city: "Oslo" });
    const plan = agent([call("a", "give", { value: "REF:context.city" })], {
      arguments: [field("user", "string", { default_value: "u1" })],
    });
    expect((await stage.run({ context_variables: city(), plan })).context).toEqual({ city: "Oslo" });
  });

  test("two runs that write the same field: the last one wins, and the loss is reported", async () => {
    const stage = await open(storeOf(name), {
      slow: async (params: { ms: number; value: Json }, { context }: ToolContext) => {
        await stage.wait(params.ms);
        context.set("city", params.value);
      },
    });
    const users = stage.engine.collection("users");
    await users.put({ id: "u1", city: "Oslo" });
    const plan = (ms: number, value: string) => ({
      context_variables: city(),
      plan: [{ id: "a", tool: "slow", arguments: { ms, value } }],
    });
    const runs = await Promise.all([
      stage.start(plan(10, "first"), { arguments: { user: "u1" } }),
      stage.start(plan(20, "second"), { arguments: { user: "u1" } }),
    ]);
    await stage.play(Promise.all(runs.map((run) => run.result)));
    expect(await users.find()).toEqual([{ id: "u1", city: "second" }]);
    const losses = await Promise.all(
      runs.map(async (run) =>
        (await traceOf(run.events))
          .filter(({ kind }) => kind === "CustomEmitted")
          .map(({ event }) => event as JsonObject),
      ),
    );
    expect(losses).toEqual([
      [],
      [{ kind: "UpdateLost", variable: "city", collection: "users", field: "city", overwritten: "first" }],
    ]);
  });

  test("two runs that write different fields of one document keep both", async () => {
    const stage = await open(storeOf(name));
    const users = stage.engine.collection("users");
    await users.put({ id: "u1" });
    const write = (key: string) =>
      stage.run(writing(city({}, { field: key }), key), { arguments: { user: "u1" } });
    await Promise.all(["a", "b", "c"].map(write));
    expect(await users.find()).toEqual([{ id: "u1", a: "a", b: "b", c: "c" }]);
  });
});

describe("collections", () => {
  test("put, find and remove", async () => {
    const stage = await open("memory");
    const users = stage.engine.collection("users");
    await users.put({ id: 1, name: "Ada" });
    await users.put({ id: 1, name: "Ada L." });
    await users.put({ id: 2, name: "Bob" });
    expect(await users.find({ id: 1 })).toEqual([{ id: 1, name: "Ada L." }]);
    expect(await users.remove({ name: "Bob" })).toBe(1);
    expect(await users.find()).toHaveLength(1);
  });

  test("refuse what is no document", async () => {
    const stage = await open("memory");
    await expect(stage.engine.collection("users").put([] as unknown as JsonObject)).rejects.toThrow(
      "A document must be an object.",
    );
    await expect(stage.engine.collection("users").remove(undefined as unknown as JsonObject)).rejects.toThrow(
      "A query must be an object.",
    );
    expect(() => stage.engine.collection("")).toThrow("A collection needs a name.");
  });
});

describe("before the run", () => {
  test("arguments that are not declared, empty searches and wrong defaults are reported", async () => {
    const stage = await open("memory");
    const wrong = {
      context_variables: {
        defined_variables: [
          { name: "a", database: { collection: "c", search_by: { id: "REF:arguments.usr" }, field: "f" } },
          {
            name: "b",
            type: "number",
            default: "5",
            database: { collection: "c", search_by: {}, field: "f" },
          },
        ],
      },
      plan: agent([call("x", "echo")], { arguments: [field("user", "string", { required: false })] }),
    };
    const { diagnostics } = stage.engine.compile(wrong);
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([
      "invalid-value",
      "type-mismatch",
      "unknown-argument",
    ]);
  });
});
