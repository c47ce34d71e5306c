/* Who may do what: every field of the schema has a rule, and every door is shut to those without its scope. */
import { readFileSync } from "node:fs";
import { buildSchema, isObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Access, filePrefixes, mayRunPlan, scopeProblem } from "../../src/server/access.ts";
import { guardedSchema, type Roots } from "../../src/server/guarded-schema.ts";
import { RULES } from "../../src/server/rules.ts";
import { type Served, serve } from "./served.ts";

const TEXT = readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8");

function fieldsOf(text: string): string[] {
  const types = Object.values(buildSchema(text).getTypeMap()).filter((type) => isObjectType(type));
  return types
    .filter(({ name }) => !name.startsWith("__"))
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
}

describe("rules", () => {
  test("every field of the schema has one, and every rule has a field", () => {
    const ruled = Object.entries(RULES).flatMap(([type, fields]) =>
      Object.keys(fields).map((field) => `${type}.${field}`),
    );
    expect(ruled.sort()).toEqual(fieldsOf(TEXT).sort());
  });

  test("a schema with a field that has none does not start", () => {
    const more = TEXT.replace("type Query {", "type Query {\n  everything: JSON");
    const roots = { Query: {}, Mutation: {}, Subscription: {} } as unknown as Roots;
    expect(() => guardedSchema(more, roots, RULES, 10)).toThrow("The field Query.everything has no rule");
  });
});

describe("doors", () => {
  let served: Served;
  let tokens: Record<string, string>;

  beforeAll(async () => {
    served = await serve({ tools: { echo: (params: unknown) => params } });
    tokens = {
      "runs:read": await served.token("reader", "runs:read"),
      "runs:write": await served.token("writer", "runs:write"),
      "plans:run:*": await served.token("runner", "plans:run:*"),
      nothing: await served.token("nobody", "files:/x"),
    };
  });

  afterAll(() => served.close());

  /** Every root field, with the one scope that opens it. A new field without a line here fails the first test. */
  const DOORS: readonly (readonly [field: string, scope: string, query: string])[] = [
    ["Query.runs", "runs:read", "{ runs { nodes { id } } }"],
    ["Query.run", "runs:read", `{ run(id: "x") { id } }`],
    ["Query.tools", "", "{ tools { name } }"],
    ["Query.agents", "", "{ agents { path } }"],
    ["Query.checkPlan", "", `{ checkPlan(text: "[]") { ok } }`],
    ["Query.explainPlan", "", `{ explainPlan(text: "[]") { callsMax } }`],
    ["Mutation.startRun", "plans:run:*", `mutation { startRun(text: "[]") { id } }`],
    ["Mutation.executePlan", "plans:run:*", "mutation { executePlan(plan: { steps: [] }) { requestId } }"],
    ["Mutation.provideInputs", "runs:write", `mutation { provideInputs(id: "x", inputs: {}) { id } }`],
    [
      "Mutation.confirmStep",
      "runs:write",
      `mutation { confirmStep(id: "x", stepId: "0", yes: true) { id } }`,
    ],
    ["Mutation.cancelRun", "runs:write", `mutation { cancelRun(id: "x") { id } }`],
    ["Mutation.resumeRun", "runs:write", `mutation { resumeRun(id: "x") { id } }`],
    ["Subscription.runEvents", "runs:read", `subscription { runEvents(id: "x") { seq } }`],
    ["Subscription.runHistory", "runs:read", `subscription { runHistory(id: "x") { seq } }`],
    ["Subscription.runsChanged", "runs:read", "subscription { runsChanged { missed } }"],
  ];

  test("are all here", () => {
    const roots = fieldsOf(TEXT).filter((field) => /^(Query|Mutation|Subscription)\./.test(field));
    expect(DOORS.map(([field]) => field).sort()).toEqual(roots.sort());
  });

  test.each(DOORS)("%s needs %s", async (field, scope, query) => {
    for (const [held, token] of Object.entries(tokens)) {
      const mayPass = scope === "" || held === scope;
      // What may pass a subscription would stay open.
      if (mayPass && field === "Subscription.runsChanged") continue;
      const { status, errors } = await served.ask(query, {}, { token });
      const codes = errors?.map((error) => error.extensions?.code) ?? [];
      if (mayPass) expect(codes, `with ${held}`).not.toContain("FORBIDDEN");
      else {
        expect(codes, `with ${held}`).toContain("FORBIDDEN");
        expect(status).toBe(403);
      }
    }
  });

  test("plans of the caller's own need plans:run:*; agents of the server a pattern that names them", async () => {
    const token = await served.token("narrow", "plans:run:/agents/core/ma*");
    const own = await served.ask(
      `mutation { startRun(text: "{\\"name\\":\\"/agents/core/math.agent\\",\\"steps\\":[]}") { id } }`,
      {},
      { token },
    );
    expect(own).toMatchObject({ status: 403 });
    const start =
      'mutation($agent: String) { startRun(agent: $agent, arguments: { expression: "1 + 1" }) { id status } }';
    const named = await served.ask(start, { agent: "/agents/core/math.agent" }, { token });
    expect(named.errors).toBeUndefined();
    const other = await served.ask(start, { agent: "/agents/core/wait.agent" }, { token });
    expect(other).toMatchObject({
      status: 403,
      errors: [{ message: "This needs the scope plans:run:/agents/core/wait.agent." }],
    });
  });
});

describe("scopes", () => {
  const access = (...scopes: readonly string[]): Access => ({ subject: "x", scopes });

  test.each([
    ["plans:run:/a/b.agent", "/a/b.agent", true],
    ["plans:run:/a/b.agent", "/a/b.agent2", false],
    ["plans:run:/a/*", "/a/b/c.agent", true],
    ["plans:run:/a/*", "/b/a/c.agent", false],
    ["plans:run:*.agent", "/a/b.agent", true],
    ["plans:run:/a/*b*.agent", "/a/xbx.agent", true],
    ["plans:run:/a/*b*.agent", "/a/x.agent", false],
    ["plans:run:/ab*ba", "/aba", false],
    ["admin", "/a/b.agent", true],
    ["runs:read", "/a/b.agent", false],
  ])("%s and %s: %s", (scope, agent, allowed) => {
    expect(mayRunPlan(access(scope), agent)).toBe(allowed);
  });

  test("only * covers a plan that the caller has written", () => {
    expect(mayRunPlan(access("plans:run:*"), undefined)).toBe(true);
    expect(mayRunPlan(access("plans:run:**"), undefined)).toBe(false);
    expect(mayRunPlan(access("plans:run:/a/*"), undefined)).toBe(false);
  });

  test("files are prefixes without tricks", () => {
    expect(filePrefixes(access("files:/reports", "files:/in"))).toEqual(["/reports", "/in"]);
    expect(filePrefixes(access("runs:read"))).toEqual([]);
    for (const scope of [
      "files:reports",
      "files:/a/../b",
      "files:/..",
      "files:/*",
      "plans:run:",
      "plans:run:a b",
      "root",
      "",
    ]) {
      expect(scopeProblem(scope), scope).toContain("is no scope");
    }
    for (const scope of ["files:/", "files:/a/b", "plans:run:*", "runs:read", "runs:write", "admin"]) {
      expect(scopeProblem(scope), scope).toBeUndefined();
    }
  });
});
