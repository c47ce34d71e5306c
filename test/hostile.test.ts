/* Input that was made to hurt gets a diagnostic or a result. That it also gets it in linear time shows in bench/compile.ts. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Json } from "../src/base/json.ts";
import { type CompileResult, compile } from "../src/compiler.ts";
import { codesOf } from "./marked-plan.ts";

// Enough for a machine that is busy with other things; what takes for ever still ends.
vi.setConfig({ testTimeout: 120_000 });

const prototypeKeys = Object.getOwnPropertyNames(Object.prototype);

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeKeys);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

function hasProblem({ diagnostics, program }: CompileResult, code: string): void {
  expect(program).toBeUndefined();
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
}

describe("depth", () => {
  const MILLIONS = 5_000_000;

  test("10 MB of nesting", () => {
    hasProblem(compile("[".repeat(MILLIONS) + "]".repeat(MILLIONS)), "too-deep");
    hasProblem(compile("[".repeat(2 * MILLIONS)), "too-deep");
    hasProblem(
      compile(`{"steps":[{"tool":"t","params":${'{"a":'.repeat(2_000_000)}1${"}".repeat(2_000_000)}}]}`),
      "too-deep",
    );
  });

  test("parsed values 100,000 levels deep", () => {
    let value: Json = "{{a.result}}";
    for (let i = 0; i < 100_000; i++) value = i % 2 === 0 ? [value] : { a: value };
    hasProblem(compile([{ id: "a", tool: "t", arguments: { value } }]), "too-deep");
  });

  test("values that contain themselves", () => {
    const list: Json[] = [];
    list.push(list);
    hasProblem(compile({ steps: list }), "not-json");
  });

  test("as deep as is allowed, in every place that holds values", () => {
    const deep = (text: string): Json => {
      let value: Json = text;
      for (let i = 0; i < 480; i++) value = [value];
      return value;
    };
    expect(
      codesOf([
        { id: "a", tool: "t" },
        { id: "b", tool: "t", arguments: { x: deep("{{a.result}}") } },
      ]),
    ).toEqual([]);
    let group: Json = { param: 1, operator: "exists" };
    for (let i = 0; i < 240; i++) group = { logic: "OR", conditions: [group] };
    expect(codesOf({ steps: [{ tool: "t", conditions: [group] }] })).toEqual([]);
  });

  test("expressions nested too deeply", () => {
    const transforms = {
      x: `${"length(".repeat(100_000)}1${")".repeat(100_000)}`,
      y: "(".repeat(100_000),
      z: "not ".repeat(100_000),
    };
    const instructions = [
      { execution_id: "a", agent_definition_path: "/a", transform_arguments: { transforms } },
    ];
    expect(codesOf({ instructions })).toEqual(["transform-syntax", "transform-syntax", "transform-syntax"]);
  });

  test("agents in agents in agents, each of which is another file", () => {
    const agents: Record<string, Json> = { "/last.agent": { system_event_endpoint: "t" } };
    for (let i = 0; i < 20_000; i++) {
      const path = i === 19_999 ? "/last.agent" : `/${i + 1}.agent`;
      const instruction = { execution_id: "x", agent_definition_path: path };
      agents[`/${i}.agent`] = { instructions: [instruction], response_reference_map: { y: "REF:x.y" } };
    }
    const plan = { instructions: [{ execution_id: "x", agent_definition_path: "/0.agent" }] };
    expect(compile(plan, { agents }).program?.blocks.length).toBe(20_001);
  });

  test("a chain of transforms, written from its end to its beginning", () => {
    const step = (i: number) => ({
      execution_id: `s${i}`,
      agent_definition: { responses: [], system_event_endpoint: "t" },
      transform_results: { transforms: { x: i === 0 ? "REF:response.x" : `REF:s${i - 1}.x` } },
    });
    const instructions = Array.from({ length: 20_000 }, (_, i) => step(19_999 - i));
    expect(codesOf({ instructions })).toEqual([]);
  });
});

describe("length", () => {
  test("a million references in one string", () => {
    const { program } = compile({
      steps: [{ tool: "t" }, { tool: "t", params: { x: "${step[0].data.x}".repeat(1_000_000) } }],
    });
    const template = program?.blocks[0].steps[1]?.arguments;
    expect(
      template?.kind === "object" && template.values[0]?.kind === "text" && template.values[0].parts.length,
    ).toBe(1_000_000);
    expect(program?.blocks[0].steps[1]?.needs).toHaveLength(2);
    const actions = [
      { id: "a", tool: "t" },
      { id: "b", tool: "t", arguments: { x: "{{a.result}}".repeat(1_000_000) } },
    ];
    expect(compile(actions).program).toBeDefined();
  });

  test.each([
    ["opening marks", "${step["],
    ["marks never closed", "${step[0].data "],
    ["bad indices", "${step[0.data}"],
    ["near misses", "{step[0].data"],
    ["more near misses", "$step[0].data"],
    ["quoted keys never closed", '${step[0].data["}'],
    ["backslashes", "\\"],
    ["escapes", "\\${step[0].data}"],
    ["blanks in a reference", "${ "],
    ["double braces", "{{"],
    ["single braces", "{a.result"],
    ["bad references", "{{a.result.}}"],
    ["unknown steps", "{{z.result}}"],
    ["placeholders", "{{PLACEHOLDER_-}}"],
    ["brackets", "{{a.result[}}"],
  ])("a million %s in one string", (_, text) => {
    const x = text.repeat(1_000_000).slice(0, 5_000_000);
    for (const plan of [
      { steps: [{ tool: "t" }, { tool: "t", params: { x } }] },
      [
        { id: "a", tool: "t" },
        { id: "b", tool: "t", arguments: { x } },
      ],
    ]) {
      expect(compile(plan as Json).diagnostics.length).toBeLessThan(1_100);
    }
    const instruction = { execution_id: "a", agent_definition_path: "/a", arguments: { x, y: `REF:${x}` } };
    const transform_arguments = { variables: { v: x }, transforms: { z: x.slice(0, 500_000) } };
    expect(
      compile({ instructions: [{ ...instruction, transform_arguments }] }).diagnostics.length,
    ).toBeLessThan(1_100);
  });

  test("100,000 mistakes are counted, not listed", () => {
    const plan = Array.from({ length: 100_000 }, (_, i) => ({
      id: `step_${i}`,
      tool: "t",
      arguments: { x: `{{stpe_${i}.result}}` },
    }));
    const { diagnostics } = compile(plan);
    expect(diagnostics.at(-1)).toMatchObject({ code: "too-many-problems", severity: "error" });
    expect(diagnostics.length).toBe(1_001);
    expect(compile(JSON.stringify(plan)).diagnostics.length).toBe(1_001);
  });

  test("a step with 100,000 unknown fields, and one with 100,000 arguments", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i]));
    expect(compile({ steps: [{ tool: "t", ...many }] }).diagnostics.length).toBe(1_001);
    const tools = { t: { input: { type: "object", properties: { key0: { type: "number" } } } } };
    const { program, diagnostics } = compile({ steps: [{ tool: "t", params: many }] }, { tools });
    expect(program).toBeDefined();
    expect(diagnostics.at(-1)).toMatchObject({ code: "too-many-problems", severity: "warning" });
  });

  test("a circle of 100,000 steps, and 100,000 circles", () => {
    const step = (i: number, on: number) => ({
      id: `s${i}`,
      tool: "t",
      arguments: { x: `{{s${on}.result}}` },
    });
    const circle = Array.from({ length: 100_000 }, (_, i) => step(i, (i + 1) % 100_000));
    expect(codesOf(circle)).toEqual(["cycle"]);
    expect(compile(Array.from({ length: 100_000 }, (_, i) => step(i, i))).diagnostics.length).toBe(1_001);
  });

  test("names of a million letters", () => {
    const name = "x".repeat(1_000_000);
    expect(codesOf([{ id: name, tool: name, arguments: { [name]: `{{${name}y.result}}` } }])).toEqual([
      "unknown-step",
    ]);
  });
});

describe("names that objects have anyway", () => {
  const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "valueOf"];

  test.each(NAMES)("%s as a key, an id, a tool, an agent, an argument and a variable", (name) => {
    const key = JSON.stringify(name);
    expect(
      codesOf(`[{ "id": ${key}, "tool": ${key}, "arguments": { ${key}: { ${key}: { "polluted": 1 } } } }]`),
    ).toEqual([]);
    expect(codesOf(`[{ "id": "a", "tool": ${key} }]`, { tools: {} })).toEqual(["unknown-tool"]);
    expect(codesOf(`{ "steps": [{ "tool": "t", ${key}: 1 }] }`)).toEqual(["unknown-field"]);
    expect(codesOf(`{ ${key}: 1, "steps": [] }`)).toContain("unknown-field");
    const agent = `{ "arguments": [{ "name": ${key}, "type_name": "any" }], "instructions": [
      { "execution_id": "a", "agent_definition_path": ${key}, "arguments": { "x": "REF:arguments.${name}.${name}" },
        "transform_arguments": { "variables": { ${key}: 1 }, "transforms": { ${key}: "${name}" } } }
    ], "response_reference_map": { ${key}: "REF:a.${name}" } }`;
    expect(codesOf(agent)).toEqual([]);
    expect(codesOf(agent, { agents: {} })).toEqual(["unknown-agent"]);
    expect(
      codesOf(`[{ "id": "a", "tool": "t", "conditions": [{ "param": 1, "operator": ${key}, "value": 1 }] }]`),
    ).toEqual(["unknown-operator"]);
    expect(
      codesOf(`{ "system_event_endpoint": "t", "arguments": [{ "name": "a", "type_name": ${key} }] }`),
    ).toEqual(["unknown-type"]);
    expect(codesOf(`{ "dialect": ${key}, "steps": [{ "tool": "t" }] }`)).toEqual(["invalid-value"]);
    expect(
      codesOf(
        `{ "context_variables": { "derived_variables": [{ "name": "x", "triggers": [{ "type": ${key} }] }] }, "plan": [{ "id": "a", "tool": "t" }] }`,
      ),
    ).toEqual(["unknown-trigger"]);
  });

  test("are not found where nothing declares them", () => {
    const tools = {
      t: { input: { type: "object", properties: {} }, output: { type: "object", properties: { x: {} } } },
    };
    const plan = [
      { id: "a", tool: "t" },
      { id: "b", tool: "t", arguments: { y: "{{a.result.constructor}}" } },
    ];
    expect(codesOf(plan, { tools })).toEqual(["unexpected-argument", "unknown-response"]);
  });
});

describe("odd characters", () => {
  test("lone surrogates, controls and marks are text", () => {
    const odd = ["\ud800", "\udfff", "\ud83d", "\u0000", "\u2028", "\ufeff", "\u202e", "e\u0301"];
    for (const text of odd) {
      expect(
        codesOf([{ id: "a", tool: "t", arguments: { [text]: text, x: `{{a${text}.result}}` } }]),
      ).toHaveLength(1);
      expect(compile(JSON.stringify({ steps: [{ tool: text }] })).diagnostics).toEqual([]);
      expect(compile(`{ "steps": [{ "tool": "${text}" ]`).program).toBeUndefined();
    }
  });

  test("patterns that blow up elsewhere are taken, or refused, at once", () => {
    const patterns = [
      "(a+)+$",
      "(.*)*x",
      "(a|a)*b",
      "(?=a)b",
      "(a)\\1",
      `${"(".repeat(5_000)}${")".repeat(5_000)}`,
      "a".repeat(20_000),
      "[",
      "a{99999999}",
    ];
    const list = patterns.map((regex_pattern, i) => ({
      name: `p${i}`,
      type_name: "string",
      regex_pattern,
      default_value: "a".repeat(40),
    }));
    const codes = new Set(codesOf({ system_event_endpoint: "t", arguments: list }));
    expect([...codes]).toEqual(["invalid-pattern"]);
  });
});

describe("what is no plan", () => {
  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a big integer", 10n],
    ["not a number", Number.NaN],
    ["a date", new Date(0)],
    ["a map", new Map()],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
    ],
    [
      "a getter that throws",
      {
        get steps() {
          throw new Error("no");
        },
      },
    ],
  ])("%s gets a diagnostic", (_, value) => {
    const { program, diagnostics } = compile(value as Json);
    expect(program).toBeUndefined();
    expect(diagnostics.length).toBeGreaterThan(0);
  });
});
