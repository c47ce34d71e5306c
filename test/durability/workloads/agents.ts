import type { Json, JsonObject } from "../../../src/base/json.ts";
import { agent, call, field, when } from "../../scene.ts";
import type { Workload } from "../play.ts";
import { TOOLS } from "./tools.ts";

const of = (title: string, plan: Json, more: Partial<Workload> = {}): Workload => ({
  title: `agent: ${title}`,
  plan,
  tools: TOOLS,
  ...more,
});

const each = (list: Json, more: JsonObject = {}): JsonObject => ({
  parallel_execution: { iterate_over: list, child_argument_name: "item", ...more },
});

const failing = (id: string, args: JsonObject = {}): JsonObject => call(id, "fail", args);

/** Reads a word, and its length where it is long. */
const reader: JsonObject = agent(
  [
    call("read", "echo", { word: "REF:arguments.item" }),
    call(
      "measure",
      "give",
      { value: { length: 5 } },
      { conditions: [when("REF:read.word", "starts_with", "l")] },
    ),
    call("end", "key", {}, { dependencies: ["measure"] }),
  ],
  {
    arguments: [field("item", "string")],
    response_reference_map: {
      word: "REF:read.word",
      key: "REF:end.idempotencyKey",
      length: "REF:measure.length",
    },
  },
);

export const AGENT_WORKLOADS: readonly Workload[] = [
  of(
    "a chain with transforms",
    agent(
      [
        call("a", "give", { value: { rows: [{ n: 2 }, { n: 5 }], unit: "kg" } }),
        call(
          "b",
          "echo",
          { rows: "REF:a.rows" },
          { transform_arguments: { transforms: { total: "sum(rows, item.n)" } } },
        ),
        call(
          "c",
          "echo",
          { total: "REF:b.total", unit: "REF:a.unit", at: "x" },
          {
            transform_results: { transforms: { text: "join([unit, at], ': ')", now: "datetime_now()" } },
          },
        ),
      ],
      { response_reference_map: { text: "REF:c.text", total: "REF:c.total", now: "REF:c.now" } },
    ),
  ),
  of(
    "a diamond whose sides answer in another order",
    agent(
      [
        call("top", "give", { value: { n: 1 } }),
        call("left", "late", { turns: 9, value: "REF:top.n" }),
        call("right", "late", { turns: 2, value: "REF:top.n" }),
        call("bottom", "add", { a: "REF:left.value", b: "REF:right.value" }),
      ],
      { response_reference_map: { sum: "REF:bottom.sum" } },
    ),
  ),
  of(
    "a fan-out with a limit, and one over nothing",
    agent(
      [
        call(
          "x",
          "late",
          { turns: "REF:arguments.none" },
          {
            ...each([7, 1, 5, 3, 2], { child_argument_name: "turns", max_concurrency: 2 }),
            arguments: {},
          },
        ),
        call("empty", "echo", {}, each([])),
        call("sum", "echo", { values: "REF:x.response.*.value", none: "REF:empty.response" }),
      ],
      {
        arguments: [field("none", "any", { required: false })],
        response_reference_map: { values: "REF:sum.values", none: "REF:sum.none" },
      },
    ),
  ),
  of(
    "a fan-out that collects its failures, with retries",
    agent(
      [
        call(
          "x",
          "flaky",
          {},
          {
            ...each([0, 1, 2, 3], { child_argument_name: "times", on_error: "collect" }),
            policy: { retries: 2 },
          },
        ),
      ],
      { response_reference_map: { all: "REF:x.response" } },
    ),
  ),
  of(
    "a fan-out that fails",
    agent([call("x", "flaky", {}, each([0, 1, 0, 1], { child_argument_name: "times", max_concurrency: 1 }))]),
  ),
  of(
    "composites in composites, over a list",
    agent(
      [
        call("words", "give", { value: { list: ["long", "short", "last"] } }),
        { execution_id: "outer", agent_definition: reader, ...each("REF:words.list") },
        {
          execution_id: "once",
          agent_definition: agent(
            [{ execution_id: "inner", agent_definition: reader, arguments: { item: "lone" } }],
            {
              response_reference_map: { all: "REF:inner.word" },
            },
          ),
        },
      ],
      { response_reference_map: { words: "REF:outer.response", once: "REF:once.all" } },
    ),
    { concurrency: 3 },
  ),
  of(
    "conditions, and what is skipped with them",
    agent([
      call("a", "give", { value: { n: 3 } }),
      call("big", "echo", { n: "REF:a.n" }, { conditions: [when("REF:a.n", "greater_than", 10)] }),
      call(
        "small",
        "echo",
        { n: "REF:a.n" },
        {
          conditions: [
            { logic: "OR", conditions: [when("REF:a.n", "less_than", 10), when("REF:big.n", "equals", 1)] },
          ],
        },
      ),
      call("both", "echo", { x: "REF:big.n", y: "REF:small.n" }),
    ]),
  ),
  of(
    "a failure that is handled, one that is not, and clean-up",
    agent([
      failing("task", { message: "no paper" }),
      call(
        "handler",
        "echo",
        { why: "REF:task.error_message" },
        { conditions: [when("REF:task.status", "equals", "failed")] },
      ),
      call("needs", "echo", { x: "REF:task.data" }),
      failing("other", { code: "OTHER" }),
      call("after", "echo", { x: "REF:other.data" }),
      call("tidy", "key", {}, { dependencies: ["other", "handler"] }),
    ]),
  ),
  of(
    "a failure that is handled, and the run that goes on",
    agent(
      [
        failing("task"),
        call(
          "handler",
          "give",
          { value: { ok: true } },
          { conditions: [when("REF:task.status", "equals", "failed")] },
        ),
        call("last", "echo", { ok: "REF:handler.ok" }),
      ],
      { response_reference_map: { ok: "REF:last.ok", none: "REF:task.data" } },
    ),
  ),
  of(
    "the continue mode",
    agent([
      failing("bad"),
      call("good", "give", { value: { n: 1 } }),
      call("after_bad", "echo", { x: "REF:bad.x" }),
      call("after_good", "echo", { x: "REF:good.n" }),
    ]),
    { options: { mode: "continue" } },
  ),
  of(
    "retries inside a composite, of a composite, and one that is given up",
    agent([
      {
        execution_id: "inside",
        agent_definition: agent([call("in", "flaky", { times: 2 }, { policy: { retries: 3 } })]),
      },
      {
        execution_id: "whole",
        agent_definition: agent([
          call("good", "key"),
          call("bad", "flaky", { times: 1 }),
          call("side", "late", { turns: 20 }),
        ]),
        policy: { retries: 2, backoff: { base_ms: 1_000, jitter: false }, optional: true },
      },
      {
        execution_id: "never",
        agent_definition: agent([call("in", "stubborn"), call("side", "give")]),
        policy: { retries: 1, optional: true },
      },
    ]),
  ),
  of(
    "files, read when they are needed",
    agent(
      [
        call(
          "find",
          "give",
          { value: { path: "/a.txt", paths: ["/a.txt", "/b.txt"] } },
          {
            definition: { responses: [field("path", "file"), field("paths", "list")] },
          },
        ),
        call("use", "echo", { text: "REF:find.path", name: "REF:find.path.file_name" }),
        call(
          "check",
          "echo",
          { text: "REF:use.text" },
          { conditions: [when("REF:find.path", "contains", "alpha")] },
        ),
      ],
      { response_reference_map: { text: "REF:check.text", name: "REF:use.name" } },
    ),
    { files: { "a.txt": "alpha, the first", "b.txt": "beta" } },
  ),
  of("a deadline", agent([call("a", "give"), call("b", "silent", {}, { dependencies: ["a"] })]), {
    options: { deadlineMs: 5_000 },
  }),
  of(
    "a run that is cancelled",
    agent([call("a", "give"), call("b", "silent", {}, { dependencies: ["a"] })]),
    { cancelAfterMs: 700 },
  ),
  of(
    "arguments with defaults, checked responses",
    agent(
      [
        call(
          "a",
          "echo",
          { n: "REF:arguments.n", s: "REF:arguments.s" },
          {
            definition: { responses: [field("n", "number"), field("s", "string")] },
          },
        ),
        call(
          "b",
          "give",
          { value: { n: "text" } },
          { definition: { responses: [field("n", "number")] }, policy: { retries: 1 } },
        ),
      ],
      { arguments: [field("n", "number"), field("s", "string", { required: false, default_value: "x" })] },
    ),
    { options: { arguments: { n: 4 } } },
  ),
];
