import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalJson, type Json } from "../base/json.ts";
import { failureOf, resultOf } from "./fixture.ts";

const order = {
  id: 7,
  lines: [{ sku: "a", price: 2 }, { sku: "b", price: 3, tags: ["x"] }, { sku: "c" }],
  note: null,
};

describe("values", () => {
  it("takes names, paths, references, templates and lists with their types", () => {
    expect(resultOf("order.lines.length", { order })).toBe(3);
    expect(resultOf("order.lines.*.price", { order })).toEqual([2, 3]);
    expect(resultOf("m.*.*", { m: [[1], [2, 3]] })).toEqual([1, 2, 3]);
    expect(resultOf("m.*.a.*.b", { m: [{ a: [{ b: 1 }] }, { c: 0 }, { a: [{ b: 2 }, {}] }] })).toEqual([
      1, 2,
    ]);
    expect(resultOf("REF:arguments.flag", {}, { arguments: { flag: false } })).toBe(false);
    expect(resultOf('{a: [order.id, null], "b c": {d: "order.id"}}', { order })).toEqual({
      a: [7, null],
      "b c": { d: "order.id" },
    });
  });

  it("keeps a key called __proto__ data", () => {
    const made = resultOf('{"__proto__": {polluted: 1}}');
    expect(Object.keys(made as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(failureOf("order.constructor", { order })).toContain("Attribute not found");
  });

  it("does not look into data for references or code", () => {
    const data = "REF:arguments.secret";
    expect(resultOf("map(xs, item)", { xs: [data, "sum(item)"] }, { arguments: { secret: 1 } })).toEqual([
      data,
      "sum(item)",
    ]);
    expect(resultOf("map(xs, template)", { xs: [1], template: "item.x" })).toEqual(["item.x"]);
  });
});

describe("what is missing", () => {
  it("is a MappingError that says what is there", () => {
    expect(failureOf("order.lins", { order })).toBe(
      'Attribute not found: "order.lins": the value has no key "lins" (it has id, lines, note).',
    );
    expect(failureOf("map(order.lines, item.price)", { order })).toBe(
      'map, item 2: Attribute not found: "item.price": the value has no key "price" (it has sku).',
    );
    expect(failureOf("order.note.x", { order })).toContain("is null");
    expect(failureOf("order.id.*", { order })).toContain("not a list");
  });

  it("suggests the variable or function that was meant", () => {
    expect(failureOf("join(undefined_var, ', ')")).toBe('There is no variable called "undefined_var".');
    expect(failureOf("odrer.id", { order })).toContain(
      'There is no variable called "odrer". Did you mean "order"?',
    );
    expect(failureOf("mapp(order, 1)", { order })).toBe(
      'There is no function called "mapp". Did you mean "map"?',
    );
  });

  it("is null in conditions, of names, paths and references alike", () => {
    expect(resultOf("filter(order.lines, item.price > 2)", { order })).toEqual([order.lines[1]]);
    expect(resultOf("filter(order.lines, item.tags.first == null)", { order })).toHaveLength(2);
    expect(resultOf("if(nowhere, 1, 2)")).toBe(2);
    expect(resultOf("if(REF:a.b == null, 1, 2)")).toBe(1);
    expect(resultOf("if(get_object_property(order, 'x.y'), 1, 2)", { order })).toBe(2);
  });

  it("is an error again in a template inside a condition, and in what a condition chooses", () => {
    expect(failureOf("if(map(order.lines, item.price), 1, 2)", { order })).toContain("map, item 2");
    expect(failureOf("if(true, order.x, 2)", { order })).toContain("Attribute not found");
    expect(failureOf("order.x == 1", { order })).toContain("Attribute not found");
  });
});

describe("conditions", () => {
  it("compare exactly, and order numbers only", () => {
    const yes = ["1 == 1.0", '"a" != "b"', "[1, {a: 2}] == [1, {a: 2}]", "2 > 1", "1 <= 1", "null == null"];
    const no = ["1 == true", '"5" == 5', '"b" > "a"', '"5" > 4', "null < 1", "true >= false", "[1] == [2]"];
    for (const text of yes) expect([text, resultOf(text)]).toEqual([text, true]);
    for (const text of no) expect([text, resultOf(text)]).toEqual([text, false]);
  });

  it("take null, false, 0, empty strings and empty lists for no, and all else for yes", () => {
    for (const text of ["null", "false", "0", '(nothing == null and "")', "[]"])
      expect(resultOf(`not not ${text}`, { nothing: null })).toBe(false);
    for (const text of ["true", "-1", '"0"', "[0]", "{}"]) expect(resultOf(`not not ${text}`)).toBe(true);
  });

  it("stop where the answer is known", () => {
    expect(resultOf("false and nowhere")).toBe(false);
    expect(resultOf("true or nowhere")).toBe(true);
    expect(resultOf("not (1 == 2) and (false or 3 >= 2)")).toBe(true);
  });

  it("agree with equality of JSON values", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(resultOf("a == b", { a: a as Json, b: b as Json })).toBe(equalJson(a as Json, b as Json));
        expect(resultOf("a != a", { a: a as Json })).toBe(false);
      }),
    );
  });
});

describe("scopes", () => {
  it("let inner items hide outer ones, and show what is around", () => {
    const rows = [
      { n: 1, cells: [10, 20] },
      { n: 2, cells: [30] },
    ];
    expect(resultOf("map(rows, sum(item.cells))", { rows })).toEqual([30, 30]);
    expect(
      resultOf("map(rows, map(item.cells, {cell: item, of: rows.length, index: index}))", { rows }),
    ).toEqual([
      [
        { cell: 10, of: 2, index: 0 },
        { cell: 20, of: 2, index: 1 },
      ],
      [{ cell: 30, of: 2, index: 0 }],
    ]);
    expect(resultOf("map(rows, pipeline(item.n, [{n: item.n, so_far: current}]))", { rows })).toEqual([
      { n: 1, so_far: 1 },
      { n: 2, so_far: 2 },
    ]);
  });

  it("leave item, index and current to the context outside of them", () => {
    expect(resultOf("[item, index, current]", { item: 1, index: 2, current: 3 })).toEqual([1, 2, 3]);
    expect(failureOf("item.x")).toContain('no variable called "item"');
  });
});
