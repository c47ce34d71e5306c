/* Document 2: parallel execution and response mapping, each run. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { call, field, scene } from "../scene.ts";
import { echo, library, type Params } from "./library.ts";

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
      { arguments: { input_documents: ["ab", "c"] } },
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
