/* The plans in `examples/`, with the tools and agents beside them. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "../../../src/base/json.ts";
import { readAgentFolder } from "../../../src/engine/agent-folder.ts";
import type { Tool } from "../../../src/index.ts";
import type { Workload } from "../play.ts";

const FOLDER = new URL("../../../examples/", import.meta.url);
const MODULES = ["documents", "interview", "logistics", "office"];

const GIVEN: Readonly<Record<string, Partial<Workload>>> = {
  "document-analysis.agent.json": { options: { arguments: { folder: "/in", depth: "deep" } } },
  "facility-shipments.plan.json": {},
  "interview.workflow.json": {},
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
  const modules = await Promise.all(
    MODULES.map((name) => import(new URL(`tools/${name}.mjs`, FOLDER).href) as Promise<Record<string, Tool>>),
  );
  const tools = Object.assign({}, ...modules.map((module) => ({ ...module }))) as Record<string, Tool>;
  const agents: Readonly<Record<string, Json>> = await readAgentFolder(
    fileURLToPath(new URL("agents", FOLDER)),
  );
  return Object.entries(GIVEN).map(([file, given]) => ({
    title: `examples/${file}`,
    plan: readFileSync(new URL(file, FOLDER), "utf8"),
    tools,
    agents,
    ...given,
  }));
}
