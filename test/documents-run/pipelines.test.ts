/* Document 1: its complete examples of transforms, in and out of an agent. */
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { call, field, scene } from "../scene.ts";

test("array processing pipeline: in through the arguments, out through the results", async () => {
  const stage = await scene({
    process: ({ processed_entries }: { processed_entries: { id: string; value: number }[] }) => ({
      processed_items: processed_entries.map(({ id, value }) => ({ value, description: `${id}=${value}` })),
    }),
  });
  const result = await stage.run({
    instructions: [
      call("data_validator", "give", {
        value: {
          clean_data: [
            { identifier: "a", amount: 2 },
            { identifier: "b", amount: 3 },
          ],
        },
      }),
      call(
        "x",
        "process",
        {},
        {
          transform_arguments: {
            variables: { valid_entries: "REF:data_validator.clean_data" },
            transforms: {
              processed_entries: "map(valid_entries, {id: item.identifier, value: item.amount})",
            },
          },
          transform_results: {
            variables: { processed_items: "REF:response.processed_items" },
            transforms: {
              total_processed: "sum(processed_items, item.value)",
              summary_text: 'join(map(processed_items, item.description), "; ")',
            },
          },
        },
      ),
    ],
  });
  expect(result.steps.x?.result).toMatchObject({ total_processed: 5, summary_text: "a=2; b=3" });
});

test("sales analysis", async () => {
  const sales_records = [
    { total: 1200, customer_name: "Acme", region: "n" },
    { total: 300, customer_name: "Zed", region: "s" },
  ];
  const stage = await scene(
    {
      analyze: (args: {
        raw_data: Json[];
        total_records: number;
        revenue_total: number;
        high_value_sales: Json[];
      }) => ({
        insights: [
          { description: `${args.total_records} sales` },
          { description: `${args.revenue_total} in all` },
        ],
        analyzed_records: args.high_value_sales,
        success_rate: 100,
      }),
    },
    {
      agents: {
        "/agents/sales_analyzer.agent": {
          arguments: [
            field("raw_data", "list"),
            field("total_records", "number"),
            field("high_value_sales", "list"),
            field("revenue_total", "number"),
          ],
          responses: [
            field("insights", "list"),
            field("analyzed_records", "list"),
            field("success_rate", "number"),
            field("summary_report", "string"),
            field("processed_count", "number"),
            field("success_percentage", "number"),
          ],
          system_event_endpoint: "analyze",
        },
      },
    },
  );
  const result = await stage.run({
    instructions: [
      call("data_fetcher", "give", { value: { sales_records } }),
      {
        execution_id: "analyze_sales",
        agent_definition_path: "/agents/sales_analyzer.agent",
        arguments: { raw_data: "REF:data_fetcher.sales_records" },
        transform_arguments: {
          variables: { sales_records: "REF:data_fetcher.sales_records" },
          transforms: {
            total_records: "REF:data_fetcher.sales_records.length",
            high_value_sales: "map(sales_records, {amount: item.total, customer: item.customer_name})",
            revenue_total: "sum(sales_records, item.total)",
          },
        },
        transform_results: {
          variables: { insights: "REF:response.insights", analyzed_records: "REF:response.analyzed_records" },
          transforms: {
            summary_report: 'join(map(insights, item.description), "\\n")',
            processed_count: "REF:response.analyzed_records.length",
            success_percentage: "REF:response.success_rate",
          },
        },
      },
    ],
    response_reference_map: {
      report: "REF:analyze_sales.summary_report",
      count: "REF:analyze_sales.processed_count",
      rate: "REF:analyze_sales.success_percentage",
    },
  });
  expect(result.response).toEqual({ report: "2 sales\n1500 in all", count: 2, rate: 100 });
  expect(stage.calls[1]?.params).toEqual({
    raw_data: sales_records,
    total_records: 2,
    high_value_sales: [
      { amount: 1200, customer: "Acme" },
      { amount: 300, customer: "Zed" },
    ],
    revenue_total: 1500,
  });
});

test("file processing", async () => {
  const discovered_files = [
    { path: "/in/a.txt", file_name: "a.txt" },
    { path: "/in/b.txt", file_name: "b.txt" },
  ];
  const stage = await scene(
    {
      process: ({ file_names }: { file_names: string[] }) => ({
        results: file_names.map((filename, i) => ({
          name: `#${i}`,
          filename,
          processing_status: i === 0 ? "done" : "failed",
          success_flag: i === 0,
        })),
      }),
    },
    { agents: { "/agents/document_processor.agent": { system_event_endpoint: "process" } } },
  );
  const result = await stage.run({
    instructions: [
      call("file_scanner", "give", { value: { discovered_files } }),
      {
        execution_id: "process_documents",
        agent_definition_path: "/agents/document_processor.agent",
        arguments: { input_files: "REF:file_scanner.discovered_files" },
        transform_arguments: {
          variables: { discovered_files: "REF:file_scanner.discovered_files" },
          transforms: {
            file_paths: "map(discovered_files, item.path)",
            file_names: "map(discovered_files, item.file_name)",
            total_files: "REF:file_scanner.discovered_files.length",
          },
        },
        transform_results: {
          variables: { results: "REF:response.results" },
          transforms: {
            processed_files: "map(results, {name: item.filename, status: item.processing_status})",
            summary: 'join(results, " | ")',
            completion_rate: "sum(results, item.success_flag)",
          },
        },
      },
    ],
  });
  expect(stage.calls[1]?.params).toEqual({
    input_files: discovered_files,
    file_paths: ["/in/a.txt", "/in/b.txt"],
    file_names: ["a.txt", "b.txt"],
    total_files: 2,
  });
  expect(result.steps.process_documents?.result).toMatchObject({
    processed_files: [
      { name: "a.txt", status: "done" },
      { name: "b.txt", status: "failed" },
    ],
    summary: "#0 | #1",
    completion_rate: 1,
  });
});
