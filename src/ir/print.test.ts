import { describe, expect, it } from "vitest";
import type { Json } from "../base/json.ts";
import { type CompileOptions, compile } from "../dialects/compile.ts";
import { printProgram } from "./print.ts";

function printed(source: Json, options: CompileOptions = {}): string {
  const { program, diagnostics } = compile(source, options);
  if (program === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return printProgram(program);
}

/** The same plan three times: each step refers to the one before. */
const inSteps: Json = {
  name: "reply",
  steps: [
    { tool: "find_person", params: { filters: { name: "John", tags: ["a", 1] } } },
    {
      tool: "list_mails",
      params: { from: "${step[0].data.people[0].email}" },
      conditions: [{ param: "${step[0].data.people.length}", operator: "greater_than", value: 0 }],
      policy: { retries: 2, timeout_ms: 500, optional: true },
    },
    {
      tool: "send",
      params: { to: "${step[1].data[0].from}", body: "Hi ${step[1].data[0].name}!" },
      requires_confirmation: true,
    },
  ],
};

const inActions: Json = {
  name: "reply",
  plan: [
    { id: "0", tool: "find_person", arguments: { filters: { name: "John", tags: ["a", 1] } } },
    {
      id: "1",
      tool: "list_mails",
      arguments: { from: "{{0.result.people[0].email}}" },
      conditions: { param: "{{ 0.result.people.length }}", operator: "greater_than", value: 0 },
      policy: { retries: 2, timeout_ms: 500, optional: true },
    },
    {
      id: "2",
      tool: "send",
      arguments: { to: "{{1.result[0].from}}", body: "Hi {{1.result[0].name}}!" },
      requires_confirmation: true,
    },
  ],
};

describe("one plan in three languages", () => {
  const inAgent: Json = {
    name: "reply",
    instructions: [
      {
        execution_id: "0",
        agent_definition: { system_event_endpoint: "find_person" },
        arguments: { filters: { name: "John", tags: ["a", 1] } },
      },
      {
        execution_id: "1",
        agent_definition: { system_event_endpoint: "list_mails" },
        arguments: { from: "REF:0.people[0].email" },
        conditions: [
          {
            logic: "and",
            conditions: [{ param: "REF:0.people.length", operator: "greater_than", value: 0 }],
          },
        ],
        policy: { retries: 2, timeout_ms: 500, optional: true },
      },
    ],
  };

  /** The language of agents has no references inside texts, so its plan ends before the last step. */
  function withoutLast(plan: Json, key: string): Json {
    const object = plan as Record<string, Json>;
    return { ...object, [key]: (object[key] as readonly Json[]).slice(0, -1) };
  }

  it("prints the same text from step plans and action plans", () => {
    expect(printed(inActions)).toBe(printed(inSteps));
  });

  it("prints the same text from all three", () => {
    expect(printed(inAgent)).toBe(printed(withoutLast(inSteps, "steps")));
    expect(printed(inAgent)).toBe(printed(withoutLast(inActions, "plan")));
  });

  it("prints what the plan means", () => {
    expect(printed(inSteps)).toBe(`plan "reply"

step 0
  call find_person
  with { filters: { name: "John", tags: ["a", 1] } }

step 1
  call list_mails
  with { from: @0.people[0].email }
  when @0.people.length greater_than 0
  retries 2, timeout 500 ms, optional

step 2
  call send
  with { to: @1[0].from, body: "Hi " ++ @1[0].name ++ "!" }
  confirm
`);
  });
});

describe("what only some plans have", () => {
  it("prints needs that no reference implies", () => {
    const text = printed({ steps: [{ tool: "a" }, { tool: "b" }, { tool: "c", dependsOn: [0] }] });
    expect(text).toContain("step 1\n  call b\n  after 0\n");
    expect(text).toContain("step 2\n  call c\n  after 0 succeeded, 1\n");
  });

  it("prints questions, groups of conditions, repetition and backoff", () => {
    const text = printed([
      {
        id: "ask",
        intent: "Ask until it is done",
        tool: "chat",
        arguments: { text: "{{PLACEHOLDER_text}}", last: "{{self.previous.reply}}", "odd key": 1 },
        conditions: {
          logic: "OR",
          conditions: [
            { param: "{{context.ready}}", operator: "equals", value: true },
            {
              conditions: [
                { param: 1, operator: "less_than", value: 2 },
                { param: null, operator: "exists" },
              ],
            },
          ],
        },
        repeat: { until: [{ param: "{{ask.result.done}}", operator: "equals", value: true }], max: 5 },
        policy: { retries: 1, backoff: { base_ms: 5, jitter: false } },
      },
    ]);
    expect(text).toBe(`plan

step ask
  intent "Ask until it is done"
  call chat
  with { text: ?text, last: previous.reply, "odd key": 1 }
  when context.ready equals true or (1 less_than 2 and null exists)
  repeat until @ask.done equals true, at most 5 turns
  retries 1, backoff 5 ms × 2 up to 10000 ms without jitter
`);
  });

  it("prints agents with what they take, give and transform", () => {
    const text = printed(
      {
        arguments: [
          { name: "files", type_name: "list" },
          {
            name: "depth",
            type_name: "string",
            required: false,
            default_value: "quick",
            enum: ["quick", "deep"],
          },
        ],
        responses: [{ name: "summary", type_name: "string" }],
        instructions: [
          {
            execution_id: "read",
            agent_definition_path: "/agents/read.agent",
            parallel_execution: {
              iterate_over: "REF:arguments.files",
              child_argument_name: "file",
              max_concurrency: 4,
              on_error: "collect",
            },
          },
          {
            execution_id: "clean_up",
            agent_definition: { system_event_endpoint: "remove" },
            arguments: { status: "REF:read.status" },
            dependencies: ["read"],
            transform_arguments: {
              variables: { all: "REF:read.response" },
              transforms: { names: "join(map(all, item.name), ', ')", fixed: [1, "REF:arguments.depth"] },
            },
          },
        ],
        response_reference_map: { summary: "REF:arguments.depth" },
      },
      {
        agents: {
          "/agents/read.agent": {
            arguments: [{ name: "file", type_name: "string", regex_pattern: "^/" }],
            instructions: [{ execution_id: "open", agent_definition: { system_event_endpoint: "open" } }],
          },
        },
      },
    );
    expect(text).toBe(`plan
  takes (files: list, depth?: string in ["quick", "deep"] = "quick")
  gives (summary: string)

step read
  call agent /agents/read.agent
  for each file in arguments.files, 4 at once, collecting errors

step clean_up
  call remove
  with { status: @read!status }
  after read settled
  transform arguments
    let all = value @read
    set names = join(map(all, item.name), ", ")
    set fixed = value [1, arguments.depth]

respond { summary: arguments.depth }

agent /agents/read.agent
  takes (file: string matching "^/")

step open
  call open
`);
  });

  it("prints the context variables of a workflow", () => {
    const text = printed({
      name: "onboarding",
      context_variables: {
        defined_variables: [
          {
            name: "user_name",
            type: "string",
            required: true,
            database: { collection: "users", search_by: { id: 7 }, field: "name" },
          },
        ],
        runtime_variables: [{ name: "turns", type: "number", default: 0 }],
        derived_variables: [
          {
            name: "done",
            triggers: [
              { type: "agent_text", agent: "chat", match: { equals: "TERMINATE" } },
              {
                type: "tool_response",
                tool: "chat",
                conditions: [{ param: "REF:response.ok", operator: "equals", value: true }],
              },
            ],
          },
        ],
      },
      plan: [{ id: "a", tool: "chat", arguments: { name: "{{context.user_name}}" } }],
    });
    expect(text).toBe(`plan "onboarding"

step a
  call chat
  with { name: context.user_name }

context
  defined user_name: string from users.name where { id: 7 }, required
  runtime turns: number = 0
  derived done = false
    true on agent_text { agent: "chat", match: { equals: "TERMINATE" } }
    true on tool_response { tool: "chat" } when event.ok equals true
`);
  });
});
