import type { Json } from "../../../src/base/json.ts";
import { when } from "../../scene.ts";
import type { Workload } from "../play.ts";
import { TOOLS } from "./tools.ts";

const of = (title: string, plan: Json, more: Partial<Workload> = {}): Workload => ({
  title,
  plan,
  tools: TOOLS,
  ...more,
});

const STEP_WORKLOADS: readonly Workload[] = [
  of("steps: a chain, with parallel ones and an optional failure", {
    requestId: "r-1",
    steps: [
      { tool: "give", params: { value: [{ id: "f" }] } },
      { tool: "late", params: { turns: 6, value: "${step[0].data[0].id}" }, parallel: true },
      { tool: "late", params: { turns: 1, value: "of ${step[0].data}" }, parallel: true },
      { tool: "fail", optional: true, parallel: true },
      { tool: "echo", params: { x: "${step[1].data.value}", y: "${step[2].data}" }, dependsOn: [0] },
      { tool: "echo", dependsOn: [3], optional: true },
    ],
  }),
  of("steps: retries on the clock, with jitter", {
    steps: [
      { tool: "flaky", params: { times: 2 }, retryCount: 3 },
      { tool: "flaky", params: { times: 9 }, retryCount: 2, optional: true },
      { tool: "echo", params: { x: "${step[0].data.value}" } },
    ],
  }),
  of("steps: a timeout", {
    steps: [{ tool: "silent", timeout: 250, retryCount: 1, optional: true }, { tool: "key" }],
  }),
  of("steps: a failure in the middle", {
    steps: [{ tool: "key" }, { tool: "fail", params: { code: "E7" } }, { tool: "echo" }],
  }),
  of("steps: a skipped one", {
    steps: [
      { tool: "give", params: { value: 1 } },
      { tool: "echo", conditions: [when("${step[0].data}", "equals", 2)] },
      { tool: "echo", params: { x: "${step[1].data.y}" }, dependsOn: [1] },
    ],
  }),
];

const ACTION_WORKLOADS: readonly Workload[] = [
  of("actions: in any order", [
    { id: "c", tool: "echo", arguments: { x: "{{b.result.sum}} of {{a.result}}" } },
    { id: "b", tool: "add", arguments: { a: "{{a.result.n}}", b: 2 } },
    { id: "a", tool: "give", arguments: { value: { n: 40 } } },
  ]),
  of(
    "actions: questions, all at first",
    [
      { id: "a", tool: "echo", arguments: { name: "{{PLACEHOLDER_name}}", age: "{{PLACEHOLDER_age}}" } },
      { id: "b", tool: "echo", arguments: { x: "{{a.result.age}}", trick: "{{PLACEHOLDER_trick}}" } },
    ],
    { answers: { name: "Ida", age: 41, trick: "{{a.result}}" } },
  ),
  of(
    "actions: questions while others run",
    [
      { id: "a", tool: "give", arguments: { value: 1 } },
      { id: "b", tool: "add", arguments: { a: "{{a.result}}", b: "{{PLACEHOLDER_n}}" } },
      { id: "c", tool: "echo", arguments: { x: "{{a.result}}" } },
    ],
    { answers: { n: 2 }, options: { eager: true } },
  ),
  of(
    "actions: a yes and a no",
    [
      { id: "a", tool: "give", requires_confirmation: true, arguments: { value: 1 } },
      { id: "b", tool: "echo", requires_confirmation: true, arguments: { x: "{{a.result}}" } },
      { id: "c", tool: "echo", arguments: { x: "{{b.result}}" } },
      { id: "d", tool: "key" },
    ],
    { answers: { a: true, b: false } },
  ),
  of("actions: a question that nobody answers", [
    { id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } },
    { id: "b", tool: "key" },
  ]),
  of("actions: data that looks like code", [
    {
      id: "a",
      tool: "give",
      arguments: { value: { s: "\\{{b.result}}", t: "${step[0].data} REF:a.b \u0000 \ud800", __proto__: 1 } },
    },
    { id: "b", tool: "echo", arguments: { x: "{{a.result}}", y: "{{a.result.s}}!" } },
  ]),
  of("actions: dependents of a failure", [
    { id: "a", tool: "fail" },
    { id: "b", tool: "echo", arguments: { x: "{{a.result}}" } },
    { id: "c", tool: "key" },
  ]),
  of("actions: a path that is not there", [
    { id: "a", tool: "give", arguments: { value: { n: 1 } } },
    { id: "b", tool: "echo", arguments: { x: "{{a.result.m}}" } },
  ]),
  of("actions: waits, one inside the other's time", [
    { id: "a", tool: "sequitur.core.wait", arguments: { duration_ms: 60_000 } },
    { id: "b", tool: "sequitur.core.wait", arguments: { duration_ms: 1_000 } },
    { id: "c", tool: "sequitur.core.wait", arguments: { duration_ms: 500 }, dependencies: ["b"] },
    { id: "d", tool: "echo", arguments: { x: "{{a.result.waited_until}}", y: "{{c.result.waited_until}}" } },
  ]),
  of("actions: nothing to do", []),
];

const CONTEXT_WORKLOADS: readonly Workload[] = [
  of("context: an interview until it ends", {
    context_variables: {
      runtime_variables: [{ name: "mood", default: "calm" }],
      derived_variables: [
        {
          name: "over",
          triggers: [{ type: "agent_text", agent: "interview", match: { equals: "TERMINATE" } }],
        },
        { name: "late", triggers: [{ type: "timer_expired", after_ms: 5_000 }] },
        { name: "talkative", triggers: [{ type: "agent_turn_count", agent: "interview", at_least: 2 }] },
        { name: "moody", triggers: [{ type: "tool_response", tool: "remember", status: "succeeded" }] },
      ],
    },
    plan: [
      {
        id: "talk",
        tool: "interview",
        arguments: { asked: "{{self.previous.asked}}" },
        repeat: { until: [when("{{context.over}}", "equals", true)], max: 9 },
      },
      { id: "set", tool: "remember", arguments: { name: "mood", value: "{{talk.result}}" } },
      { id: "rest", tool: "sequitur.core.wait", arguments: { duration_ms: 9_000 }, dependencies: ["set"] },
      {
        id: "end",
        tool: "echo",
        arguments: { mood: "{{context.mood}}", late: "{{context.late}}" },
        dependencies: ["rest"],
      },
    ],
  }),
];

export const PLAN_WORKLOADS: readonly Workload[] = [
  ...STEP_WORKLOADS,
  ...ACTION_WORKLOADS,
  ...CONTEXT_WORKLOADS,
];
