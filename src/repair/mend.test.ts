import { describe, expect, test } from "vitest";
import { compile, type Json, repairPlan } from "../compiler.ts";

const object = (properties: Record<string, Json>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});
const text = { type: "string" };
const number = { type: "number" };

const tools = {
  search: { input: object({ town: text }), output: object({ id: text, count: number }) },
  book: { input: object({ room: text, nights: number }), output: object({ price: number }) },
  pay: { input: object({ amount: number }), output: object({ receipt: text }) },
};

const search = { id: "s1", tool: "search", arguments: { town: "Ulm" } };
const book = {
  id: "s2",
  tool: "book",
  arguments: { room: "{{s1.result.id}}", nights: "{{s1.result.count}}" },
};
const pay = { id: "s3", tool: "pay", arguments: { amount: "{{s2.result.price}}" } };

function mended(plan: Json): { plan: Json; guesses: readonly string[]; ok: boolean } {
  const { text, guesses, result } = repairPlan(JSON.stringify(plan), { tools });
  return { plan: JSON.parse(text) as Json, guesses, ok: result.program !== undefined };
}

describe("a plan with one mistake is repaired where only one thing can be meant", () => {
  test("a step that was renamed, and is referred to by its old name in two places", () => {
    const { plan, guesses, ok } = mended([{ ...search, id: "first_search" }, book, pay]);
    expect(ok).toBe(true);
    expect(guesses).toEqual([`refer to "first_search"`]);
    expect(plan).toEqual([
      { ...search, id: "first_search" },
      { ...book, arguments: { room: "{{first_search.result.id}}", nights: "{{first_search.result.count}}" } },
      pay,
    ]);
  });

  test("an argument that is missing, and a result that nobody uses", () => {
    expect(mended([search, book, { ...pay, arguments: {} }])).toEqual({
      plan: [search, book, pay],
      guesses: [`make "amount" {{s2.result.price}}`],
      ok: true,
    });
  });

  test("an argument under a name that nobody asked for", () => {
    const { plan } = mended([search, { ...book, arguments: { chamber: "4", nights: 2 } }, pay]);
    expect(plan).toEqual([search, { ...book, arguments: { room: "4", nights: 2 } }, pay]);
  });

  test("two arguments in each other's place, and a number as text", () => {
    const swapped = { ...book, arguments: { room: 2, nights: "{{s1.result.id}}" } };
    expect(mended([search, swapped, pay]).plan).toEqual([
      search,
      { ...book, arguments: { room: "{{s1.result.id}}", nights: 2 } },
      pay,
    ]);
    const quoted = { ...book, arguments: { room: "{{s1.result.id}}", nights: "2" } };
    expect(mended([search, quoted, pay]).plan).toEqual([
      search,
      { ...book, arguments: { room: "{{s1.result.id}}", nights: 2 } },
      pay,
    ]);
  });

  test("a circle, where one step refers to a later one", () => {
    const closing = { ...search, arguments: { town: "Ulm", after: "{{s3.result.receipt}}" } };
    expect(mended([closing, book, pay])).toEqual({
      plan: [search, book, pay],
      guesses: [`remove "after" of "s1"`],
      ok: true,
    });
  });

  test("step plans that count from 1", () => {
    const { text, result } = repairPlan(
      JSON.stringify({
        steps: [
          { tool: "search", params: { town: "Ulm" } },
          { tool: "book", params: { room: "${step[1].data.id}", nights: 2 } },
          { tool: "pay", params: { amount: "${step[2].data.price}" } },
        ],
      }),
      { tools },
    );
    expect(result.program).toBeDefined();
    expect(text).toContain("${step[0].data.id}");
    expect(text).toContain("${step[1].data.price}");
  });
});

describe("nothing is made up", () => {
  test("where a constant is missing", () => {
    const { ok, plan } = mended([{ ...search, arguments: {} }, book, pay]);
    expect(ok).toBe(false);
    expect(plan).toEqual([{ ...search, arguments: {} }, book, pay]);
  });

  test("where two steps could be meant", () => {
    const two = [search, { ...search, id: "other" }, { ...book, arguments: { nights: 1 } }];
    expect(mended(two)).toEqual({ plan: two, guesses: [], ok: false });
  });
});

test("problems of an agent that the plan uses are not repaired in the plan", () => {
  const agents = {
    "/x.agent": JSON.stringify({
      instructions: [
        {
          execution_id: "a",
          agent_definition_path: "/agents/core/math.agent",
          argumnets: { expression: "1" },
        },
      ],
    }),
  };
  const plan = JSON.stringify({
    instructions: [{ execution_id: "a", agent_definition_path: "/x.agent", argumnets: {} }],
  });
  const { text, fixed } = repairPlan(plan, { agents });
  expect(fixed).toBe(1);
  expect(text).toBe(plan.replace("argumnets", "arguments"));
});

test("choices are listed only for those who ask, and never as fixes that are applied unseen", () => {
  const source = [{ ...search, id: "first_search" }, book, pay];
  expect(compile(source, { tools }).diagnostics.filter(({ choices }) => choices !== undefined)).toEqual([]);
  const { diagnostics } = compile(source, { tools, choices: true });
  expect(diagnostics[0]?.choices?.map(({ title }) => title)).toContain(`refer to "first_search"`);
  expect(diagnostics[0]?.fix).toBeUndefined();
});
