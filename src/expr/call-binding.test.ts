import { describe, expect, it } from "vitest";
import { checkCall } from "./call-binding.ts";
import { failureOf, parsed } from "./fixture.ts";
import { builtInFunctions } from "./functions/registry.ts";

function check(text: string): string | undefined {
  const call = parsed(text);
  const fn = call.kind === "call" ? builtInFunctions.get(call.name) : undefined;
  return call.kind === "call" && fn ? checkCall(fn, call.arguments) : "not a call";
}

describe("checkCall", () => {
  it("finds missing, doubled, surplus, unknown and misplaced arguments", () => {
    expect(check("map(xs)")).toBe('map: "template" is missing. It is used as map(array, template)');
    expect(check("map()")).toContain('"array" and "template" are missing');
    expect(check("map(xs, 1, array=ys)")).toContain('"array" is given twice');
    expect(check("sum(xs, item.a, 3)")).toContain(
      "it takes at most 2 arguments, and got 3. It is used as sum(array, item_path?)",
    );
    expect(check("sort(xs, diretcion='asc')")).toContain(
      'it has no parameter "diretcion". Did you mean "direction"?',
    );
    expect(check("map(array=xs, item.x)")).toContain('cannot follow one with a name ("array=")');
    expect(check("create_object(a=1, a=2)")).toContain('"a" is given twice');
    expect(check("create_object('a')")).toContain("a key has no value");
    expect(check("pipeline(x, ops)")).toContain("must be written out here");
  });

  it("accepts what can be run", () => {
    const texts = [
      "map(template=item.x, array=xs)",
      "sort(xs, null, 'desc')",
      "min(1, 2, 3, 4)",
      "create_object('a', 1, b=2)",
    ];
    for (const text of [...texts, "datetime_now()", "pipeline(x, trim(current))"])
      expect(check(text)).toBeUndefined();
  });

  it("holds at run time, too", () => {
    expect(failureOf("map([1])")).toBe('map: "template" is missing. It is used as map(array, template).');
  });
});
