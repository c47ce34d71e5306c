/*
 * Whatever came from an argument, a tool or a person is data for ever. Strings that look like references of all three
 * languages are put at every place where data can stand, and must come out as they went in.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { agent, call, field, scene } from "../scene.ts";

const LOOKALIKES = [
  "REF:src.secret",
  "REF:arguments.secret",
  "\\REF:src.secret",
  "\\\\REF:x",
  "REF:",
  "REF:nowhere.x",
  "${step[0].data}",
  "${step[0].data.secret}",
  "\\${step[0].data}",
  "${step[9",
  "${context.secret}",
  "{{src.result}}",
  "{{src.result.secret}}",
  "{{{src.result.secret}}}",
  "\\{{src.result}}",
  "{{PLACEHOLDER_secret}}",
  "{{a..b}}",
  "join(list, ', ')",
  "datetime_now()",
  "item.secret",
  "__proto__",
  "constructor",
  '","x":"',
  "$&$1$$",
];

const text = fc.oneof(
  fc.constantFrom(...LOOKALIKES),
  fc
    .tuple(fc.constantFrom(...LOOKALIKES), fc.string(), fc.constantFrom(...LOOKALIKES))
    .map((parts) => parts.join("")),
  fc.string({ unit: "grapheme" }),
);

/** Look-alikes as values and as keys, nested. */
const data: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const RUNS = 150;

const taken = { arguments: [field("v", "any", { required: false })] };

/** An agent in which the value goes through arguments, results, transforms, fan-outs, composites and response maps. */
const everywhere = agent(
  [
    call("src", "echo", { secret: "SECRET" }),
    call("from_argument", "echo", { v: "REF:arguments.v", deep: [{ v: "REF:arguments.v" }] }),
    call("from_tool", "echo", { v: "REF:from_argument.v" }),
    call(
      "items",
      "echo",
      {},
      { parallel_execution: { iterate_over: "REF:arguments.list", child_argument_name: "v" } },
    ),
    call(
      "literal_items",
      "echo",
      {},
      { parallel_execution: { iterate_over: ["REF:arguments.v"], child_argument_name: "v" } },
    ),
    {
      execution_id: "child",
      agent_definition: agent([call("inner", "echo", { v: "REF:arguments.v" })], {
        ...taken,
        response_reference_map: { v: "REF:inner.v" },
      }),
      arguments: { v: "REF:from_tool.v" },
    },
    call(
      "transformed",
      "echo",
      { v: "REF:child.v" },
      {
        transform_arguments: {
          variables: { w: "REF:child.v", list: ["REF:child.v"] },
          transforms: {
            w: "w",
            mapped: "map(list, {it: item})",
            made: "create_object('k', w)",
            ref: "REF:child.v",
            plain: { x: "REF:child.v" },
          },
        },
        transform_results: {
          variables: { r: "REF:response.w" },
          transforms: { again: "r", twice: "[r, REF:response.v]" },
        },
      },
    ),
    call("with_context", "echo", { v: "REF:context.v" }),
    call(
      "compared",
      "echo",
      {},
      { conditions: [{ param: "REF:arguments.v", operator: "equals", value: "REF:from_tool.v" }] },
    ),
  ],
  {
    arguments: [field("v", "any", { required: false }), field("list", "list")],
    response_reference_map: {
      argument: "REF:from_argument.v",
      deep: "REF:from_argument.deep[0].v",
      tool: "REF:from_tool.v",
      items: "REF:items.response",
      literal: "REF:literal_items.response[0].v",
      child: "REF:child.v",
      transformed: "REF:transformed",
      context: "REF:with_context.v",
      compared: "REF:compared.status",
    },
  },
);

test("in agents: arguments, results, items, children, transforms, context, response maps", {
  timeout: 60_000,
}, async () => {
  const plan = JSON.parse(
    JSON.stringify(everywhere).replace(
      '"REF:transformed"',
      '{"w":"REF:transformed.w","mapped":"REF:transformed.mapped","made":"REF:transformed.made","ref":"REF:transformed.ref","plain":"REF:transformed.plain","again":"REF:transformed.again","twice":"REF:transformed.twice"}',
    ),
  ) as JsonObject;
  const stage = await scene();
  await fc.assert(
    fc.asyncProperty(data, fc.array(data, { maxLength: 3 }), async (v, list) => {
      const result = await stage.run(plan, { arguments: { v, list }, context: { v } });
      expect(result.error).toBeUndefined();
      expect(result.response).toEqual({
        argument: v,
        deep: v,
        tool: v,
        items: list.map((item) => ({ v: item })),
        literal: v,
        child: v,
        transformed: {
          w: v,
          mapped: [{ it: v }],
          made: { k: v },
          ref: v,
          plain: { x: v },
          again: v,
          twice: [v, v],
        },
        context: v,
        compared: "completed",
      });
    }),
    { numRuns: RUNS },
  );
});

test("in step plans: results and text around them", { timeout: 60_000 }, async () => {
  const made: { value: Json } = { value: null };
  const stage = await scene({ make: () => made.value });
  const plan = {
    steps: [
      { tool: "make" },
      {
        tool: "echo",
        params: { whole: "${step[0].data}", deep: { list: ["${step[0].data}"] }, text: "<${step[0].data}>" },
      },
      { tool: "echo", params: { whole: "${step[1].data.whole}", text: "${step[1].data.text}" } },
    ],
  };
  await fc.assert(
    fc.asyncProperty(data, async (value) => {
      made.value = value;
      const { steps } = await stage.run(plan);
      const written = `<${typeof value === "string" ? value : JSON.stringify(value)}>`;
      expect(steps["1"]?.result).toEqual({ whole: value, deep: { list: [value] }, text: written });
      expect(steps["2"]?.result).toEqual({ whole: value, text: written });
    }),
    { numRuns: RUNS },
  );
});

test("in action plans: results, answers of people, and text around them", { timeout: 60_000 }, async () => {
  const made: { value: Json } = { value: null };
  const stage = await scene({ make: () => made.value });
  const plan = [
    { id: "src", tool: "make" },
    {
      id: "a",
      tool: "echo",
      arguments: {
        whole: "{{src.result}}",
        text: "<{{src.result}}>",
        said: "{{PLACEHOLDER_said}}",
        around: "({{PLACEHOLDER_said}})",
      },
    },
    {
      id: "b",
      tool: "echo",
      arguments: { all: ["{{a.result.whole}}", "{{a.result.said}}", "{{a.result.text}}"] },
    },
  ];
  await fc.assert(
    fc.asyncProperty(
      data,
      text.filter((said) => said.trim() !== ""),
      async (value, said) => {
        made.value = value;
        const { steps } = await stage.run(plan, { inputs: { said } });
        const written = `<${typeof value === "string" ? value : JSON.stringify(value)}>`;
        expect(steps.a?.result).toEqual({ whole: value, text: written, said, around: `(${said})` });
        expect(steps.b?.result).toEqual({ all: [value, said, written] });
      },
    ),
    { numRuns: RUNS },
  );
});

test("references in keys are not resolved", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([
      call("src", "echo", { x: 1 }),
      call("a", "echo", { "REF:src.x": "REF:src.x", o: { "{{src.result}}": 2 } }),
    ]),
  );
  expect(result.steps.a?.result).toEqual({ "REF:src.x": 1, o: { "{{src.result}}": 2 } });
});
