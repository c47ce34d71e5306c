/* A client that was written against the types of document 3, and knows nothing else. */
import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLObjectType } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "./served.ts";

let served: Served;

beforeAll(async () => {
  served = await serve({
    tools: {
      facilities_list: ({ location }: { location: string }) => [{ id: "F1", location }],
      shipments_list: ({ facility_id }: { facility_id: string }) => [{ facility_id, status: "IN_TRANSIT" }],
      broken: () => {
        throw Object.assign(new Error("no such facility"), { code: "NOT_FOUND" });
      },
    },
  });
});

afterAll(() => served.close());

const EXECUTE = `mutation($plan: PlanInput!) {
  executePlan(plan: $plan) {
    requestId
    results { success tool data error { code message } metadata { executionTime timestamp } stepIndex resolvedParams }
    metadata { totalDurationMs successfulSteps failedSteps timestamp }
  }
}`;

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test("the document's plan gives exactly the document's fields", async () => {
  const plan = {
    requestId: "scenario-1",
    steps: [
      { tool: "facilities_list", params: { location: "Stuttgart" }, dependsOn: [], parallel: false },
      {
        tool: "shipments_list",
        params: { facility_id: "${step[0].data[0].id}" },
        dependsOn: [0],
        parallel: false,
      },
    ],
  };
  const { status, data, errors } = await served.ask(EXECUTE, { plan });
  expect(errors).toBeUndefined();
  expect(status).toBe(200);
  expect(data.executePlan).toEqual({
    requestId: "scenario-1",
    results: [
      {
        success: true,
        tool: "facilities_list",
        data: [{ id: "F1", location: "Stuttgart" }],
        error: null,
        metadata: { executionTime: expect.any(Number), timestamp: TIME },
        stepIndex: 0,
        resolvedParams: { location: "Stuttgart" },
      },
      {
        success: true,
        tool: "shipments_list",
        data: [{ facility_id: "F1", status: "IN_TRANSIT" }],
        error: null,
        metadata: { executionTime: expect.any(Number), timestamp: TIME },
        stepIndex: 1,
        resolvedParams: { facility_id: "F1" },
      },
    ],
    metadata: { totalDurationMs: expect.any(Number), successfulSteps: 2, failedSteps: 0, timestamp: TIME },
  });
});

test("a failure stops the plan, unless the step is optional", async () => {
  const steps = (optional: boolean) => [
    { tool: "broken", params: {}, optional },
    { tool: "facilities_list", params: { location: "Ulm" } },
  ];
  const stopped = await served.ask(EXECUTE, { plan: { steps: steps(false) } });
  expect(stopped.data.executePlan).toMatchObject({
    requestId: null,
    results: [
      {
        success: false,
        tool: "broken",
        data: null,
        error: { code: "NOT_FOUND", message: "no such facility" },
      },
    ],
    metadata: { successfulSteps: 0, failedSteps: 1 },
  });
  const went = await served.ask(EXECUTE, { plan: { steps: steps(true) } });
  expect(went.data.executePlan.metadata).toMatchObject({ successfulSteps: 1, failedSteps: 1 });
});

test("a plan that refers to a later step is refused before anything runs", async () => {
  const steps = [
    { tool: "shipments_list", params: { facility_id: "${step[1].data}" } },
    { tool: "facilities_list" },
  ];
  const { data, errors } = await served.ask(EXECUTE, { plan: { steps } });
  expect(data).toBeNull();
  expect(errors?.[0]?.extensions).toMatchObject({
    code: "PLAN_ERROR",
    diagnostics: [{ code: "later-step" }],
  });
});

test("the types have the document's names and nullability", () => {
  const schema = buildSchema(readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8"));
  const printed = (name: string) => {
    const fields = Object.values((schema.getType(name) as GraphQLObjectType).getFields());
    return fields.map((field) => `${field.name}: ${field.type}`);
  };
  expect(printed("PlanStep")).toEqual([
    "tool: String!",
    "params: JSON!",
    "dependsOn: [Int!]",
    "parallel: Boolean!",
    "optional: Boolean!",
    "retryCount: Int",
    "timeout: Int",
  ]);
  expect(printed("ToolResult")).toEqual([
    "success: Boolean!",
    "tool: String!",
    "data: JSON",
    "error: ErrorDetails",
    "metadata: ToolResultMetadata!",
    "stepIndex: Int!",
    "resolvedParams: JSON",
  ]);
  expect(printed("ErrorDetails")).toEqual(["code: String!", "message: String!"]);
  expect(printed("PlanInput")).toEqual(["requestId: ID", "steps: [PlanStepInput!]!"]);
  expect(printed("PlanStepInput")).toEqual([
    "tool: String!",
    "params: JSON",
    "dependsOn: [Int!]",
    "parallel: Boolean",
    "optional: Boolean",
    "retryCount: Int",
    "timeout: Int",
  ]);
});
