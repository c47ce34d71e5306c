/* Document 1, "Error Handling": each scenario, with the kind of error that it names. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { call, scene } from "../scene.ts";

/** What a plan with errors is refused for, before anything is called. */
async function refusedFor(step: JsonObject): Promise<string[]> {
  const stage = await scene();
  const plan = {
    instructions: [
      call("processor", "give", { value: {} }),
      { execution_id: "x", agent_definition: { system_event_endpoint: "echo" }, ...step },
    ],
  };
  const error = await stage.run(plan).then(
    () => undefined,
    (reason: { name: string; diagnostics: { name: string; message: string }[] }) => reason,
  );
  expect(error?.name).toBe("PlanError");
  expect(stage.calls).toEqual([]);
  return (error?.diagnostics ?? []).map(({ name, message }) => `${name}: ${message}`);
}

async function failure(
  value: Json,
  step: JsonObject,
): Promise<{ name: string; code: string; message: string } | undefined> {
  const stage = await scene();
  const plan = {
    instructions: [
      call("data", "give", { value }),
      { execution_id: "x", agent_definition: { system_event_endpoint: "echo" }, ...step },
    ],
  };
  const result = await stage.run(plan);
  expect(result.status).toBe("failed");
  expect(stage.called).toEqual(["data"]);
  return result.error;
}

describe("known before the run", () => {
  test("an undefined variable in a transform", async () => {
    const [first] = await refusedFor({
      transform_arguments: {
        variables: { data: "REF:processor.results" },
        transforms: { summary: "join(undefined_var, ', ')" },
      },
    });
    expect(first).toMatch(/^MappingError: .*undefined_var/);
  });

  test("a function that does not exist", async () => {
    const [first] = await refusedFor({
      transform_arguments: {
        variables: { data: "REF:processor.results" },
        transforms: { required_field: "invalid_function(data)" },
      },
    });
    expect(first).toMatch(/^MappingError: .*invalid_function/);
  });

  test("a malformed reference, and one to an execution that does not exist", async () => {
    const found = await refusedFor({
      arguments: { a: "REF:processor..x", b: "REF:nobody.x", c: "REF:processor" },
    });
    expect(found).toHaveLength(3);
    for (const line of found) expect(line).toMatch(/^InvalidReferenceError: /);
  });

  test("a reference in the variables to an execution that does not exist", async () => {
    expect(
      (
        await refusedFor({
          transform_arguments: { variables: { v: ["REF:nobody.x"] }, transforms: { y: "v" } },
        })
      )[0],
    ).toMatch(/^InvalidReferenceError/);
  });

  test("a circular dependency, with its path", async () => {
    const stage = await scene();
    const error = await stage
      .run({ instructions: [call("a", "echo", { x: "REF:b.x" }), call("b", "echo", { x: "REF:a.x" })] })
      .catch((reason: { diagnostics: { name: string; message: string }[] }) => reason.diagnostics);
    expect(error).toMatchObject([{ name: "CircularDependencyError" }]);
  });
});

describe("known at run time", () => {
  const data: Json = { items: [{ title: "t" }], strings: [{ value: "five" }], list: [1], scalar: 5 };
  test.each([
    ["attribute not found", { invalid_template: "map(REF:data.items, item.invalid_path)" }, "invalid_path"],
    ["not a number", { wrong_type: "sum(REF:data.strings, item.value)" }, "number"],
  ])("MappingError: %s", async (_, transforms, words) => {
    const error = await failure(data, { transform_arguments: { transforms } });
    expect(error).toMatchObject({ name: "MappingError", code: "MAPPING" });
    expect(error?.message).toContain(words);
  });

  test("an array that does not exist", async () => {
    const error = await failure(data, {
      transform_arguments: { transforms: { missing_array: 'join(REF:data.missing_field, ", ")' } },
    });
    expect(error?.name).toMatch(/^(MappingError|InvalidReferenceError)$/);
    expect(error?.message).toContain("missing_field");
  });

  test("InvalidReferenceError: a response key that does not exist, an attribute that the type does not have", async () => {
    expect(await failure(data, { arguments: { v: "REF:data.nothing" } })).toMatchObject({
      name: "InvalidReferenceError",
      code: "INVALID_REFERENCE",
    });
    expect(await failure(data, { arguments: { v: "REF:data.scalar.length" } })).toMatchObject({
      name: "InvalidReferenceError",
    });
  });

  test("RuntimeResolutionError: an index out of bounds, a missing key of an object", async () => {
    expect(await failure(data, { arguments: { v: "REF:data.list.7" } })).toMatchObject({
      name: "RuntimeResolutionError",
      code: "RUNTIME_RESOLUTION",
    });
    expect(await failure(data, { arguments: { v: "REF:data.items.0.nope" } })).toMatchObject({
      name: "RuntimeResolutionError",
    });
  });

  test("a transform whose output does not fit the schema", async () => {
    const definition = { arguments: [{ name: "n", type_name: "number" }], system_event_endpoint: "echo" };
    const error = await failure(
      { text: "five" },
      { agent_definition: definition, transform_arguments: { transforms: { n: "REF:data.text" } } },
    );
    expect(error).toMatchObject({ name: "SchemaValidationError", code: "SCHEMA_VALIDATION" });
  });
});

test("missing optional references are null rather than errors", async () => {
  const stage = await scene();
  const result = await stage.run({
    arguments: [{ name: "maybe", type_name: "string", required: false }],
    instructions: [call("x", "echo", { v: "REF:arguments.maybe" })],
  });
  expect(result.steps.x?.result).toEqual({ v: null });
});
