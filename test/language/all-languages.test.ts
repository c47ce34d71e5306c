import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { compile } from "../../src/compiler.ts";
import { catalogue } from "../../src/source/codes.ts";
import { codesOf, expectClean, expectMarked } from "../marked-plan.ts";

describe("which language a file is in", () => {
  const step = { id: "a", tool: "t" };
  test.each<[string, Json, string]>([
    ["instructions", { instructions: [] }, "agent"],
    ["system_event_endpoint", { system_event_endpoint: "t" }, "agent"],
    ["a list", [step], "actions"],
    ["plan", { plan: [step] }, "actions"],
    ["steps with ids", { steps: [step] }, "actions"],
    ["steps without ids", { steps: [{ tool: "t" }] }, "steps"],
    ["no steps at all", { steps: [] }, "steps"],
    ["a workflow", { context_variables: {}, plan: { steps: [{ tool: "t" }] } }, "steps"],
    ["a field called dialect", { dialect: "actions", steps: [] }, "actions"],
  ])("shows from %s", (_, plan, dialect) => {
    expect(compile(plan).program?.dialect).toBe(dialect);
  });

  test("dialect decides where given", () => {
    expect(compile({ steps: [] }, { dialect: "actions" }).program?.dialect).toBe("actions");
    expect(codesOf({ steps: [step] }, { dialect: "steps" })).toEqual(["unknown-field"]);
    expect(codesOf({ plan: [step], context_variables: {} }, { dialect: "actions" })).toEqual([]);
  });

  test("what is none of them is an error", () => {
    for (const plan of [
      `⟦unknown-language⟧{}`,
      `⟦unknown-language⟧"x"`,
      `⟦unknown-language⟧7`,
      `⟦unknown-language⟧null`,
    ]) {
      expectMarked(plan);
    }
    expectMarked(`⟦unknown-language⟧{ "tasks": [] }`);
    expectMarked(`{ "dialect": ⟦invalid-value⟧"stpes", "steps": [{ "tool": "t" }] }`);
  });
});

describe("problems of the text itself", () => {
  test("a key that stands twice is reported at its second place, and the rest is checked", () => {
    expectMarked(`{ "steps": [{ "tool": "a", ⟦duplicate-key⟧"tool": "b", ⟦unknown-field⟧"prams": {} }] }`);
  });

  test("syntax errors have positions, too", () => {
    expectMarked(`{ "steps": [{ "tool": "a"⟦json-syntax⟧ "params": {} }] }`);
    expectMarked(`⟦json-syntax⟧`);
  });

  test("columns count characters of the text, before escapes are read", () => {
    expectMarked(
      `[{ "id": "a", "tool": "t", "arguments": { "\\u00e4ö😀": "\\n\\"😀 ⟦unknown-step⟧{{b.result}}" } }]`,
    );
    expectMarked(
      `{\r\n\t"steps": [\r\n\t\t{ "tool": "t", "params": { "x": "⟦unknown-step⟧\${step[1].data}" } }\r\n\t]\r\n}`,
    );
  });

  test("the name of the file is in every problem", () => {
    expect(compile("[{}]", { file: "p.json" }).diagnostics.map(({ file }) => file)).toEqual([
      "p.json",
      "p.json",
    ]);
    expect(compile("[", { file: "p.json" }).diagnostics[0]?.file).toBe("p.json");
  });

  test("parsed values have pointers instead of positions", () => {
    const [problem] = compile([{ id: "a", tool: "t", arguments: { "x/y": ["{{b.result}}"] } }]).diagnostics;
    expect(problem).toMatchObject({ code: "unknown-step", pointer: "/0/arguments/x~1y/0" });
    expect(problem).not.toHaveProperty("line");
  });
});

describe("kinds of errors", () => {
  test.each([
    ["cycle", "CircularDependencyError"],
    ["unknown-step", "InvalidReferenceError"],
    ["unknown-dependency", "InvalidReferenceError"],
    ["unknown-argument", "InvalidReferenceError"],
    ["unknown-response", "InvalidReferenceError"],
    ["unknown-attribute", "InvalidReferenceError"],
    ["malformed-reference", "InvalidReferenceError"],
    ["missing-root", "InvalidReferenceError"],
    ["later-step", "InvalidReferenceError"],
    ["transform-syntax", "MappingError"],
    ["unknown-function", "MappingError"],
    ["unknown-variable", "MappingError"],
    ["wrong-call", "MappingError"],
    ["missing-argument", "SchemaValidationError"],
    ["type-mismatch", "SchemaValidationError"],
    ["missing-response", "SchemaValidationError"],
    ["unknown-field", "DefinitionError"],
    ["unknown-operator", "DefinitionError"],
    ["unknown-tool", "DefinitionError"],
    ["unknown-agent", "DefinitionError"],
    ["duplicate-id", "DefinitionError"],
  ] as const)("%s is a %s", (code, name) => {
    expect(catalogue[code].name).toBe(name);
  });

  test.each(["empty-plan", "unexpected-argument", "recorded-field", "placeholder-is-text"] as const)(
    "%s is a warning",
    (code) => {
      expect(catalogue[code].severity).toBe("warning");
    },
  );
});

describe("policies", () => {
  test("are the same in every language", () => {
    const policy = {
      retries: 2,
      backoff: { base_ms: 5 },
      timeout_ms: 10,
      optional: true,
      placement: "anywhere",
    };
    const expected = {
      retries: 2,
      timeoutMs: 10,
      optional: true,
      backoff: { baseMs: 5, factor: 2, capMs: 10_000 },
      placement: "anywhere",
    };
    const plans: Json[] = [
      [{ id: "a", tool: "t", policy }],
      { steps: [{ tool: "t", policy }] },
      { instructions: [{ execution_id: "a", agent_definition_path: "/a", policy }] },
    ];
    for (const plan of plans)
      expect(expectClean(plan).program?.blocks[0].steps[0]?.policy).toMatchObject(expected);
  });

  test("say where a step is called in one of two words", () => {
    expectMarked(`[{ "id": "a", "tool": "t", "policy": { "placement": ⟦invalid-value⟧"remote" } }]`);
  });

  test("in step plans as fields of the step", () => {
    const step = { tool: "t", retryCount: 2, timeout: 10, optional: true };
    const { program } = expectClean({ steps: [step] });
    expect(program?.blocks[0].steps[0]?.policy).toMatchObject({ retries: 2, timeoutMs: 10, optional: true });
  });
});

test("data is never code: values of arguments are looked at for this language's references only", () => {
  const texts = { a: "REF:x.y", b: "${step[0].data}", c: "{{x.result}}" };
  expect(codesOf([{ id: "i", tool: "t", arguments: { a: texts.a, b: texts.b } }])).toEqual([]);
  expect(codesOf({ steps: [{ tool: "t", params: { a: texts.a, c: texts.c } }] })).toEqual([]);
  const instruction = {
    execution_id: "i",
    agent_definition_path: "/a",
    arguments: { b: texts.b, c: texts.c },
  };
  expect(codesOf({ instructions: [instruction] })).toEqual([]);
});

test("a plan has no more steps than is allowed", () => {
  expectMarked(`{ "steps": ⟦too-many-steps⟧[{ "tool": "a" }, { "tool": "b" }] }`, { stepsMax: 1 });
});
