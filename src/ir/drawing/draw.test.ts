import { describe, expect, it } from "vitest";
import type { Json } from "../../base/json.ts";
import { type CompileOptions, compile } from "../../dialects/compile.ts";
import type { Program } from "../program.ts";
import { DRAWING_FORMATS, draw } from "./draw.ts";

function program(source: Json, options: CompileOptions = {}): Program {
  const result = compile(source, options);
  if (result.program === undefined) throw new Error(JSON.stringify(result.diagnostics, null, 2));
  return result.program;
}

const plan = program(
  {
    name: "digest",
    instructions: [
      {
        execution_id: "scan",
        agent_definition: { system_event_endpoint: "list" },
        policy: { optional: true },
      },
      {
        execution_id: "read",
        agent_definition_path: "/read.agent",
        parallel_execution: { iterate_over: "REF:scan.files", child_argument_name: "file" },
        conditions: [{ param: "REF:scan.files.length", operator: "greater_than", value: 0 }],
      },
      {
        execution_id: "tidy",
        agent_definition_path: "/else.agent",
        dependencies: ["read"],
        requires_confirmation: true,
      },
    ],
  },
  {
    agents: {
      "/read.agent": {
        instructions: [{ execution_id: "open", agent_definition: { system_event_endpoint: "open" } }],
      },
      "/else.agent": { system_event_endpoint: "tidy" },
    },
  },
);

const hostile = program([
  { id: "a", tool: `x"]; <script>alert(1)</script> \\N \u001b[31m & ]] --> {{`, arguments: {} },
  { id: "__proto__", tool: "日本\u202e語", arguments: { x: "{{a.result}}" } },
]);

describe("text", () => {
  it("shows levels, marks and what inner agents do", () => {
    expect(draw(plan, "text")).toBe(`digest · 3 steps in 3 levels

┌ 1  scan  list
│          ○ optional
│
├ 2  read  /read.agent  ← scan
│          ◇ when @scan.files.length greater_than 0
│          ⁂ for each file in @scan.files
│
└ 3  tidy  tidy         ← read
           ! asks for a yes

/read.agent · 1 step in 1 level

─ 1  open  open

longest chain  scan → read → tidy
calls at most  list ×1
               tidy ×1
               open for each item (read.open)
asks for a yes tidy`);
  });

  it("says that a step plan runs in order", () => {
    const text = draw(program({ steps: [{ tool: "a" }, { tool: "b" }] }), "text");
    expect(text).toContain("run in order");
  });

  it("has colours only when asked", () => {
    expect(draw(plan, "text")).not.toContain("\u001b");
    expect(draw(plan, "text", { color: true })).toContain("\u001b[1m");
  });

  it("lets nothing steer the terminal, and aligns wide characters", () => {
    const text = draw(hostile, "text");
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u202e");
    expect(text).toContain("␛[31m");
  });
});

describe("mermaid", () => {
  it("draws shapes by kind and dashes for what only waits", () => {
    expect(draw(plan, "mermaid")).toBe(`flowchart LR
  n0["scan<br/>list<br/>optional"]
  n1{{"read<br/>#47;read#46;agent<br/>when #64;scan#46;files#46;length greater_than 0<br/>for each file in #64;scan#46;files"}}
  n2["tidy<br/>tidy<br/>asks for a yes"]
  n0 --> n1
  n1 -.-> n2`);
  });

  it("draws questions", () => {
    const text = draw(program([{ id: "a", tool: "x", arguments: { t: "{{PLACEHOLDER_text}}" } }]), "mermaid");
    expect(text).toContain(`  q0(["? text"])\n  q0 -.-> n0`);
  });

  it("takes no text for syntax", () => {
    const [, first = ""] = draw(hostile, "mermaid").split("\n");
    expect(first).toMatch(/^ {2}n0\["[^"<>[\]{}`\\]*(<br\/>)[^"<>[\]{}`\\]*"\]$/);
  });
});

describe("dot", () => {
  it("draws shapes by kind and dashes for what only waits", () => {
    const text = draw(plan, "dot");
    expect(text).toContain(`digraph "digest" {`);
    expect(text).toContain(`n0 [label="scan\\nlist\\noptional", style="rounded,dashed"];`);
    expect(text).toContain("peripheries=2, shape=hexagon];");
    expect(text).toContain("n0 -> n1;\n  n1 -> n2 [style=dashed];");
  });

  it("takes no text for syntax", () => {
    const line = draw(hostile, "dot")
      .split("\n")
      .find((each) => each.startsWith("  n0 ["));
    expect(line).toMatch(/^ {2}n0 \[label="(?:[^"\\]|\\["\\n])*"\];$/);
  });
});

describe("svg", () => {
  it("draws every step and every edge", () => {
    const text = draw(plan, "svg");
    expect(text.match(/<path class="edge /g)).toHaveLength(2);
    expect(text).toContain('<path class="edge chain"');
    for (const id of ["scan", "read", "tidy"]) expect(text).toContain(`>${id}</text>`);
    expect(text).toContain("prefers-color-scheme: dark");
  });

  it("takes no text for markup", () => {
    const text = draw(hostile, "svg");
    expect(text).not.toContain("<script");
    expect(text).not.toContain("\u001b");
    const tags = new Set([...text.matchAll(/<\/?([a-z]+)/gi)].map((match) => match[1]));
    expect(tags).toEqual(new Set(["svg", "title", "style", "rect", "text", "g", "path"]));
  });
});

describe("json", () => {
  it("names steps by their ids", () => {
    const data = JSON.parse(draw(plan, "json"));
    expect(data.steps.map((step: { id: string }) => step.id)).toEqual(["scan", "read", "tidy"]);
    expect(data.steps[1]).toEqual({
      id: "read",
      kind: "composite",
      calls: "/read.agent",
      level: 1,
      dependsOn: ["scan"],
      marks: [
        { kind: "condition", text: "when @scan.files.length greater_than 0" },
        { kind: "fanOut", text: "for each file in @scan.files" },
      ],
    });
    expect(data.edges).toEqual([
      { from: "scan", to: "read", kind: "data" },
      { from: "read", to: "tidy", kind: "control" },
    ]);
    expect(data.explain.confirmations).toEqual(["tidy"]);
  });
});

describe("every format", () => {
  it.each(DRAWING_FORMATS)("%s draws a plan without steps", (format) => {
    expect(draw(program([]), format)).not.toBe("");
  });

  it.each(DRAWING_FORMATS)("%s copes with ten thousand steps", (format) => {
    const steps = Array.from({ length: 10_000 }, (_, i): Json => {
      const before = i === 0 ? [] : [`{{s${i - 1}.result}}`, `{{s${i >> 1}.result}}`];
      return { id: `s${i}`, tool: "x", arguments: { before: i === 1 ? before.slice(1) : before } };
    });
    expect(draw(program(steps), format).length).toBeGreaterThan(10_000);
  });
});
