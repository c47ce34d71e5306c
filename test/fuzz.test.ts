/* Random JSON, and plans with random damage: compiling never throws, and its answers agree with each other. */
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Json } from "../src/base/json.ts";
import { type CompileOptions, compile } from "../src/compiler.ts";
import { isPathProblem, parsePath, printPath } from "../src/expr/path.ts";
import { applyFixes } from "../src/source/fix.ts";
import { damaged } from "./damage.ts";
import { EXAMPLES, type ExamplePlan } from "./example-plans.ts";
import { CORPORA, haveCorpora } from "./mutants/corpora.ts";
import { LANGUAGES, writePlan } from "./mutants/write-plan.ts";

// Enough for a machine that is busy with other things; what takes for ever still ends.
vi.setConfig({ testTimeout: 120_000 });

const RUNS = 300;

/** What must hold of every input. */
function examine(value: Json, options: CompileOptions): void {
  // A string is the text of a plan, never a value.
  if (typeof value === "string") return;
  const text = JSON.stringify(value);
  const fromText = compile(text, options);
  const fromValue = compile(JSON.parse(text) as Json, options);
  const codes = (list: typeof fromText.diagnostics) =>
    list.map(({ code, pointer }) => `${code} ${pointer}`).sort();
  expect(codes(fromText.diagnostics)).toEqual(codes(fromValue.diagnostics));
  const isWrong = fromText.diagnostics.some(({ severity }) => severity === "error");
  expect(fromText.program === undefined).toBe(isWrong);
  for (const { line, column } of fromText.diagnostics) {
    expect(line).toBeGreaterThan(0);
    expect(column).toBeGreaterThan(0);
  }
  const fixes = fromText.diagnostics.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  if (fixes.length === 0) return;
  const fixed = applyFixes(text, fixes).text;
  expect(() => JSON.parse(fixed)).not.toThrow();
  compile(fixed, options);
}

const WORDS = [
  "steps",
  "tool",
  "params",
  "dependsOn",
  "parallel",
  "id",
  "arguments",
  "plan",
  "instructions",
  "execution_id",
  "agent_definition_path",
  "agent_definition",
  "conditions",
  "param",
  "operator",
  "value",
  "logic",
  "responses",
  "name",
  "type_name",
  "transform_arguments",
  "variables",
  "transforms",
  "parallel_execution",
  "iterate_over",
  "policy",
  "repeat",
  "context_variables",
  "derived_variables",
  "triggers",
  "type",
  "response_reference_map",
  "system_event_endpoint",
  "__proto__",
];
const TEXTS = [
  "${step[0].data.x}",
  "${step[1]}",
  "{{a.result.x}}",
  "{{b}}",
  "REF:a.x",
  "REF:arguments.a",
  "REF:",
  "${step[",
  "{{",
  "\\{{a}}",
  "{{PLACEHOLDER_x}}",
  "join(a, ', ')",
  "map(REF:a.x, {b: item.c})",
  "equals",
  "in",
  "string",
  "list",
  "a",
  "b",
  "agent",
  "\ud800",
];

const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string() },
);
const string = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string(),
  fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)).map((two) => two.join("")),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, depthSize: "medium" },
    string,
    fc.integer({ min: -2, max: 9 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(key, tie("json"), { maxKeys: 6 }),
  ),
}));

describe("compiling", () => {
  test("takes any JSON", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, "agent", "steps", "actions"), (value, dialect) => {
        examine(value, { dialect: dialect as CompileOptions["dialect"], tools: { a: () => null } });
      }),
      { numRuns: RUNS * 3 },
    );
  });

  test("takes any text", () => {
    const pieces = fc.array(
      fc.constantFrom(..."{}[],:\"'\\ \n", "//", "1", "true", '"steps"', '"tool"', "${step[0]}", "\ud800"),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((list) => list.join("")),
        ),
        (text) => {
          const { program, diagnostics } = compile(text);
          expect(program === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
        },
      ),
      { numRuns: RUNS * 3 },
    );
  });

  test.each(EXAMPLES.map((example): [string, ExamplePlan] => [example.title, example]))(
    "takes %s with random damage",
    (_, example) => {
      expect(compile(example.plan, example.options).diagnostics).toEqual([]);
      fc.assert(
        fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 9 }), json, (choices, value) => {
          examine(damaged(example.plan, choices, value), example.options);
        }),
        { numRuns: RUNS },
      );
    },
  );
});

describe.skipIf(!haveCorpora)("compiling plans of the corpora with random damage", () => {
  test.each(CORPORA)("$name", ({ plans }) => {
    const written = plans()
      .slice(0, 30)
      .flatMap((plan) => LANGUAGES.map((language) => writePlan(plan, language)))
      .filter((plan) => plan !== undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...written),
        fc.array(fc.nat(), { minLength: 1, maxLength: 7 }),
        json,
        (chosen, choices, value) => {
          examine(damaged(chosen.plan, choices, value), chosen.options);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

test("paths: parsing what was printed gives the path again", () => {
  const segment = fc.oneof(
    fc.string({ minLength: 1 }).filter((text) => text !== "*"),
    fc.nat(),
    fc.constant("*"),
    fc.constantFrom("0", "a.b", "[", '"', " x "),
  );
  fc.assert(
    fc.property(fc.array(segment), (path) => {
      const printed = printPath(path);
      const parsed = parsePath(printed, 0, printed.length);
      expect(isPathProblem(parsed)).toBe(false);
      expect(parsed).toEqual(path);
    }),
  );
});
