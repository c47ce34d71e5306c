/* Document 2: the patterns of composition, each run. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { call, field, type Scene, scene, statuses } from "../scene.ts";

type Params = Record<string, Json>;

/** One agent for each path, whose tool has the same name. */
function library(tools: Record<string, (params: never) => unknown>): Promise<Scene> {
  const agents = Object.fromEntries(
    Object.keys(tools).map((name) => [`/agents/${name}.agent`, { system_event_endpoint: name }]),
  );
  return scene(tools, { agents });
}

const echo = (params: Params): Params => params;

test("basic structure: one step, its result mapped to the response", async () => {
  const stage = await scene(
    { agent: ({ param }: Params) => ({ result: `got ${param}` }) },
    { agents: { "/path/to/agent.agent": { system_event_endpoint: "agent" } } },
  );
  const result = await stage.run(
    {
      description: "Description of what this agent does",
      arguments: [
        {
          name: "input_parameter",
          type_name: "string",
          description: "Description of the parameter",
          required: true,
        },
      ],
      instructions: [
        {
          execution_id: "step_1",
          agent_definition_path: "/path/to/agent.agent",
          arguments: { param: "value" },
        },
      ],
      responses: [
        {
          name: "output_value",
          type_name: "string",
          description: "Description of the response",
          required: true,
        },
      ],
      response_reference_map: { output_value: "REF:step_1.result" },
    },
    { arguments: { input_parameter: "x" } },
  );
  expect(result.response).toEqual({ output_value: "got value" });
});

test("automatic dependency resolution: fetch_data, process_data, generate_report, and a manual dependency", async () => {
  const stage = await library({
    report_generator: echo,
    data_processor: ({ raw_data }: Params) => ({ cleaned_data: [raw_data, "cleaned"] }),
    api_client: ({ endpoint }: Params) => ({ response_data: `data of ${endpoint}`, metadata: { rows: 3 } }),
    cleanup: echo,
  });
  const result = await stage.run(
    {
      arguments: [field("api_endpoint", "string"), field("temp_dir", "string")],
      instructions: [
        {
          execution_id: "cleanup_task",
          agent_definition_path: "/agents/cleanup.agent",
          dependencies: ["fetch_data", "process_data"],
          arguments: { working_directory: "REF:arguments.temp_dir" },
        },
        {
          execution_id: "generate_report",
          agent_definition_path: "/agents/report_generator.agent",
          arguments: { processed_data: "REF:process_data.cleaned_data", metadata: "REF:fetch_data.metadata" },
        },
        {
          execution_id: "process_data",
          agent_definition_path: "/agents/data_processor.agent",
          arguments: { raw_data: "REF:fetch_data.response_data" },
        },
        {
          execution_id: "fetch_data",
          agent_definition_path: "/agents/api_client.agent",
          arguments: { endpoint: "REF:arguments.api_endpoint" },
        },
      ],
    },
    { arguments: { api_endpoint: "/v1", temp_dir: "/tmp/x" } },
  );
  expect(stage.called).toEqual(["fetch_data", "process_data", "cleanup_task", "generate_report"]);
  expect(result.steps.generate_report?.result).toEqual({
    processed_data: ["data of /v1", "cleaned"],
    metadata: { rows: 3 },
  });
  expect(result.steps.cleanup_task?.result).toEqual({ working_directory: "/tmp/x" });
});

describe("conditional execution", () => {
  test("an error handler that looks at a status code", async () => {
    const stage = await library({
      error_handler: echo,
      api: ({ code }: Params) => ({ status_code: code, error: code === 200 ? null : "refused" }),
    });
    const plan = (code: number): JsonObject => ({
      instructions: [
        // "error" is declared, so that it means the response's own.
        {
          execution_id: "api_call",
          agent_definition: {
            system_event_endpoint: "api",
            responses: [field("status_code", "number"), field("error", "string", { required: false })],
          },
          arguments: { code },
        },
        {
          execution_id: "conditional_step",
          agent_definition_path: "/agents/error_handler.agent",
          conditions: [{ param: "REF:api_call.status_code", operator: "not_equals", value: 200 }],
          arguments: { error_message: "REF:api_call.error" },
        },
      ],
    });
    expect((await stage.run(plan(200))).steps.conditional_step?.status).toBe("skipped");
    expect((await stage.run(plan(503))).steps.conditional_step?.result).toEqual({ error_message: "refused" });
  });

  test("every example of the table of operators", async () => {
    const stage = await scene();
    const table: [Json, string, Json | undefined, boolean][] = [
      ["REF:status.code", "equals", 200, true],
      ["REF:status.result", "not_equals", "failed", true],
      ["REF:user.email", "exists", undefined, true],
      ["REF:user.message", "not_exists", undefined, true],
      ["REF:metrics.score", "greater_than", 0.8, true],
      ["REF:file.size", "less_than", 1_000_000, false],
      ["REF:tags.list", "contains", "urgent", true],
      ["REF:status.code", "in", [200, 201, 202], true],
      ["REF:file.name", "starts_with", "report_", true],
    ];
    const steps = table.map(([param, operator, value], i) =>
      call(`c${i}`, "echo", {}, { conditions: [{ param, operator, ...(value !== undefined && { value }) }] }),
    );
    const result = await stage.run({
      instructions: [
        call("status", "give", { value: { code: 200, result: "fine" } }),
        call("user", "give", { value: { email: "a@b.c", message: null } }),
        call("metrics", "give", { value: { score: 0.9 } }),
        call("file", "give", { value: { size: 2_000_000, name: "report_1.pdf" } }),
        call("tags", "give", { value: { list: ["new", "urgent"] } }),
        ...steps,
      ],
    });
    expect(table.map((_, i) => result.steps[`c${i}`]?.status === "completed")).toEqual(
      table.map(([, , , holds]) => holds),
    );
  });

  test.each([
    [{ role: "admin", level: 1, verified: false }, "completed"],
    [{ role: "guest", level: 6, verified: true }, "completed"],
    [{ role: "guest", level: 6, verified: false }, "skipped"],
    [{ role: "guest", level: 5, verified: true }, "skipped"],
  ])("complex conditions: %j is %s", async (user, status) => {
    const stage = await scene();
    const conditions = [
      {
        logic: "OR",
        conditions: [
          { param: "REF:user.role", operator: "equals", value: "admin" },
          {
            logic: "AND",
            conditions: [
              { param: "REF:user.level", operator: "greater_than", value: 5 },
              { param: "REF:user.verified", operator: "equals", value: true },
            ],
          },
        ],
      },
    ];
    const result = await stage.run({
      instructions: [call("user", "give", { value: user }), call("x", "echo", {}, { conditions })],
    });
    expect(result.steps.x?.status).toBe(status);
  });

  test("conditional branching, both outcomes", async () => {
    const stage = await library({
      validator: ({ data }: Params) => ({
        is_valid: data === "good",
        validation_errors: data === "good" ? [] : ["bad data"],
      }),
      data_processor: ({ data }: Params) => ({ processed: `${data}!` }),
      error_handler: echo,
    });
    const plan: JsonObject = {
      arguments: [field("user_data", "any")],
      instructions: [
        {
          execution_id: "validate_input",
          agent_definition_path: "/agents/validator.agent",
          arguments: { data: "REF:arguments.user_data" },
        },
        {
          execution_id: "process_valid_data",
          agent_definition_path: "/agents/data_processor.agent",
          conditions: [{ param: "REF:validate_input.is_valid", operator: "equals", value: true }],
          arguments: { data: "REF:arguments.user_data" },
        },
        {
          execution_id: "handle_invalid_data",
          agent_definition_path: "/agents/error_handler.agent",
          conditions: [{ param: "REF:validate_input.is_valid", operator: "equals", value: false }],
          arguments: { errors: "REF:validate_input.validation_errors" },
        },
      ],
      response_reference_map: {
        processed: "REF:process_valid_data.processed",
        errors: "REF:handle_invalid_data.errors",
      },
    };
    const good = await stage.run(plan, { arguments: { user_data: "good" } });
    expect(good.response).toEqual({ processed: "good!", errors: null });
    expect(statuses(good)).toMatchObject({ process_valid_data: "completed", handle_invalid_data: "skipped" });
    const bad = await stage.run(plan, { arguments: { user_data: "rubbish" } });
    expect(bad.response).toEqual({ processed: null, errors: ["bad data"] });
    expect(statuses(bad)).toMatchObject({ process_valid_data: "skipped", handle_invalid_data: "completed" });
  });
});

describe("parallel execution", () => {
  test("over a reference and over a static collection, with all ways to get at the results", async () => {
    const stage = await library({
      scanner: () => ({ file_list: ["a.txt", "b.txt"] }),
      file_processor: ({ input_file }: Params) => ({ done: input_file }),
      describe_file: ({ file_path }: Params) => ({ about: `agent at ${file_path}` }),
    });
    const result = await stage.run({
      instructions: [
        { execution_id: "file_scanner", agent_definition_path: "/agents/scanner.agent" },
        {
          execution_id: "process_files",
          agent_definition_path: "/agents/file_processor.agent",
          parallel_execution: {
            iterate_over: "REF:file_scanner.file_list",
            child_argument_name: "input_file",
          },
        },
        {
          execution_id: "describe_agent_files",
          agent_definition_path: "/agents/describe_file.agent",
          parallel_execution: {
            iterate_over: [
              "/agents/core/bedrock_text.agent",
              "/agents/core/cohere_embedding.agent",
              "/agents/core/math.agent",
            ],
            child_argument_name: "file_path",
          },
        },
      ],
      response_reference_map: {
        all_results: "REF:process_files.response",
        first_result: "REF:process_files.response.first",
        result_count: "REF:process_files.response.length",
        third: "REF:describe_agent_files.response.2.about",
      },
    });
    expect(result.response).toEqual({
      all_results: [{ done: "a.txt" }, { done: "b.txt" }],
      first_result: { done: "a.txt" },
      result_count: 2,
      third: "agent at /agents/core/math.agent",
    });
  });

  test("pipeline processing: each stage over the results of the one before", async () => {
    const stage = await library({
      text_extractor: ({ document_path }: Params) => ({ text: `text of ${document_path}` }),
      sentiment_analyzer: ({ text_content }: { text_content: { text: string } }) => ({
        mood: text_content.text.length % 2 === 0 ? "good" : "bad",
      }),
      summarizer: echo,
    });
    const result = await stage.run(
      {
        description: "Document processing pipeline",
        arguments: [{ name: "input_documents", type_name: "list", required: true }],
        instructions: [
          {
            execution_id: "extract_text",
            agent_definition_path: "/agents/text_extractor.agent",
            parallel_execution: {
              iterate_over: "REF:arguments.input_documents",
              child_argument_name: "document_path",
            },
          },
          {
            execution_id: "analyze_sentiment",
            agent_definition_path: "/agents/sentiment_analyzer.agent",
            parallel_execution: {
              iterate_over: "REF:extract_text.response",
              child_argument_name: "text_content",
            },
          },
          {
            execution_id: "generate_summary",
            agent_definition_path: "/agents/summarizer.agent",
            arguments: {
              all_sentiments: "REF:analyze_sentiment.response",
              document_count: "REF:extract_text.response.length",
            },
          },
        ],
        response_reference_map: {
          summary: { moods: "REF:generate_summary.all_sentiments", n: "REF:generate_summary.document_count" },
        },
      },
      { arguments: { input_documents: ["a", "bc"] } },
    );
    expect(result.response).toEqual({ summary: { moods: [{ mood: "good" }, { mood: "bad" }], n: 2 } });
  });

  test("fan-out/fan-in", async () => {
    const stage = await library({
      data_splitter: ({ dataset }: { dataset: number[] }) => ({
        chunks: [dataset.slice(0, 2), dataset.slice(2)],
      }),
      analyzer: ({ data_chunk }: { data_chunk: number[] }) => ({
        sum: data_chunk.reduce((a, b) => a + b, 0),
      }),
      aggregator: ({
        partial_results,
        total_chunks,
      }: {
        partial_results: { sum: number }[];
        total_chunks: number;
      }) => ({
        total: partial_results.reduce((a, b) => a + b.sum, 0),
        total_chunks,
      }),
    });
    const result = await stage.run(
      {
        arguments: [field("large_dataset", "list")],
        instructions: [
          {
            execution_id: "split_data",
            agent_definition_path: "/agents/data_splitter.agent",
            arguments: { dataset: "REF:arguments.large_dataset" },
          },
          {
            execution_id: "parallel_analysis",
            agent_definition_path: "/agents/analyzer.agent",
            parallel_execution: { iterate_over: "REF:split_data.chunks", child_argument_name: "data_chunk" },
          },
          {
            execution_id: "aggregate_results",
            agent_definition_path: "/agents/aggregator.agent",
            arguments: {
              partial_results: "REF:parallel_analysis.response",
              total_chunks: "REF:split_data.chunks.length",
            },
          },
        ],
        response_reference_map: {
          total: "REF:aggregate_results.total",
          chunks: "REF:aggregate_results.total_chunks",
        },
      },
      { arguments: { large_dataset: [1, 2, 3, 4, 5] } },
    );
    expect(result.response).toEqual({ total: 15, chunks: 2 });
  });
});

test("response mapping: numbers, a count, and an optional response of a step that was skipped", async () => {
  const stage = await scene({ rate: () => ({ success_percentage: 97.5 }) });
  const plan = (collects: boolean): JsonObject => ({
    instructions: [
      call(
        "parallel_processor",
        "echo",
        {},
        { parallel_execution: { iterate_over: [1, 2, 3], child_argument_name: "i" } },
      ),
      call("calculate_metrics", "rate"),
      call(
        "error_collector",
        "give",
        { value: { error_list: ["e"] } },
        { conditions: [{ param: collects, operator: "equals", value: true }] },
      ),
    ],
    responses: [
      {
        name: "processed_count",
        type_name: "number",
        description: "Number of items processed",
        required: true,
      },
      {
        name: "success_rate",
        type_name: "number",
        description: "Percentage of successful operations",
        required: true,
      },
      {
        name: "error_details",
        type_name: "list",
        description: "Details of any errors encountered",
        required: false,
      },
    ],
    response_reference_map: {
      processed_count: "REF:parallel_processor.response.length",
      success_rate: "REF:calculate_metrics.success_percentage",
      error_details: "REF:error_collector.error_list",
    },
  });
  expect((await stage.run(plan(true))).response).toEqual({
    processed_count: 3,
    success_rate: 97.5,
    error_details: ["e"],
  });
  expect((await stage.run(plan(false))).response).toEqual({
    processed_count: 3,
    success_rate: 97.5,
    error_details: null,
  });
});

test("conditional error handling: a retry handler that runs where the primary task failed", async () => {
  const stage = await library({ retry_handler: echo });
  const plan = (tool: string): JsonObject => ({
    arguments: [field("request_data", "any")],
    instructions: [
      call("primary_task", tool, { message: "the line was cut" }),
      {
        execution_id: "retry_on_failure",
        agent_definition_path: "/agents/retry_handler.agent",
        conditions: [{ param: "REF:primary_task.status", operator: "equals", value: "failed" }],
        arguments: {
          original_request: "REF:arguments.request_data",
          failure_reason: "REF:primary_task.error_message",
        },
      },
    ],
  });
  const failed = await stage.run(plan("fail"), { arguments: { request_data: { q: 1 } } });
  expect(failed.status).toBe("completed");
  expect(failed.steps.retry_on_failure?.result).toEqual({
    original_request: { q: 1 },
    failure_reason: "the line was cut",
  });
  expect(statuses(await stage.run(plan("echo"), { arguments: { request_data: 1 } }))).toEqual({
    primary_task: "completed",
    retry_on_failure: "skipped",
  });
});

test("conditional validation: a step that runs only where an optional argument was given", async () => {
  const stage = await scene();
  const plan: JsonObject = {
    arguments: [field("api_key", "string", { required: false })],
    instructions: [
      call(
        "x",
        "echo",
        { key: "REF:arguments.api_key" },
        { conditions: [{ param: "REF:arguments.api_key", operator: "exists" }] },
      ),
    ],
  };
  expect((await stage.run(plan)).steps.x?.status).toBe("skipped");
  expect((await stage.run(plan, { arguments: { api_key: "k" } })).steps.x?.result).toEqual({ key: "k" });
});
