import { folderWith } from "./run-cli.ts";

/** Tools that note their calls in `calls.txt`, so that a test sees what was called, in any process. */
const TOOLS = `
import { appendFileSync, existsSync } from "node:fs";
const note = (name) => appendFileSync(new URL("calls.txt", import.meta.url), name + "\\n");

export function list({ n }) { note("list"); return { items: Array.from({ length: n ?? 3 }, (_, i) => i + 1) }; }
export function double({ item }) { return { value: item * 2 }; }
export function add({ values }) { note("add"); return { total: values.reduce((sum, value) => sum + value, 0) }; }
export function fail() { note("fail"); throw new Error("card declined"); }
export function talk(_, { log }) { console.log("a tool talks"); log("and logs", { n: 1 }); return "said"; }
/** Hangs until there is a file called go. */
export async function hang() {
  note("hang");
  if (existsSync(new URL("go", import.meta.url))) return "gone";
  console.log("hanging");
  await new Promise((resolve) => setTimeout(resolve, 1e6));
}
/** Fails until there is a file called go. */
export function recover() {
  note("recover");
  if (!existsSync(new URL("go", import.meta.url))) throw new Error("not yet");
  return { ok: true };
}
export const send = {
  name: "send",
  input: {
    type: "object",
    properties: {
      to: { type: "string", description: "Whom to write to" },
      copies: { type: "integer", description: "How many", minimum: 1 },
      urgent: { type: "boolean", description: "Is it urgent?" },
      tone: { enum: ["kind", "firm"], description: "How to say it" },
    },
  },
  run: (params) => { note("send"); return params; },
};
`;

const sum = {
  name: "sum",
  arguments: [{ name: "n", type_name: "number", required: false, default_value: 3 }],
  instructions: [
    {
      execution_id: "list",
      agent_definition: { system_event_endpoint: "list" },
      arguments: { n: "REF:arguments.n" },
    },
    {
      execution_id: "work",
      agent_definition: {
        arguments: [{ name: "item", type_name: "number" }],
        instructions: [
          {
            execution_id: "inner",
            agent_definition: { system_event_endpoint: "double" },
            arguments: { item: "REF:arguments.item" },
          },
        ],
        response_reference_map: { value: "REF:inner.value" },
      },
      parallel_execution: { iterate_over: "REF:list.items", child_argument_name: "item" },
    },
    {
      execution_id: "add",
      agent_definition: { system_event_endpoint: "add" },
      arguments: { values: "REF:work.response[*].value" },
    },
    {
      execution_id: "never",
      agent_definition: { system_event_endpoint: "fail" },
      conditions: [{ param: "REF:add.total", operator: "less_than", value: 0 }],
    },
  ],
  response_reference_map: { total: "REF:add.total" },
};

/** A folder with plans for everything that can happen to a run. */
export function sampleProject(): string {
  return folderWith({
    "sequitur.config.json": { tools: ["tools.mjs"] },
    "tools.mjs": TOOLS,
    "sum.agent.json": sum,
    "fails.plan.json": [
      { id: "pay", tool: "fail", policy: { retries: 1, backoff: { base_ms: 1 } } },
      { id: "ship", tool: "list", arguments: { order: "{{pay.result.id}}" } },
      { id: "other", tool: "list", dependencies: [] },
    ],
    "asks.plan.json": [
      {
        id: "mail",
        tool: "send",
        arguments: {
          to: "{{PLACEHOLDER_to}}",
          copies: "{{PLACEHOLDER_copies}}",
          urgent: "{{PLACEHOLDER_urgent}}",
          tone: "{{PLACEHOLDER_tone}}",
        },
      },
    ],
    "confirms.plan.json": [
      { id: "first", tool: "list" },
      {
        id: "risky",
        intent: "Change the world",
        tool: "list",
        requires_confirmation: true,
        dependencies: ["first"],
      },
    ],
    "talks.plan.json": [{ id: "talk", tool: "talk" }],
    "hangs.plan.json": [
      { id: "before", tool: "list" },
      { id: "hang", tool: "hang", dependencies: ["before"] },
    ],
    "tall.plan.json": Array.from({ length: 20 }, (_, i) => {
      return { id: `step_number_${i}`, tool: "hang", dependencies: i === 0 ? [] : [`step_number_${i - 1}`] };
    }),
    "recovers.plan.json": [
      { id: "before", tool: "list" },
      { id: "recover", tool: "recover", dependencies: ["before"] },
    ],
    "steps.plan.json": {
      steps: [
        { tool: "list", params: { n: 2 } },
        { tool: "add", params: { values: "${step[0].data.items}" } },
      ],
    },
    "outer.workflow.json": {
      context_variables: { runtime_variables: [{ name: "x", default: 1 }] },
      plan: "talks.plan.json",
    },
  });
}
