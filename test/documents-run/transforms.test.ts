/* Document 1: its transforms, each applied to data. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { call, field, scene } from "../scene.ts";

/** Steps that the example refers to, with what they gave; then the example's step, which echoes its arguments. */
async function echoed(sources: Record<string, Json>, step: JsonObject, args: JsonObject = {}): Promise<Json> {
  const stage = await scene();
  const plan = {
    arguments: Object.keys(args).map((name) => field(name, "any")),
    instructions: [
      ...Object.entries(sources).map(([id, value]) => call(id, "give", { value })),
      { execution_id: "x", agent_definition: { system_event_endpoint: "echo" }, ...step },
    ],
  };
  const result = await stage.run(plan, { arguments: args });
  expect(result.error).toBeUndefined();
  return result.steps.x?.result ?? null;
}

/** The example's step returns this; its `transform_results` apply. */
async function returned(value: Json, transform_results: JsonObject): Promise<Json> {
  const stage = await scene();
  const result = await stage.run({ instructions: [call("x", "give", { value }, { transform_results })] });
  expect(result.error).toBeUndefined();
  return result.steps.x?.result ?? null;
}

describe("transform structure", () => {
  test("transform_arguments: parts and a separator joined into a prompt", async () => {
    const given = { analysis_prompt: "Sum this up:", file_to_analyze: "Once upon a time" };
    const result = await echoed(
      {},
      {
        transform_arguments: {
          variables: {
            prompt_parts: ["REF:arguments.analysis_prompt", "REF:arguments.file_to_analyze"],
            separator: "\n\n",
          },
          transforms: { prompt: "join(prompt_parts, separator)" },
        },
        arguments: { model_id: "REF:arguments.model_id" },
      },
      { ...given, model_id: "small" },
    );
    expect(result).toEqual({ model_id: "small", prompt: "Sum this up:\n\nOnce upon a time" });
  });

  test("transform_results: fields out of a body", async () => {
    const result = await returned(
      { response_body: { files: ["a", "b", "c"] } },
      {
        variables: { raw_data: "REF:response.response_body" },
        transforms: { files: "raw_data.files", total_count: "REF:response.response_body.files.length" },
      },
    );
    expect(result).toMatchObject({ files: ["a", "b", "c"], total_count: 3 });
  });
});

describe("variables", () => {
  test("building complex arrays", async () => {
    const result = await echoed(
      { scan_results: { documents: "d.pdf", images: "i.png" }, file_processor: { file_info: { size: 3 } } },
      {
        transform_arguments: {
          variables: {
            file_paths: ["REF:scan_results.documents", "REF:scan_results.images"],
            metadata: "REF:file_processor.file_info",
            separator: " | ",
          },
          transforms: { input_summary: "join(file_paths, separator)", data_context: "metadata" },
        },
      },
    );
    expect(result).toEqual({ input_summary: "d.pdf | i.png", data_context: { size: 3 } });
  });

  test("data preparation pipeline", async () => {
    const sales_data = [
      { sale_id: 1, total: 10.5 },
      { sale_id: 2, total: 4.5 },
    ];
    const result = await echoed(
      { data_fetcher: { sales_data } },
      {
        transform_arguments: {
          variables: {
            raw_records: "REF:data_fetcher.sales_data",
            filter_date: "REF:arguments.cutoff_date",
            high_value_threshold: 1000,
          },
          transforms: {
            processed_data: "map(raw_records, {id: item.sale_id, amount: item.total})",
            summary_stats: "sum(raw_records, item.total)",
          },
        },
      },
      { cutoff_date: "2026-01-01" },
    );
    expect(result).toEqual({
      processed_data: [
        { id: 1, amount: 10.5 },
        { id: 2, amount: 4.5 },
      ],
      summary_stats: 15,
    });
  });

  test("response processing: a variable that is a call, and one that sees it", async () => {
    const processed_items = [
      { description: "first", success: { value: 1 } },
      { description: "second", success: { value: 0 } },
    ];
    const result = await returned(
      { processed_items, total_processed: 2 },
      {
        variables: {
          result_items: "REF:response.processed_items",
          success_items: "map(result_items, item.success)",
          delimiter: "; ",
        },
        transforms: {
          summary_report: "join(map(result_items, item.description), delimiter)",
          success_count: "sum(success_items, item.value)",
          completion_rate: "REF:response.total_processed",
        },
      },
    );
    expect(result).toEqual({
      processed_items,
      total_processed: 2,
      summary_report: "first; second",
      success_count: 1,
      completion_rate: 2,
    });
  });
});

describe("functions", () => {
  const sources: Record<string, Json> = {
    user_data: {
      users: [{ full_name: "Ada", contact: { email: "ada@x" } }],
      all_users: [{ name: "Ada", active_status: "on" }],
    },
    file_scan: { results: [{ file_path: "/a" }, { file_path: "/b" }] },
    invoice_data: { line_items: [{ amount: 2.5 }, { amount: 4 }] },
    time_entries: { entries: [{ duration: 1 }, { duration: 2 }] },
    scan_results: { files: ["x", "y"] },
    metadata: { tags: ["new", "hot"] },
    meeting_data: {
      attendees: [{ name: "Alice Johnson" }, { name: "Bob Smith" }, { name: "Carol Williams" }],
    },
    data: { items: [{ title: "War" }, { title: "Peace" }] },
  };
  test.each<[string, string, Json]>([
    [
      "user_summaries",
      "map(REF:user_data.users, {name: item.full_name, email: item.contact.email})",
      [{ name: "Ada", email: "ada@x" }],
    ],
    ["file_paths", "map(REF:file_scan.results, item.file_path)", ["/a", "/b"]],
    ["total_cost", "sum(REF:invoice_data.line_items, item.amount)", 6.5],
    ["total_hours", "sum(REF:time_entries.entries, item.duration)", 3],
    ["file_list", 'join(REF:scan_results.files, ", ")', "x, y"],
    ["tag_string", 'join(REF:metadata.tags, " | ")', "new | hot"],
    [
      "participant_names",
      'join(REF:meeting_data.attendees, ", ")',
      "Alice Johnson, Bob Smith, Carol Williams",
    ],
    ["summary", 'join(map(REF:data.items, item.title), " and ")', "War and Peace"],
    [
      "active_users",
      "map(REF:user_data.all_users, {name: item.name, status: item.active_status})",
      [{ name: "Ada", status: "on" }],
    ],
    ["user_count", "REF:user_data.all_users.length", 1],
  ])("%s: %s", async (name, expression, value) => {
    expect(await echoed(sources, { transform_arguments: { transforms: { [name]: expression } } })).toEqual({
      [name]: value,
    });
  });
});
