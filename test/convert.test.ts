/*
 * Converting between the languages. The law: what a conversion writes, compiled again, prints as the arranged program, which
 * differs from the original in the names and order of steps and in nothing that a tool gets to see.
 */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../src/base/json.ts";
import { type CompileOptions, compile, convert, printProgram } from "../src/compiler.ts";
import { arrange } from "../src/dialects/arrange.ts";
import { Remarks } from "../src/dialects/remarks.ts";
import { createEngine, type ToolDefinition } from "../src/index.ts";
import type { DialectName, Program } from "../src/ir/program.ts";
import { Chance } from "./simulation/chance.ts";
import { randomAgent } from "./simulation/random-agent.ts";
import { randomActionPlan, randomStepPlan } from "./simulation/random-plans.ts";

const LANGUAGES: readonly DialectName[] = ["agent", "steps", "actions"];
const folder = new URL("../examples/scenarios/", import.meta.url);
const tools = (await import(new URL("tools.mjs", folder).href)) as Record<string, ToolDefinition>;
const agents = Object.fromEntries(
  readdirSync(new URL("../agents/scenarios/", folder)).map((name) => [
    `/scenarios/${name}`,
    readFileSync(new URL(`../agents/scenarios/${name}`, folder), "utf8"),
  ]),
);
const scenarios = readdirSync(folder).filter((name) => /\.(plan|agent)\.json$/.test(name));

function programOf(source: string | Json, options: CompileOptions = {}): Program {
  const { program, diagnostics } = compile(source, options);
  if (program === undefined) throw new Error(JSON.stringify({ source, diagnostics }, null, 2));
  return program;
}

/** Converts, and holds the law where there is a plan. */
function lawful(program: Program, to: DialectName, options: CompileOptions = {}) {
  const conversion = convert(program, to);
  if (conversion.plan !== undefined) {
    const again = programOf(conversion.plan, options);
    expect(again.dialect).toBe(to);
    const arranged = to === program.dialect ? program : arrange(program, to, new Remarks());
    expect(printProgram(again)).toBe(printProgram(arranged));
  } else expect(conversion.reasons.length).toBeGreaterThan(0);
  return conversion;
}

describe("the ten scenarios", () => {
  test.each(scenarios)("%s in the other languages", (name) => {
    const program = programOf(readFileSync(new URL(name, folder), "utf8"), { tools, agents });
    const said = LANGUAGES.filter((to) => to !== program.dialect).map((to) => {
      const { plan, reasons, changes } = lawful(program, to, { tools, agents });
      return { to, plan: plan !== undefined, reasons, changes };
    });
    expect(said).toMatchSnapshot();
  });

  test("give the same answer when they run in another language", async () => {
    const engine = await createEngine({ tools, agents });
    let converted = 0;
    for (const name of scenarios.filter((scenario) => scenario.includes(".actions."))) {
      const program = programOf(readFileSync(new URL(name, folder), "utf8"), { tools, agents });
      const own = await engine.run(program);
      const { plan } = convert(program, "steps");
      if (plan === undefined) throw new Error(`${name} has no step plan`);
      const other = await engine.run(plan);
      const last = Object.values(other.steps).at(-1);
      expect(last?.result).toEqual(own.steps["answer"]?.result);
      expect(other.status).toBe(own.status);
      converted++;
    }
    expect(converted).toBe(10);
    await engine.close();
  }, 120_000);
});

/** Text that is a reference in one of the languages, or nearly, with backslashes and braces around it. */
const trickyText = fc
  .array(
    fc.constantFrom(
      "\\",
      "{",
      "}",
      "{{",
      "}}",
      "${",
      "$",
      "step[0]",
      "context.",
      "a.result.x",
      "REF:",
      "PLACEHOLDER_q",
      " ",
      "ü",
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
const trickyKey = fc.constantFrom("x", "a b", "}}", "}", "{{", '"', "\\", "[0]", "length", "0", "Ж");

/** Every text is escaped for action plans, so that what is left of it is known. */
function escaped(text: string): string {
  return text.replace(/(\\*)(\{{2,})/g, "$1$1\\$2");
}

const RANDOM: readonly ((chance: Chance) => Json)[] = [
  (chance) => randomActionPlan(chance, 8),
  (chance) => randomStepPlan(chance, 8),
  (chance) => randomAgent(chance, { steps: 3, levels: 1, refers: 0.6, isSmall: true }),
];

const trickyPlan = fc.record({
  texts: fc.array(trickyText, { minLength: 1, maxLength: 4 }),
  keys: fc.array(trickyKey, { minLength: 1, maxLength: 3 }),
  around: fc.tuple(trickyText, trickyText),
  inText: fc.boolean(),
});

describe("by property", () => {
  test("texts that look like references survive every way there and back", () => {
    fc.assert(
      fc.property(trickyPlan, ({ texts, keys, around, inText }) => {
        const path = keys
          .map((key) => `[${JSON.stringify(key).replaceAll("}", "\\u007d").replaceAll("{", "\\u007b")}]`)
          .join("");
        const reference = `{{a.result${path}}}`;
        const constant = Object.fromEntries(texts.map((text, i) => [`t${i}`, escaped(text)]));
        const [before, after] = around.map((text) => escaped(text).replaceAll("{", "(")) as [string, string];
        const plan: Json = [
          {
            id: "b",
            tool: "t",
            arguments: {
              r: inText
                ? `${before.replaceAll("\\", "\\\\")}${reference}${after.replaceAll("\\", "")}`
                : reference,
            },
          },
          { id: "a", tool: "t", arguments: { ...constant, list: [constant] } },
        ];
        const { program } = compile(plan);
        if (program === undefined) return;
        for (const to of LANGUAGES) {
          const { plan: other } = lawful(program, to);
          if (other === undefined) continue;
          for (const back of LANGUAGES) lawful(programOf(other), back);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("random plans", () => {
    let converted = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const chance = new Chance(seed);
      const plan: Json = RANDOM[seed % RANDOM.length]?.(chance) ?? [];
      const program = programOf(plan);
      for (const to of LANGUAGES) if (lawful(program, to).plan !== undefined) converted++;
    }
    expect(converted).toBeGreaterThan(300);
  });
});

describe("what is kept, and what cannot be said", () => {
  test("a step plan in three languages", () => {
    const plan = {
      name: "reply",
      steps: [
        { tool: "find", params: { name: "John" }, description: "who" },
        {
          tool: "send",
          params: { to: "${step[0].data.email}", text: "\\${step[0].data} is text" },
          retryCount: 2,
        },
      ],
    };
    expect(convert(programOf(plan), "actions")).toMatchInlineSnapshot(`
      {
        "changes": [],
        "plan": {
          "name": "reply",
          "plan": [
            {
              "arguments": {
                "name": "John",
              },
              "description": "who",
              "id": "0",
              "tool": "find",
            },
            {
              "arguments": {
                "text": "\${step[0].data} is text",
                "to": "{{0.result.email}}",
              },
              "id": "1",
              "policy": {
                "retries": 2,
              },
              "tool": "send",
            },
          ],
        },
        "reasons": [],
      }
    `);
    expect(convert(programOf(plan), "agent").plan).toMatchInlineSnapshot(`
      {
        "instructions": [
          {
            "agent_definition": {
              "system_event_endpoint": "find",
            },
            "arguments": {
              "name": "John",
            },
            "description": "who",
            "execution_id": "0",
          },
          {
            "agent_definition": {
              "system_event_endpoint": "send",
            },
            "arguments": {
              "text": "\${step[0].data} is text",
              "to": "REF:0.email",
            },
            "execution_id": "1",
            "policy": {
              "retries": 2,
            },
          },
        ],
        "name": "reply",
      }
    `);
  });

  test("every reason at once", () => {
    const agent: JsonObject = {
      arguments: [{ name: "who", type_name: "string" }],
      instructions: [
        {
          execution_id: "a",
          agent_definition: { system_event_endpoint: "t" },
          arguments: { x: "REF:arguments.who" },
        },
        {
          execution_id: "b",
          agent_definition: { system_event_endpoint: "t" },
          parallel_execution: { iterate_over: "REF:a.list", child_argument_name: "x" },
          transform_results: { transforms: { n: "length(list)" } },
        },
        {
          execution_id: "c",
          agent_definition: { system_event_endpoint: "t" },
          dependencies: ["a"],
          conditions: [{ param: "REF:b.status", operator: "equals", value: "failed" }],
        },
      ],
    };
    expect(convert(programOf(agent), "actions").reasons).toMatchInlineSnapshot(`
      [
        "The plan takes arguments ("who"); an action plan takes none.",
        "Step "a" uses REF:arguments.who; an action plan has nothing of the kind.",
        "Step "b" runs once for each item of a list; an action plan has no such steps.",
        "Step "b" transforms its arguments or results; an action plan cannot.",
        "Step "c" runs after another one however that ended; in an action plan a dependency must have succeeded.",
        "Step "c" uses REF:b.status; an action plan has nothing of the kind.",
      ]
    `);
    const actions = [
      {
        id: "item",
        tool: "t",
        arguments: { x: "{{PLACEHOLDER_name}}", y: "Hi {{z.result.n}}" },
        dependencies: ["z"],
      },
      { id: "z", tool: "t", arguments: {} },
      { id: "y", tool: "t", arguments: { all: "{{z.result}}" }, dependencies: ["item"] },
    ];
    expect(convert(programOf(actions), "agent").reasons).toMatchInlineSnapshot(`
      [
        ""item" is a name that agents keep for themselves: rename the step.",
        "Step "item" asks a person for "name"; an agent cannot.",
        "Step "item" puts references into a text ("Hi {{z.result.n}}"); an agent cannot.",
        "Step "y" waits for the success of step "item" and uses nothing of it; an agent's dependency is met by a failure, too.",
        "Step "y" uses the whole result of a step ({{z.result}}); an agent cannot.",
      ]
    `);
    expect(convert(programOf(actions), "steps").reasons).toMatchInlineSnapshot(`
      [
        "Step "item" asks a person for "name"; a step plan has nothing of the kind.",
      ]
    `);
  });

  test("steps in any order, and context variables", () => {
    const workflow = {
      name: "w",
      context_variables: { runtime_variables: [{ name: "city", type: "string", default: "Oslo" }] },
      plan: [
        { id: "second", tool: "t", arguments: { x: "{{first.result.n}}" }, intent: "go on" },
        { id: "other", tool: "t", arguments: { x: "{{context.city}}" } },
        { id: "first", tool: "t", arguments: {} },
      ],
    };
    const { plan, changes } = lawful(programOf(workflow), "steps");
    expect({ plan, changes }).toMatchInlineSnapshot(`
      {
        "changes": [
          "What a step is for ("intent") is kept as its description.",
          "Steps are called by their numbers: first is 0, second is 1, other is 2.",
        ],
        "plan": {
          "context_variables": {
            "runtime_variables": [
              {
                "default": "Oslo",
                "name": "city",
                "type": "string",
              },
            ],
          },
          "name": "w",
          "plan": {
            "steps": [
              {
                "parallel": true,
                "tool": "t",
              },
              {
                "description": "go on",
                "parallel": true,
                "params": {
                  "x": "\${step[0].data.n}",
                },
                "tool": "t",
              },
              {
                "parallel": true,
                "params": {
                  "x": "\${context.city}",
                },
                "tool": "t",
              },
            ],
          },
        },
      }
    `);
  });
});
