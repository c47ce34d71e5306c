/* Every example in the documents that is a plan, or a step that can be put into one, compiles as it stands there. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/dialects/compile.ts";
import { documentExamples } from "./document-examples.ts";

const examples = documentExamples();

describe.skipIf(examples.length === 0)("examples of the documents", () => {
  test("are found", () => {
    expect(examples.length).toBeGreaterThan(30);
  });

  test.each(examples)("$title", ({ plan }) => {
    expect(compile(JSON.stringify(plan, null, 2)).diagnostics).toEqual([]);
  });
});
