import { describe, expect, it } from "vitest";
import type { Json } from "../base/json.ts";
import { type CompileOptions, compile } from "../dialects/compile.ts";
import { affectedBy, dependencies, explain, levels, placeholders } from "./analysis.ts";
import type { Program } from "./program.ts";

function program(source: Json, options: CompileOptions = {}): Program {
  const result = compile(source, options);
  if (result.program === undefined) throw new Error(JSON.stringify(result.diagnostics, null, 2));
  return result.program;
}

function step(id: string, ...refersTo: string[]): Json {
  return {
    id,
    tool: `tool_${id}`,
    arguments: { input: refersTo.map((other) => `{{${other}.result.data[0]}}`) },
  };
}

const diamond = program([step("A"), step("B", "A"), step("C", "A"), step("D", "B", "C")]);
const exercise = program([step("A"), step("B", "A"), step("C", "B"), step("D", "A", "C")]);

describe("document 4", () => {
  it("finds the dependencies", () => {
    expect(dependencies(diamond)).toEqual({ A: [], B: ["A"], C: ["A"], D: ["B", "C"] });
    expect(dependencies(exercise)).toEqual({ A: [], B: ["A"], C: ["B"], D: ["A", "C"] });
  });

  it("finds the levels", () => {
    expect(levels(diamond)).toEqual([["A"], ["B", "C"], ["D"]]);
    expect(levels(exercise)).toEqual([["A"], ["B"], ["C"], ["D"]]);
  });

  it("finds what a failure affects", () => {
    expect(affectedBy(exercise, "B")).toEqual(["C", "D"]);
    expect(affectedBy(exercise, "D")).toEqual([]);
    expect(affectedBy(diamond, "A")).toEqual(["B", "C", "D"]);
    expect(affectedBy(diamond, "nobody")).toEqual([]);
  });

  it("finds the placeholders, each once, with the schema of the tool", () => {
    const tools = {
      reply: {
        input: { type: "object", properties: { body: { type: "string", description: "What to say" } } },
      },
    };
    const plan = program(
      [
        { id: "x", tool: "reply", arguments: { body: "{{PLACEHOLDER_body}}" } },
        {
          id: "y",
          tool: "reply",
          intent: "Greet",
          arguments: { body: "Dear {{PLACEHOLDER_who}}, {{PLACEHOLDER_body}}" },
        },
      ],
      { tools },
    );
    expect(placeholders(plan)).toEqual([
      { name: "body", stepIds: ["x", "y"], schema: { type: "string", description: "What to say" } },
      { name: "who", stepIds: ["y"] },
    ]);
    expect(Object.keys(placeholders(plan)[1] ?? {})).toEqual(["name", "stepIds"]);
  });
});

describe("dependencies", () => {
  it("are not the plan order of a step plan", () => {
    const plan = program({ steps: [{ tool: "a" }, { tool: "b" }, { tool: "c", dependsOn: [0] }] });
    expect(dependencies(plan)).toEqual({ "0": [], "1": [], "2": ["0"] });
    expect(levels(plan)).toEqual([["0", "1"], ["2"]]);
  });

  it("come from conditions, collections and explicit lists, too", () => {
    const plan = program({
      instructions: ["a", "b", "c"]
        .map((id): Json => ({ execution_id: id, agent_definition: { system_event_endpoint: id } }))
        .concat({
          execution_id: "d",
          agent_definition: { system_event_endpoint: "d" },
          dependencies: ["c"],
          conditions: [{ param: "REF:b.status", operator: "equals", value: "failed" }],
          parallel_execution: { iterate_over: "REF:a.list", child_argument_name: "x" },
        }),
    });
    expect(dependencies(plan)["d"]).toEqual(["a", "b", "c"]);
  });

  it("are safe for ids that every object inherits", () => {
    const plan = program([
      step("constructor"),
      step("__proto__", "constructor"),
      step("toString", "__proto__"),
    ]);
    const found = dependencies(plan);
    expect(Object.keys(found)).toEqual(["constructor", "__proto__", "toString"]);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(Object.entries(found)).toContainEqual(["__proto__", ["constructor"]]);
    expect(levels(plan)).toEqual([["constructor"], ["__proto__"], ["toString"]]);
    expect(affectedBy(plan, "constructor")).toEqual(["__proto__", "toString"]);
  });

  it("keep plan order inside a level whatever the order of the steps", () => {
    const plan = program([step("D", "B", "C"), step("C", "A"), step("B", "A"), step("A")]);
    expect(levels(plan)).toEqual([["A"], ["C", "B"], ["D"]]);
  });

  it("of an empty plan are none", () => {
    const plan = program([]);
    expect(levels(plan)).toEqual([]);
    expect(explain(plan)).toEqual({
      calls: [],
      callsMax: 0,
      longestChain: [],
      questions: [],
      confirmations: [],
      sideEffects: [],
    });
  });
});

describe("explain", () => {
  it("counts retries and turns, and finds the longest chain", () => {
    const plan = program(
      [
        { id: "a", tool: "read", policy: { retries: 2 } },
        {
          id: "b",
          tool: "read",
          arguments: { x: "{{a.result}}" },
          repeat: { until: [{ param: "{{b.result}}", operator: "exists" }], max: 4 },
        },
        { id: "c", tool: "send", arguments: { x: "{{b.result}}", y: "{{PLACEHOLDER_y}}" }, intent: "Say it" },
        { id: "d", tool: "read" },
      ],
      { tools: { read: {}, send: { sideEffects: true, requiresConfirmation: true } } },
    );
    expect(explain(plan)).toEqual({
      calls: [
        { kind: "tool", name: "read", callsMax: 3 + 4 + 1, stepIds: ["a", "b", "d"] },
        { kind: "tool", name: "send", callsMax: 1, stepIds: ["c"] },
      ],
      callsMax: 9,
      longestChain: ["a", "b", "c"],
      questions: [{ name: "y", stepIds: ["c"], description: "Say it" }],
      confirmations: ["c"],
      sideEffects: ["send"],
    });
  });

  function calling(path: string, more: Record<string, Json> = {}, id = "inner"): Record<string, Json> {
    return { execution_id: id, agent_definition_path: path, ...more };
  }
  const primitive = { system_event_endpoint: "leaf" };
  const over = (list: Json): Record<string, Json> => ({
    parallel_execution: { iterate_over: list, child_argument_name: "x" },
  });

  it("multiplies what nested agents call, and counts literal collections", () => {
    const plan = program(
      {
        instructions: [
          calling("/outer", over([1, 2, 3]), "each"),
          calling("/outer", { policy: { retries: 1 } }, "once"),
          calling("/leaf", over([]), "never"),
        ],
      },
      {
        agents: {
          "/leaf": primitive,
          "/outer": { instructions: [calling("/leaf", {}, "x"), calling("/leaf", over(["a", "b"]), "y")] },
        },
      },
    );
    expect(explain(plan).calls).toEqual([
      { kind: "tool", name: "leaf", callsMax: (3 + 2) * (1 + 2), stepIds: ["never", "each.x", "each.y"] },
    ]);
  });

  it("has no bound for collections that only the run knows", () => {
    const plan = program({
      arguments: [{ name: "files", type_name: "list" }],
      instructions: [{ ...calling("/unknown.agent"), ...over("REF:arguments.files") }],
    });
    expect(explain(plan).calls).toEqual([
      { kind: "agent", name: "unknown", callsMax: null, unbounded: "fan-out", stepIds: ["inner"] },
    ]);
    expect(explain(plan).callsMax).toBeNull();
  });

  it("has no bound for agents that call themselves", () => {
    const deeper = { conditions: [{ param: "REF:arguments.n", operator: "greater_than", value: 0 }] };
    const plan = program(
      { instructions: [calling("/tree", { arguments: { n: 3 } })] },
      {
        agents: {
          "/leaf": primitive,
          "/tree": {
            arguments: [{ name: "n", type_name: "number" }],
            instructions: [
              calling("/leaf", {}, "leaf"),
              calling("/tree", { ...deeper, arguments: { n: "REF:arguments.n" } }, "again"),
            ],
          },
        },
      },
    );
    expect(explain(plan).calls).toEqual([
      { kind: "tool", name: "leaf", callsMax: null, unbounded: "recursion", stepIds: ["inner.leaf"] },
    ]);
  });

  it("copes with a chain of 20,000 steps", () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => step(`s${i}`, ...(i > 0 ? [`s${i - 1}`] : [])));
    const plan = program(chain);
    expect(levels(plan)).toHaveLength(20_000);
    expect(affectedBy(plan, "s0")).toHaveLength(19_999);
    expect(explain(plan).longestChain).toHaveLength(20_000);
  });
});
