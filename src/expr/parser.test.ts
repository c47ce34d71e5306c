import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindToContext, parsed } from "./fixture.ts";
import { builtInFunctions } from "./functions/registry.ts";
import { looksLikeCall, parseExpression } from "./parser.ts";
import { printExpression } from "./printer.ts";

function problemsOf(text: string) {
  return parseExpression(text, { bind: bindToContext, functions: builtInFunctions }).problems;
}

function problemOf(text: string): string {
  const [problem] = problemsOf(text);
  return problem === undefined ? "no problem" : `${problem.message} @${text.slice(problem.at, problem.to)}`;
}

/** The tree as canonical text: shows what bound to what. */
function shape(text: string): string {
  return printExpression(parsed(text));
}

describe("words", () => {
  it("takes names with paths of every segment form", () => {
    expect(parsed('a-b_1.c.*[0][*]["d e"].0')).toMatchObject({
      kind: "name",
      name: "a-b_1",
      path: ["c", "*", 0, "*", "d e", "0"],
    });
    expect(parsed("größe.straße")).toMatchObject({ name: "größe", path: ["straße"] });
    expect(parsed("nullable")).toMatchObject({ kind: "name", name: "nullable" });
    expect(parsed("not-found")).toMatchObject({ kind: "name", name: "not-found" });
  });

  it("takes numbers as JSON writes them", () => {
    expect(parsed("-12.5e-1")).toMatchObject({ kind: "literal", value: -1.25 });
    expect(parsed("0")).toMatchObject({ value: 0 });
    for (const text of ["01", "1.", "1x", "1-2", "1e999"]) expect(problemsOf(text)).toHaveLength(1);
  });

  it("takes strings in either quote, with escapes and with raw line breaks", () => {
    expect(parsed(String.raw`"a\n\t\r\\\"\'\/A"`)).toMatchObject({ value: "a\n\t\r\\\"'/A" });
    expect(parsed("'it\\'s \"x\"'")).toMatchObject({ value: 'it\'s "x"' });
    expect(parsed('"a\nb"')).toMatchObject({ value: "a\nb" });
    expect(problemOf(String.raw`"a\qb"`)).toContain(String.raw`"\q" is not an escape`);
    expect(problemOf(String.raw`"\u12g4"`)).toContain("is not an escape");
    expect(problemOf('join(a, "x)')).toContain("is never closed");
  });

  it("takes the longest reference text and gives its place", () => {
    const seen: [string, number, number][] = [];
    const bind = (text: string, from: number, to: number) => {
      seen.push([text, from, to]);
      return bindToContext(text);
    };
    parseExpression('map(REF:file-scan.results[0]["a b"].*, {x:REF:a.b,y: REF:c.d==1})', { bind });
    expect(seen).toEqual([
      ['REF:file-scan.results[0]["a b"].*', 4, 37],
      ["REF:a.b", 42, 49],
      ["REF:c.d", 53, 60],
    ]);
  });

  it("leaves a malformed reference to the binder, and goes on", () => {
    const seen: string[] = [];
    const bind = (text: string) => {
      seen.push(text);
      return undefined;
    };
    const { expression, problems } = parseExpression("[REF:, REF:a..b, REF:a[x], REF:a.]", { bind });
    expect(seen).toEqual(["REF:", "REF:a..b", "REF:a[x]", "REF:a."]);
    expect(problems).toEqual([]);
    expect(expression && printExpression(expression)).toBe("[null, null, null, null]");
  });
});

describe("grammar", () => {
  it("binds or, and, not and comparisons in that order", () => {
    expect(parsed("a or b and not c == 1")).toMatchObject({
      kind: "or",
      right: { kind: "and", right: { kind: "not", operand: { kind: "compare" } } },
    });
    expect(shape("a||b&&!c.d&&(e||f)")).toBe("a or b and not c.d and (e or f)");
    expect(shape("not(a) == 1")).toBe("not a == 1");
  });

  it("takes positional and named arguments", () => {
    expect(parsed("sort(xs, direction='desc')")).toMatchObject({
      arguments: [{ name: undefined }, { name: "direction", value: { value: "desc" } }],
    });
    expect(shape("if(a==b,1,2)")).toBe("if(a == b, 1, 2)");
    expect(problemOf("f((a)=1)")).toContain('"=" cannot stand here');
    expect(problemOf("a = 1")).toContain('"==" compares');
  });

  it("takes objects, lists and nesting", () => {
    expect(shape('{k: item.x, "quoted key": 1, nested: {not: []}, "REF": null}')).toBe(
      '{k: item.x, "quoted key": 1, nested: {not: []}, "REF": null}',
    );
    expect(problemOf("{a: 1, a: 2}")).toContain("stands twice");
  });

  it("says what is wrong, where, and what to write", () => {
    expect(problemOf("")).toContain("the expression is empty");
    expect(problemOf("join(a, b")).toBe('"(" is never closed; ")" is expected @(');
    expect(problemOf("join(a b)")).toBe('"b" cannot stand here: "," or ")" is expected @b');
    expect(problemOf("[1,]")).toContain("after the comma");
    expect(problemOf("a.b(1)")).toContain("only a name alone can be called");
    expect(problemOf("a. b")).toContain("a key is missing after the dot");
    expect(problemOf("a[01]")).toContain("is not an index");
    expect(problemOf("a + b")).toContain("there is no arithmetic");
    expect(problemOf("first(a).b")).toContain("get_object_property");
    expect(problemOf("1 < 2 < 3")).toContain("comparisons do not chain");
    expect(problemOf("and")).toContain("a value is expected");
    expect(problemOf("null.x")).toContain("has nothing below it");
    expect(problemOf("Hello world")).toContain("put text in quotes");
  });
});

describe("quoted arguments", () => {
  it("are expressions where an item, a condition or operations are taken", () => {
    expect(shape('map(xs, "item.x")')).toBe("map(xs, item.x)");
    expect(shape(`filter(xs, "item.name == 'a\\"b'")`)).toBe('filter(xs, item.name == "a\\"b")');
    expect(shape("sort(array=xs, key_path='item.a')")).toBe("sort(array=xs, key_path=item.a)");
    expect(shape('pipeline(x, ["trim(current)", upper(current)])')).toBe(
      "pipeline(x, [trim(current), upper(current)])",
    );
    expect(shape('pipeline(x, "[trim(current)]")')).toBe("pipeline(x, [trim(current)])");
  });

  it("are constants elsewhere: as values, inside templates, and when blank", () => {
    expect(shape('join(xs, "item.x")')).toBe('join(xs, "item.x")');
    expect(shape('map(xs, {a: "item.x"})')).toBe('map(xs, {a: "item.x"})');
    expect(parsed('map(xs, "")')).toMatchObject({
      arguments: [{}, { value: { kind: "literal", value: "" } }],
    });
  });

  it("keep exact positions, behind escapes too", () => {
    const text = String.raw`filter(xs, "item.a == \"é\" and REF:b.c > ,")`;
    const [problem] = problemsOf(text);
    expect(text.slice(problem?.at, problem?.to)).toBe(",");
    const seen: string[] = [];
    const bind = (_: string, from: number, to: number) => {
      seen.push(text.slice(from, to));
      return undefined;
    };
    parseExpression(text, { bind, functions: builtInFunctions });
    expect(seen).toEqual(["REF:b.c"]);
  });

  it("report their problems all at once", () => {
    expect(problemsOf('if("a ==", map(xs, "item."), filter(xs, ")"))')).toHaveLength(3);
  });
});

describe("hostile texts", () => {
  it.each([
    ...['"', "'", "(", "[", "{", "!", "not ", "a.", "a[", "a[[", 'a["', "f(", "a and ", "\\", " ", "\\u"],
    ...["REF:", "REF:a.", "REF:a["],
  ])("ends with a short problem, here or from the binder, for a megabyte of %j", (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const refused: string[] = [];
    const bind = (refText: string) => {
      refused.push(refText);
      return undefined;
    };
    const { problems } = parseExpression(text, { bind, functions: builtInFunctions });
    expect(problems.length + refused.length).toBeGreaterThan(0);
    for (const { message } of problems) expect(message.length).toBeLessThan(400);
  });

  it("limits the height of trees, also through chains and quotes", () => {
    const nested = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`;
    expect(problemsOf(nested(150))).toEqual([]);
    expect(problemOf(nested(250))).toContain("nested deeper than 200");
    expect(problemOf(`a${" and a".repeat(250)}`)).toContain("nested deeper than 200");
    expect(problemOf(`map(xs, "${nested(199)}")`)).toContain("nested deeper than 200");
  });

  it("gives a tree or problems, inside the text, for any text", () => {
    const words = [
      "REF:a.b",
      "map(",
      "item.x",
      ")",
      "(",
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      "\\",
      ",",
      ":",
      "=",
      "==",
      "not ",
      "and ",
      "1",
      ".",
      " ",
    ];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom(...words)).map((ws) => ws.join("")),
        ),
        (text) => {
          const { expression, problems } = parseExpression(text, {
            bind: bindToContext,
            functions: builtInFunctions,
          });
          expect(expression === undefined).toBe(problems.length > 0);
          for (const { at, to } of problems) expect(0 <= at && at <= to && to <= text.length).toBe(true);
        },
      ),
    );
  });
});

describe("looksLikeCall", () => {
  const isKnown = (name: string) => builtInFunctions.has(name);

  it("is true for one whole call of a known function", () => {
    expect(looksLikeCall(" map(xs, item.x) ", isKnown)).toBe(true);
    expect(looksLikeCall("join(map(REF:a.b, item.x), ', ')", isKnown)).toBe(true);
  });

  it("is false for anything else", () => {
    for (const text of [
      "map",
      "map(xs",
      "send(xs)",
      "sum(of all parts)",
      "first(a) and last(b)",
      "map(a, b) (c)",
      "see map(a)",
    ]) {
      expect(looksLikeCall(text, isKnown)).toBe(false);
    }
  });
});
