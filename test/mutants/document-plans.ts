/* The documents' examples, in our own words, as neutral plans. */
import type { Json, JsonObject } from "../../src/base/json.ts";
import {
  type NeutralPlan,
  type NeutralStep,
  type NeutralTool,
  neutral,
  neutralPath,
} from "./neutral-plan.ts";

const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const number = { type: "number" };
const list = { type: "array" };

const tool = (input: JsonObject, output: JsonObject): NeutralTool => ({
  input: object(input),
  output: object(output),
});

/** References are written `<step.path>`. */
function step(id: string, name: string, args: JsonObject): NeutralStep {
  const split = (value: Json) =>
    neutral(value, /<([\w-]+)([.[][^>]*)?>/g, ([, step = "", path = ""]) => ({
      step,
      path: neutralPath(path),
    }));
  return {
    id,
    tool: name,
    arguments: Object.fromEntries(Object.entries(args).map(([key, value]) => [key, split(value)])),
  };
}

export function documentPlans(): NeutralPlan[] {
  return [
    {
      id: "pipeline",
      tools: {
        fetch: tool(
          { url: text, retries: number },
          { body: object({ rows: list }), size: number, kind: text },
        ),
        clean: tool({ rows: list, limit: number }, { rows: list, dropped: number }),
        report: tool(
          { rows: list, title: text, dropped: number, draft: { type: "boolean" } },
          { page: text },
        ),
      },
      steps: [
        step("fetch", "fetch", { url: "https://example.org", retries: 2 }),
        step("clean", "clean", { rows: "<fetch.body.rows>", limit: "<fetch.size>" }),
        step("report", "report", {
          rows: "<clean.rows>",
          title: "<fetch.kind>",
          dropped: "<clean.dropped>",
          draft: true,
        }),
      ],
    },
    {
      id: "depots",
      tools: {
        depots: tool({ town: text }, { data: list, count: number }),
        trips: tool({ depot: text, max: number }, { trips: list }),
      },
      steps: [
        step("d", "depots", { town: "Ulm" }),
        step("t", "trips", { depot: "<d.data[0].id>", max: "<d.count>" }),
      ],
    },
    {
      id: "mail",
      tools: {
        read: tool({ sender: text }, { newest: object({ id: text, from: text }), unread: number }),
        answer: tool({ thread: text, to: list, body: text }, { sent: { type: "boolean" } }),
      },
      steps: [
        step("find-ida", "read", { sender: "ida" }),
        step("reply", "answer", {
          thread: "<find-ida.newest.id>",
          to: ["<find-ida.newest.from>"],
          body: "Thanks for <find-ida.unread> mails",
        }),
      ],
    },
    {
      id: "diamond",
      tools: { t: { input: object({ x: {} }), output: object({ y: {} }) } },
      steps: [
        step("A", "t", { x: 1 }),
        step("B", "t", { x: "<A.y>" }),
        step("C", "t", { x: "<A.y>" }),
        step("D", "t", { x: ["<B.y>", "<C.y>"] }),
      ],
    },
  ];
}
