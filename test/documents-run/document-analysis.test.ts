/* Document 2, "Complete Example: Document Analysis Workflow", at all three depths. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { field, type Scene, scene, statuses } from "../scene.ts";

const workflow: JsonObject = {
  description: "Comprehensive document analysis with parallel processing and conditional logic",
  arguments: [field("document_paths", "list"), field("analysis_depth", "string")],
  instructions: [
    {
      execution_id: "validate_documents",
      agent_definition_path: "/agents/document_validator.agent",
      arguments: { file_paths: "REF:arguments.document_paths" },
    },
    {
      execution_id: "extract_basic_info",
      agent_definition_path: "/agents/basic_extractor.agent",
      parallel_execution: {
        iterate_over: "REF:validate_documents.valid_documents",
        child_argument_name: "document_path",
      },
    },
    {
      execution_id: "detailed_analysis",
      agent_definition_path: "/agents/detailed_analyzer.agent",
      conditions: [
        { param: "REF:arguments.analysis_depth", operator: "in", value: ["detailed", "comprehensive"] },
      ],
      parallel_execution: {
        iterate_over: "REF:validate_documents.valid_documents",
        child_argument_name: "document_path",
      },
    },
    {
      execution_id: "comprehensive_analysis",
      agent_definition_path: "/agents/comprehensive_analyzer.agent",
      conditions: [{ param: "REF:arguments.analysis_depth", operator: "equals", value: "comprehensive" }],
      parallel_execution: {
        iterate_over: "REF:validate_documents.valid_documents",
        child_argument_name: "document_path",
      },
    },
    {
      execution_id: "aggregate_results",
      agent_definition_path: "/agents/result_aggregator.agent",
      arguments: {
        basic_results: "REF:extract_basic_info.response",
        detailed_results: "REF:detailed_analysis.response",
        comprehensive_results: "REF:comprehensive_analysis.response",
        analysis_level: "REF:arguments.analysis_depth",
      },
    },
    {
      execution_id: "generate_report",
      agent_definition_path: "/agents/report_generator.agent",
      arguments: {
        aggregated_data: "REF:aggregate_results.summary",
        document_count: "REF:extract_basic_info.response.length",
      },
    },
  ],
  responses: [
    field("analysis_report", "file"),
    field("document_count", "number"),
    field("processing_summary", "object"),
  ],
  response_reference_map: {
    analysis_report: "REF:generate_report.report_file",
    document_count: "REF:extract_basic_info.response.length",
    processing_summary: "REF:aggregate_results.summary",
  },
};

const path = field("document_path", "string");
const agents: Record<string, Json> = {
  "/agents/document_validator.agent": {
    arguments: [field("file_paths", "list")],
    responses: [field("valid_documents", "list"), field("invalid_documents", "list")],
    system_event_endpoint: "validate",
  },
  "/agents/basic_extractor.agent": {
    arguments: [path],
    responses: [field("title", "string"), field("pages", "number")],
    system_event_endpoint: "basic",
  },
  "/agents/detailed_analyzer.agent": {
    arguments: [path],
    responses: [field("topics", "list")],
    system_event_endpoint: "detailed",
  },
  // The deepest analysis is a composite of its own.
  "/agents/comprehensive_analyzer.agent": {
    arguments: [path],
    instructions: [
      {
        execution_id: "read",
        agent_definition_path: "/agents/detailed_analyzer.agent",
        arguments: { document_path: "REF:arguments.document_path" },
      },
      {
        execution_id: "rate",
        agent_definition: {
          arguments: [field("topics", "list")],
          responses: [field("score", "number")],
          system_event_endpoint: "rate",
        },
        arguments: { topics: "REF:read.topics" },
      },
    ],
    responses: [field("score", "number")],
    response_reference_map: { score: "REF:rate.score" },
  },
  "/agents/result_aggregator.agent": {
    arguments: [
      field("basic_results", "list"),
      field("detailed_results", "list", { required: false }),
      field("comprehensive_results", "list", { required: false }),
      field("analysis_level", "string", { enum: ["basic", "detailed", "comprehensive"] }),
    ],
    responses: [field("summary", "object")],
    system_event_endpoint: "aggregate",
  },
  "/agents/report_generator.agent": {
    arguments: [field("aggregated_data", "object"), field("document_count", "number")],
    responses: [field("report_file", "file")],
    system_event_endpoint: "report",
  },
};

const title = (document: string): string => document.replace(/^.*\/|\.\w+$/g, "");

function stage(): Promise<Scene> {
  return scene(
    {
      validate: ({ file_paths }: { file_paths: string[] }) => ({
        valid_documents: file_paths.filter((file) => file.endsWith(".pdf")),
        invalid_documents: file_paths.filter((file) => !file.endsWith(".pdf")),
      }),
      basic: ({ document_path }: { document_path: string }) => ({
        title: title(document_path),
        pages: document_path.length,
      }),
      detailed: ({ document_path }: { document_path: string }) => ({
        topics: title(document_path).split("-"),
      }),
      rate: ({ topics }: { topics: string[] }) => ({ score: topics.length * 10 }),
      aggregate: (args: {
        basic_results: { pages: number }[];
        detailed_results: Json;
        comprehensive_results: Json;
        analysis_level: string;
      }) => ({
        summary: {
          level: args.analysis_level,
          pages: args.basic_results.reduce((sum, { pages }) => sum + pages, 0),
          detailed: args.detailed_results,
          comprehensive: args.comprehensive_results,
        },
      }),
      report: ({ document_count }: { document_count: number }) => ({
        report_file: `/reports/${document_count}-documents.md`,
      }),
    },
    { agents },
  );
}

const documents = ["/in/red-green.pdf", "/in/notes.txt", "/in/blue.pdf"];

describe("the document analysis workflow", () => {
  test("basic: the deeper analyses are skipped, and are null to the aggregator", async () => {
    const scene = await stage();
    const result = await scene.run(workflow, {
      arguments: { document_paths: documents, analysis_depth: "basic" },
    });
    expect(result.status).toBe("completed");
    expect(result.response).toEqual({
      analysis_report: "/reports/2-documents.md",
      document_count: 2,
      processing_summary: { level: "basic", pages: 29, detailed: null, comprehensive: null },
    });
    expect(statuses(result)).toMatchObject({
      detailed_analysis: "skipped",
      comprehensive_analysis: "skipped",
      generate_report: "completed",
    });
    expect(scene.calls.map(({ tool }) => tool)).toEqual([
      "validate",
      "basic",
      "basic",
      "aggregate",
      "report",
    ]);
  });

  test("detailed: each valid document is analysed, in order", async () => {
    const scene = await stage();
    const result = await scene.run(workflow, {
      arguments: { document_paths: documents, analysis_depth: "detailed" },
    });
    expect(result.response).toMatchObject({
      processing_summary: {
        level: "detailed",
        detailed: [{ topics: ["red", "green"] }, { topics: ["blue"] }],
        comprehensive: null,
      },
    });
    expect(statuses(result)).toMatchObject({
      detailed_analysis: "completed",
      comprehensive_analysis: "skipped",
    });
  });

  test("comprehensive: all three run, the deepest one as a composite for each document", async () => {
    const scene = await stage();
    const result = await scene.run(workflow, {
      arguments: { document_paths: documents, analysis_depth: "comprehensive" },
    });
    expect(result.response).toEqual({
      analysis_report: "/reports/2-documents.md",
      document_count: 2,
      processing_summary: {
        level: "comprehensive",
        pages: 29,
        detailed: [{ topics: ["red", "green"] }, { topics: ["blue"] }],
        comprehensive: [{ score: 20 }, { score: 10 }],
      },
    });
    expect(result.steps["comprehensive_analysis[0].rate"]).toMatchObject({
      status: "completed",
      result: { score: 20 },
    });
  });

  test("no valid documents: empty lists, a report of nothing", async () => {
    const scene = await stage();
    const result = await scene.run(workflow, {
      arguments: { document_paths: ["/in/notes.txt"], analysis_depth: "comprehensive" },
    });
    expect(result.response).toMatchObject({
      document_count: 0,
      processing_summary: { pages: 0, detailed: [], comprehensive: [] },
    });
  });

  test("a depth that the aggregator does not know fails there, saying what it knows", async () => {
    const scene = await stage();
    const result = await scene.run(workflow, {
      arguments: { document_paths: documents, analysis_depth: "deepest" },
    });
    expect(result).toMatchObject({ status: "failed", error: { name: "SchemaValidationError" } });
    expect(result.error?.message).toContain('"basic", "detailed", "comprehensive"');
    expect(statuses(result)).toMatchObject({ aggregate_results: "failed", generate_report: "blocked" });
  });

  test("without its arguments it does not start", async () => {
    const scene = await stage();
    await expect(scene.run(workflow, { arguments: { document_paths: "/in/a.pdf" } })).rejects.toMatchObject({
      name: "PlanError",
      diagnostics: [{ name: "SchemaValidationError" }, { name: "SchemaValidationError" }],
    });
    expect(scene.calls).toEqual([]);
  });
});
