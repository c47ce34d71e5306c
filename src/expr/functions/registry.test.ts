import { describe, expect, it } from "vitest";
import { builtInFunctionList, builtInFunctions } from "./registry.ts";

const LANGUAGE =
  `map sum join filter sort group_by unique flatten if pipeline get_object_property json_parse create_object
  datetime_now length first last keys values lower upper trim split round min max avg`.split(/\s+/);

describe("the functions of the language", () => {
  it("are those that the language names", () => {
    expect([...builtInFunctions.keys()].sort()).toEqual(LANGUAGE.sort());
  });

  it.each(builtInFunctionList)(
    "$name declares optional parameters last, and results that speak of its parameters",
    (fn) => {
      const firstOptional = fn.parameters.findIndex((p) => p.optional);
      if (firstOptional >= 0) expect(fn.parameters.slice(firstOptional).every((p) => p.optional)).toBe(true);
      const named = typeof fn.result === "string" ? [] : Object.values(fn.result).flat();
      for (const name of named) expect(fn.parameters.map((p) => p.name)).toContain(name);
    },
  );
});
