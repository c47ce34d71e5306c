/* Document 2: conditions, branches and error handling, each run. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { call, field, scene, statuses } from "../scene.ts";
import { echo, library, type Params } from "./library.ts";

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
