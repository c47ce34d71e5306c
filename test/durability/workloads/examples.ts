/* The plans in `examples/`, with the tools and agents beside them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "../../../src/base/json.ts";
import { readAgentFolder } from "../../../src/engine/agent-folder.ts";
import type { Tool } from "../../../src/index.ts";
import type { Workload } from "../play.ts";

const FOLDER = new URL("../../../examples/", import.meta.url);
const PLAN = /\.(agent|plan|workflow)\.json$/;

/** What plans are given that need something. */
const GIVEN: Readonly<Record<string, Partial<Workload>>> = {
  "code-tour.agent.json": {
    files: { "src/a/one.ts": "1\n2\n3\n", "src/a/one.test.ts": "1\n", "src/b/two.ts": "x\n".repeat(301) },
  },
  "document-analysis.agent.json": { options: { arguments: { folder: "/in", depth: "deep" } } },
  "onboarding-interview.workflow.json": { options: { arguments: { customer_id: "c-1" } } },
  "order-with-cleanup.agent.json": {
    options: { arguments: { order_id: "o-1", items: ["a", "b"] } },
    answers: { charge: true },
  },
  "reply-to-newest-mail.plan.json": { answers: { reply_message: "Thanks!", reply: true } },
  "translate-batch.agent.json": {
    options: { arguments: { messages: ["hi", "bye", "why"], language: "no" } },
  },
  "weekly-digest.plan.json": { answers: { week_start: "2031-05-05" } },
};

export async function exampleWorkloads(): Promise<Workload[]> {
  const files = (readdirSync(FOLDER, { recursive: true }) as string[]).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const modules = await Promise.all(
    files.filter((file) => file.endsWith(".mjs")).map((file) => import(new URL(file, FOLDER).href)),
  );
  const tools = Object.assign({}, ...modules.map((module: object) => ({ ...module }))) as Record<
    string,
    Tool
  >;
  const agents: Readonly<Record<string, Json>> = await readAgentFolder(
    fileURLToPath(new URL("agents", FOLDER)),
  );
  // Those of `mcp` call servers; their own test starts them.
  const plans = files.filter((file) => PLAN.test(file) && !file.startsWith("mcp/")).sort();
  return plans.map((file) => ({
    title: `examples/${file}`,
    plan: readFileSync(new URL(file, FOLDER), "utf8"),
    tools,
    agents,
    ...GIVEN[file],
  }));
}
