import { describe, expect, it } from "vitest";
import { parsed } from "./fixture.ts";
import { callsOf, freeNames, references } from "./free-names.ts";
import { builtInFunctions } from "./functions/registry.ts";

function namesIn(text: string): string[] {
  return freeNames(parsed(text), builtInFunctions).map(({ name, from, to }) => {
    expect(text.slice(from, to).startsWith(name)).toBe(true);
    return name;
  });
}

describe("freeNames", () => {
  it("lists the names the context has to have, inside calls, templates and quotes", () => {
    expect(namesIn("join(map(users, {n: item.name, of: total}), sep)")).toEqual(["users", "total", "sep"]);
    expect(namesIn('filter(users, "item.age > limit and index > 0")')).toEqual(["users", "limit"]);
    expect(namesIn("if(not a or b == [c], {k: d}, e.f)")).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("counts item, index and current only where they are bound", () => {
    expect(namesIn("pipeline(item.x, [trim(current), join([current, item])])")).toEqual(["item", "item"]);
    expect(namesIn("map(item.rows, item.x)")).toEqual(["item"]);
    expect(namesIn("sort(key_path=item.a, array=current)")).toEqual(["current"]);
    expect(namesIn("if(item.a, index, current)")).toEqual(["item", "index", "current"]);
    expect(namesIn("map(xs, if(item.a, item.b, other))")).toEqual(["xs", "other"]);
    expect(namesIn("unknown(item)")).toEqual(["item"]);
  });
});

describe("references and calls", () => {
  it("are found everywhere, in order", () => {
    const tree = parsed('if("REF:a.b == 1", map(REF:c.d, {x: REF:e.f}), [REF:g.h, not REF:i.j])');
    expect(references(tree).map(({ text }) => text)).toEqual([
      "REF:a.b",
      "REF:c.d",
      "REF:e.f",
      "REF:g.h",
      "REF:i.j",
    ]);
  });

  it("come with their positions", () => {
    const text = "join(nope(xs), 'x')";
    expect(callsOf(parsed(text)).map(({ name, from, to }) => [name, text.slice(from, to)])).toEqual([
      ["join", text],
      ["nope", "nope(xs)"],
    ]);
  });
});
