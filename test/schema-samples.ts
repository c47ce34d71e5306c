import type { Json } from "../src/compiler.ts";

const conditions: Json = [
  { param: 1, operator: "equals", value: 2 },
  { param: "x", operator: "exists" },
  { logic: "Or", conditions: [{ param: null, operator: "not_in", value: [1] }] },
];

const policy: Json = {
  retries: 2,
  backoff: { base_ms: 10, factor: 2, cap_ms: 100, jitter: false },
  timeout_ms: 50,
  optional: true,
  placement: "anywhere",
  description: "any",
};

const repeat: Json = { until: conditions, max: 3 };

const contextVariables: Json = {
  defined_variables: [
    {
      name: "user",
      type: "string",
      default: "x",
      required: true,
      database: { collection: "users", search_by: { id: 1 }, field: "name" },
    },
  ],
  runtime_variables: [{ name: "turns", type: "number", default: 0, metadata: {} }],
  derived_variables: [
    {
      name: "done",
      default: false,
      triggers: [
        { type: "agent_text", agent: "a", match: { equals: "TERMINATE", ignore_case: true } },
        { type: "agent_turn_count", agent: "a", at_least: 2 },
        { type: "tool_response", tool: "x", status: "failed", conditions: { param: 1, operator: "exists" } },
        { type: "timer_expired", after_ms: 100 },
        { type: "ui_response", question: "q" },
        { type: "function", source: "(event) => true" },
      ],
    },
  ],
};

const primitive: Json = { system_event_endpoint: "x" };

/** Plans that use every field there is. */
export const accepted = {
  agent: [
    {
      $schema: "agent.schema.json",
      name: "a",
      version: 3,
      dialect: "agent",
      description: "what it does",
      arguments: [
        {
          name: "mode",
          type_name: "string",
          required: false,
          default_value: "a",
          enum: ["a", "b"],
          regex_pattern: "^[ab]$",
          required_conditions: [{ param: 1, operator: "equals", value: 1 }],
        },
      ],
      responses: [{ name: "out" }],
      instructions: [
        {
          execution_id: "one",
          agent_definition: primitive,
          arguments: {},
          conditions,
          policy,
          repeat,
          requires_confirmation: true,
        },
        {
          execution_id: "two",
          agent_definition_path: "/x.agent",
          dependencies: ["one"],
          parallel_execution: {
            iterate_over: [1, 2],
            child_argument_name: "x",
            max_concurrency: 2,
            on_error: "collect",
          },
          transform_arguments: { variables: { v: 1 }, transforms: { w: 2 } },
          transform_results: { transforms: {} },
        },
        { execution_id: "three", tool_definition_path: "/x.tool", transform_responses: {} },
        { execution_id: "four", tool_definition: primitive },
      ],
      response_reference_map: { out: "REF:one.x" },
      context_variables: contextVariables,
    },
    { system_event_endpoint: "x", transform_responses: { variables: {}, transforms: {} } },
  ],
  steps: [
    {
      $schema: "steps.schema.json",
      requestId: "r",
      name: "n",
      version: "1",
      dialect: "steps",
      steps: [
        { tool: "a" },
        {
          tool: "b",
          params: { x: 1 },
          dependsOn: [0],
          parallel: true,
          optional: false,
          retryCount: 1,
          timeout: 10,
          conditions,
          policy,
          repeat,
          requires_confirmation: false,
        },
        { tool: "c", depends_on: [0, 1], retry_count: 0 },
      ],
    },
    { request_id: 7, steps: [] },
  ],
  actions: [
    [
      {
        id: "a",
        tool: "x",
        intent: "why",
        arguments: { y: 1 },
        conditions: { param: 1, operator: "exists" },
      },
    ],
    {
      $schema: "actions.schema.json",
      name: "n",
      version: null,
      dialect: "actions",
      metadata: { by: "me" },
      plan: [
        { id: "a", tool: "x", status: "completed", result: {}, error: null },
        { id: "b", tool: "y", dependencies: ["a"], conditions, policy, repeat, requires_confirmation: true },
      ],
    },
    { steps: [{ id: "a", tool: "x" }] },
  ],
  workflow: [
    {
      $schema: "workflow.schema.json",
      name: "w",
      version: 1,
      context_variables: contextVariables,
      plan: [{ id: "a", tool: "x" }],
    },
    { context_variables: { context_variables: { runtime_variables: [] } }, plan: "plan.json" },
    { context_variables: {}, plan: { steps: [{ tool: "x" }] } },
    { context_variables: {}, plan: { instructions: [] } },
  ],
} satisfies Record<string, readonly Json[]>;

/** Plans that neither schemas nor parsers accept. */
export const refused = {
  agent: [
    {},
    { instructions: [], system_event_endpoint: "x" },
    { instructions: [{ execution_id: "a" }] },
    { instructions: [{ execution_id: "a", agent_definition: primitive, agent_definition_path: "/x.agent" }] },
    { instructions: [{ execution_id: "self", agent_definition: primitive }] },
    { instructions: [{ execution_id: "a b", agent_definition: primitive }] },
    { instructions: [{ execution_id: "a", agent_definition: {} }] },
    { system_event_endpoint: "x", arguments: [{ name: "a", type_name: "strin" }] },
    { system_event_endpoint: "x", Arguments: [] },
  ],
  steps: [
    {},
    { steps: {} },
    { steps: [{ params: {} }] },
    { steps: [{ tool: "x", arguments: {} }] },
    { steps: [{ tool: "x", conditions: [{ param: 1, operator: "equals" }] }] },
    { steps: [{ tool: "x", conditions: [{ param: 1, operator: "is", value: 1 }] }] },
    { steps: [{ tool: "x", conditions: { logic: "XOR", conditions: [] } }] },
    { steps: [{ tool: "x", repeat: { until: [] } }] },
  ],
  actions: [
    [{ tool: "x" }],
    [{ id: "a" }],
    [{ id: "context", tool: "x" }],
    [{ id: "PLACEHOLDER_a", tool: "x" }],
    [{ id: "a", tool: "x", params: {} }],
    [5],
    { steps: [], stpes: [] },
  ],
  workflow: [
    { context_variables: { defined_variables: [{ name: "a" }] }, plan: [] },
    { context_variables: { context_variables: {}, runtime_variables: [] }, plan: [] },
    {
      context_variables: { derived_variables: [{ name: "a", triggers: [{ type: "agent_txt" }] }] },
      plan: [],
    },
    {
      context_variables: { derived_variables: [{ name: "a", triggers: [{ type: "timer_expired" }] }] },
      plan: [],
    },
    { context_variables: {}, plan: [], steps: [] },
  ],
} satisfies Record<keyof typeof accepted, readonly Json[]>;
