import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Argument, Expression } from "./expression.ts";
import { bindToContext, parsed } from "./fixture.ts";
import type { FunctionTable } from "./functions/function.ts";
import { builtInFunctions } from "./functions/registry.ts";
import { KEYWORDS } from "./lexer.ts";
import { parseExpression } from "./parser.ts";
import type { Path } from "./path.ts";
import { printExpression } from "./printer.ts";

const NOWHERE = { from: 0, to: 0 };

const name = fc.stringMatching(/^[a-zé_][\w-]{0,6}$/).filter((text) => !KEYWORDS.has(text) && text !== "REF");
const key = fc
  .oneof(fc.stringMatching(/^\w{1,4}$/), fc.string({ unit: "binary", maxLength: 4 }))
  .filter((k) => k !== "*");
const path: fc.Arbitrary<Path> = fc.array(fc.oneof(key, fc.nat(99), fc.constant("*")), { maxLength: 3 });
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("item.x", "", " ", "a b"));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);

const trees = fc.letrec<{ tree: Expression; list: Expression }>((tie) => {
  const argument = fc.record<Argument>({ name: fc.oneof(fc.constant(undefined), name), value: tie("tree") });
  const pipelined = tie("list").map((value): Argument[] => [
    { name: undefined, value: { kind: "name", name: "x", path: [], ...NOWHERE } },
    { name: undefined, value },
  ]);
  const functionName = fc.oneof(name, fc.constantFrom("map", "filter", "if", "sort", "create_object"));
  return {
    list: fc
      .array(tie("tree"), { maxLength: 3 })
      .map((items): Expression => ({ kind: "list", items, ...NOWHERE })),
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc
        .oneof(text, number, fc.boolean(), fc.constant(null))
        .map((value): Expression => ({ kind: "literal", value, ...NOWHERE })),
      fc.tuple(name, path).map(([n, p]): Expression => ({ kind: "name", name: n, path: p, ...NOWHERE })),
      fc
        .constantFrom("REF:a.b", 'REF:c-d[0]["e f"].*')
        .map((ref): Expression => ({ kind: "reference", reference: refOf(ref), ...NOWHERE })),
      fc
        .tuple(functionName, fc.array(argument, { maxLength: 3 }))
        .map(([n, args]): Expression => ({ kind: "call", name: n, arguments: args, ...NOWHERE })),
      pipelined.map((args): Expression => ({ kind: "call", name: "pipeline", arguments: args, ...NOWHERE })),
      fc
        .uniqueArray(fc.tuple(fc.oneof(key, fc.constantFrom("null", "REF", "__proto__")), tie("tree")), {
          selector: ([k]) => k,
          maxLength: 3,
        })
        .map((entries): Expression => ({ kind: "object", entries, ...NOWHERE })),
      tie("list"),
      fc
        .tuple(
          fc.constantFrom("==" as const, "!=" as const, "<" as const, ">=" as const),
          tie("tree"),
          tie("tree"),
        )
        .map(
          ([operator, left, right]): Expression => ({ kind: "compare", operator, left, right, ...NOWHERE }),
        ),
      fc
        .tuple(fc.constantFrom("and" as const, "or" as const), tie("tree"), tie("tree"))
        .map(([kind, left, right]): Expression => ({ kind, left, right, ...NOWHERE })),
      tie("tree").map((operand): Expression => ({ kind: "not", operand, ...NOWHERE })),
    ),
  };
}).tree;

function refOf(ref: string) {
  const reference = bindToContext(ref);
  if (reference === undefined) throw new SyntaxError(ref);
  return reference;
}

/** Structure without positions. */
function bare(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (k, value) => (k === "from" || k === "to" ? undefined : value)),
  );
}

describe("printing", () => {
  it.each<[string, FunctionTable | undefined]>([
    ["without functions", undefined],
    ["with functions, whose quoted arguments are expressions", builtInFunctions],
  ])("gives a text that parses to the same tree, %s", (_, functions) => {
    fc.assert(
      fc.property(trees, (tree) => {
        const printed = printExpression(tree, functions);
        const options =
          functions === undefined ? { bind: bindToContext } : { bind: bindToContext, functions };
        const { expression, problems } = parseExpression(printed, options);
        expect(problems).toEqual([]);
        expect(expression && bare(expression)).toEqual(bare(tree));
      }),
      { numRuns: 500 },
    );
  });

  it("quotes a constant twice where one pair of quotes would make it an expression", () => {
    const tree = parsed(`map(xs, "'x'")`);
    expect(printExpression(tree, builtInFunctions)).toBe(String.raw`map(xs, "\"x\"")`);
  });

  it("prints lists and objects that are constants", () => {
    const tree: Expression = { kind: "literal", value: { a: [1, "x", null], "b c": {} }, ...NOWHERE };
    expect(printExpression(tree)).toBe('{a: [1, "x", null], "b c": {}}');
  });
});
