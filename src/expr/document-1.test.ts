/* Every transform expression of the first document, with values. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../base/json.ts";
import { failureOf, resultOf } from "./fixture.ts";

const sales = [
  { sale_id: "s1", total: 1200, customer_name: "Ann" },
  { sale_id: "s2", total: 300.5, customer_name: "Bob" },
];
const items = [
  { identifier: 1, amount: 5, description: "one", title: "One", value: 10, success: { value: true } },
  { identifier: 2, amount: 7, description: "two", title: "Two", value: 20, success: { value: false } },
];
const files = [
  { path: "/a/x.txt", file_name: "x.txt", file_path: "/a/x.txt" },
  { path: "/b", file_name: "b", file_path: "/b" },
];
const results = [
  { name: "x", filename: "x.txt", processing_status: "done", success_flag: true },
  { filename: "y.txt", processing_status: "failed", success_flag: false },
];
const attendees = [{ name: "Alice Johnson" }, { name: "Bob Smith" }, { name: "Carol Williams" }];
const refs: JsonObject = {
  user_data: { users: [{ full_name: "Ann Lee", contact: { email: "a@x.org" } }], all_users: [1, 2] },
  file_scan: { results: files },
  invoice_data: { line_items: items },
  time_entries: { entries: [{ duration: 1.5 }, { duration: 2 }] },
  scan_results: { files: ["a", "b"] },
  metadata: { tags: ["x", "y"] },
  meeting_data: { attendees },
  data: { items, strings: [{ value: "abc" }] },
  data_fetcher: { sales_records: sales },
  response: { response_body: { files: ["f1", "f2"] }, total_processed: 2 },
};

describe("the transforms of document 1", () => {
  it.each<[string, JsonObject, Json]>([
    [
      "join(prompt_parts, separator)",
      { prompt_parts: ["Analyse", "text"], separator: "\n\n" },
      "Analyse\n\ntext",
    ],
    ["raw_data.files", { raw_data: { files: ["f"] } }, ["f"]],
    ["REF:response.response_body.files.length", {}, 2],
    [
      "join(file_paths, separator)",
      { file_paths: [["a", "b"], ["c"]], separator: " | " },
      '["a","b"] | ["c"]',
    ],
    ["metadata", { metadata: { size: 1 } }, { size: 1 }],
    [
      "map(raw_records, {id: item.sale_id, amount: item.total})",
      { raw_records: sales },
      [
        { id: "s1", amount: 1200 },
        { id: "s2", amount: 300.5 },
      ],
    ],
    ["sum(raw_records, item.total)", { raw_records: sales }, 1500.5],
    ["map(result_items, item.success)", { result_items: items }, [{ value: true }, { value: false }]],
    [
      "join(map(result_items, item.description), delimiter)",
      { result_items: items, delimiter: "; " },
      "one; two",
    ],
    ["sum(success_items, item.value)", { success_items: [{ value: true }, { value: false }] }, 1],
    ["REF:response.total_processed", {}, 2],
    [
      "map(REF:user_data.users, {name: item.full_name, email: item.contact.email})",
      {},
      [{ name: "Ann Lee", email: "a@x.org" }],
    ],
    ["map(REF:file_scan.results, item.file_path)", {}, ["/a/x.txt", "/b"]],
    ["sum(REF:invoice_data.line_items, item.amount)", {}, 12],
    ["sum(REF:time_entries.entries, item.duration)", {}, 3.5],
    ['join(REF:scan_results.files, ", ")', {}, "a, b"],
    ['join(REF:metadata.tags, " | ")', {}, "x | y"],
    ['join(REF:meeting_data.attendees, ", ")', {}, "Alice Johnson, Bob Smith, Carol Williams"],
    ['join(map(REF:data.items, item.title), " and ")', {}, "One and Two"],
    [
      "map(valid_entries, {id: item.identifier, value: item.amount})",
      { valid_entries: items },
      [
        { id: 1, value: 5 },
        { id: 2, value: 7 },
      ],
    ],
    ["sum(processed_items, item.value)", { processed_items: items }, 30],
    ['join(map(processed_items, item.description), "; ")', { processed_items: items }, "one; two"],
    [
      "map(all_users, {name: item.name, status: item.active_status})",
      { all_users: [{ name: "Ann", active_status: true }] },
      [{ name: "Ann", status: true }],
    ],
    ["REF:user_data.all_users.length", {}, 2],
    ["REF:data_fetcher.sales_records.length", {}, 2],
    [
      "map(sales_records, {amount: item.total, customer: item.customer_name})",
      { sales_records: sales },
      [
        { amount: 1200, customer: "Ann" },
        { amount: 300.5, customer: "Bob" },
      ],
    ],
    [String.raw`join(map(insights, item.description), "\n")`, { insights: items }, "one\ntwo"],
    ["map(discovered_files, item.path)", { discovered_files: files }, ["/a/x.txt", "/b"]],
    ["map(discovered_files, item.file_name)", { discovered_files: files }, ["x.txt", "b"]],
    [
      "map(results, {name: item.filename, status: item.processing_status})",
      { results },
      [
        { name: "x.txt", status: "done" },
        { name: "y.txt", status: "failed" },
      ],
    ],
    [
      'join(results, " | ")',
      { results },
      'x | {"filename":"y.txt","processing_status":"failed","success_flag":false}',
    ],
    ["sum(results, item.success_flag)", { results }, 1],
  ])("%s", (text, names, expected) => {
    expect(resultOf(text, names, refs)).toEqual(expected);
  });

  it.each([
    ["map(REF:data.items, item.invalid_path)", "Attribute not found"],
    ["sum(REF:data.strings, item.value)", 'sum: item 0 is the text "abc"; a number is expected.'],
    ['join(REF:data.missing_field, ", ")', "REF:data.missing_field is not there."],
    ["join(undefined_var, ', ')", 'There is no variable called "undefined_var".'],
    ["invalid_function(data)", 'There is no function called "invalid_function".'],
  ])("%s fails", (text, message) => {
    expect(failureOf(text, { data: 1 }, refs)).toContain(message);
  });
});
