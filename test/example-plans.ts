/* One plan of each language that uses everything the language has, with what it calls declared. Every one compiles clean. */
import type { Json, JsonObject } from "../src/base/json.ts";
import type { CompileOptions } from "../src/compiler.ts";

export interface ExamplePlan {
  readonly title: string;
  readonly plan: Json;
  readonly options: CompileOptions;
}

const field = (name: string, type_name: string, required = true): JsonObject => ({
  name,
  type_name,
  required,
});
const text = { type: "string" };
const number = { type: "number" };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});

const tools = {
  search: {
    input: object({ query: text, limit: number, filters: object({ author: text }) }, ["query"]),
    output: object({
      hits: { type: "array", items: object({ page_id: text, score: number }) },
      total: number,
    }),
  },
  write: {
    input: object({ title: text, body: text, stars: number }, ["title", "body"]),
    output: object({ url: text }),
  },
  notify: {
    input: object({ to: { type: "array", items: text }, text, urgent: { type: "boolean" } }, ["to", "text"]),
  },
};

const agents: Record<string, Json> = {
  "/search.agent": {
    arguments: [field("query", "string"), field("limit", "number", false)],
    responses: [
      field("hits", "list"),
      field("total", "number"),
      field("source", "object"),
      field("log", "file", false),
    ],
    system_event_endpoint: "search",
  },
  "/write.agent": {
    arguments: [field("title", "string"), field("body", "string"), field("stars", "number", false)],
    responses: [field("url", "string"), field("ok", "boolean")],
    system_event_endpoint: "write",
  },
  "/digest.agent": {
    arguments: [field("topic", "string")],
    instructions: [
      {
        execution_id: "look",
        agent_definition_path: "/search.agent",
        arguments: { query: "REF:arguments.topic" },
      },
    ],
    responses: [field("count", "number"), field("best", "any", false)],
    response_reference_map: { count: "REF:look.total", best: "REF:look.hits.first" },
  },
};

const agent: Json = {
  name: "press",
  arguments: [
    field("topic", "string"),
    field("topics", "list"),
    { ...field("stars", "number", false), default_value: 3 },
  ],
  instructions: [
    {
      execution_id: "find",
      agent_definition_path: "/search.agent",
      arguments: { query: "REF:arguments.topic", limit: 5 },
    },
    {
      execution_id: "digest",
      agent_definition_path: "/digest.agent",
      parallel_execution: {
        iterate_over: "REF:arguments.topics",
        child_argument_name: "topic",
        max_concurrency: 3,
      },
    },
    {
      execution_id: "write",
      agent_definition_path: "/write.agent",
      arguments: { title: "REF:arguments.topic", stars: "REF:arguments.stars" },
      conditions: [
        { param: "REF:find.total", operator: "greater_than", value: 0 },
        { logic: "OR", conditions: [{ param: "REF:find.hits.length", operator: "less_than", value: 9 }] },
      ],
      transform_arguments: {
        variables: { hits: "REF:find.hits", gap: ", " },
        transforms: { body: "join(map(hits, item.page_id), gap)" },
      },
      transform_results: { transforms: { link: "REF:response.url" } },
      policy: { retries: 2, timeout_ms: 500 },
    },
    {
      execution_id: "rescue",
      agent_definition_path: "/write.agent",
      arguments: { title: "failed", body: "REF:write.error_message" },
      conditions: [{ param: "REF:write.status", operator: "equals", value: "failed" }],
    },
    {
      execution_id: "tidy",
      agent_definition_path: "/digest.agent",
      arguments: { topic: "x" },
      dependencies: ["write", "rescue"],
    },
  ],
  responses: [field("link", "string", false), field("counts", "list"), field("note", "object")],
  response_reference_map: {
    link: "REF:write.link",
    counts: "REF:digest.response.*.count",
    note: { total: "REF:find.total", kind: "press" },
  },
};

const steps: Json = {
  requestId: "r-1",
  steps: [
    {
      tool: "search",
      params: { query: "cats", limit: 3, filters: { author: "ann" } },
      retryCount: 1,
      timeout: 100,
    },
    {
      tool: "write",
      params: { title: "${step[0].data.hits[0].page_id}", body: "found ${step[0].data.total}" },
      dependsOn: [0],
    },
    {
      tool: "write",
      params: { title: "b", body: "c", stars: "${step[0].data.total}" },
      parallel: true,
      optional: true,
    },
    {
      tool: "notify",
      params: {
        to: ["${step[1].data.url}", "me"],
        text: "${step[0].data.hits.first.page_id}",
        urgent: false,
      },
      conditions: [{ param: "${step[0].data.total}", operator: "greater_than", value: 1 }],
      parallel: true,
    },
  ],
};

const actions: Json = [
  {
    id: "find-it",
    tool: "search",
    intent: "look it up",
    arguments: { query: "{{PLACEHOLDER_query}}", limit: 5 },
  },
  {
    id: "write_it",
    tool: "write",
    arguments: { title: "Re: {{find-it.result.hits[0].page_id}}", body: "{{PLACEHOLDER_body}}" },
  },
  {
    id: "tell",
    tool: "notify",
    arguments: { to: ["{{write_it.result.url}}"], text: "{{find-it.result.total}} found", urgent: true },
    dependencies: ["write_it"],
    conditions: { param: "{{find-it.result.total}}", operator: "not_equals", value: 0 },
    requires_confirmation: true,
  },
];

const workflow: Json = {
  name: "talk",
  context_variables: {
    runtime_variables: [{ name: "mood", type: "string", default: "calm" }],
    defined_variables: [
      {
        name: "mail",
        database: { collection: "users", search_by: { id: "REF:arguments.id" }, field: "mail" },
      },
    ],
    derived_variables: [
      {
        name: "over",
        default: false,
        triggers: [{ type: "agent_text", agent: "notify", match: { equals: "BYE" } }],
      },
      {
        name: "late",
        triggers: [
          { type: "timer_expired", after_ms: 1000 },
          { type: "tool_response", tool: "notify", status: "failed" },
        ],
      },
    ],
  },
  plan: {
    steps: [
      {
        tool: "notify",
        params: { to: ["${context.mail}"], text: "feeling ${context.mood}?" },
        repeat: { until: [{ param: "${context.over}", operator: "equals", value: true }], max: 5 },
      },
    ],
  },
};

export const EXAMPLES: readonly ExamplePlan[] = [
  { title: "an agent", plan: agent, options: { agents, tools } },
  { title: "a step plan", plan: steps, options: { tools } },
  { title: "an action plan", plan: actions, options: { tools } },
  { title: "a workflow", plan: workflow, options: { tools } },
];
