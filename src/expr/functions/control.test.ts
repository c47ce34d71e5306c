import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../fixture.ts";

describe("if", () => {
  it("evaluates only the branch it takes", () => {
    expect(resultOf("if(n > 1, 'many', nowhere)", { n: 2 })).toBe("many");
    expect(resultOf("if(condition=n == 1, true_value=nowhere, false_value='other')", { n: 2 })).toBe("other");
    expect(resultOf(`if("n == 2 and missing == null", "n", "m")`, { n: 2 })).toBe("n");
    expect(resultOf("if(false, 1)")).toBe(null);
  });
});

describe("pipeline", () => {
  it("hands each operation the value so far", () => {
    const operations =
      "[filter(current, item.n > 1), map(current, item.s), sort(current), join(current, ', ')]";
    const rows = [
      { n: 1, s: "a" },
      { n: 3, s: "c" },
      { n: 2, s: "b" },
    ];
    expect(resultOf(`pipeline(rows, ${operations})`, { rows })).toBe("b, c");
    expect(resultOf(`pipeline(initial_value=' x ', operations=["trim(current)", 'upper(current)'])`)).toBe(
      "X",
    );
    expect(resultOf("pipeline(5, [])")).toBe(5);
    expect(resultOf("pipeline([1, 2], [current.first, {n: current}])")).toEqual({ n: 1 });
    expect(resultOf("pipeline(null, [current])")).toBe(null);
  });

  it("takes operations from the plan only, never from data", () => {
    expect(failureOf("pipeline(1, ops)", { ops: ["upper(current)"] })).toContain("must be written out here");
  });
});
