/* A plan of each language to begin with, offered where nothing is written yet. */
import type { Offer } from "./completion.ts";

const PLANS = [
  {
    label: "action plan",
    detail: "steps with ids, {{id.result}}",
    text: `[\n  {\n    "id": "first",\n    "tool": "▮",\n    "arguments": {}\n  }\n]\n`,
  },
  {
    label: "step plan",
    detail: "steps by number, ${step[0].data}",
    text: `{\n  "steps": [\n    {\n      "tool": "▮",\n      "params": {}\n    }\n  ]\n}\n`,
  },
  {
    label: "agent",
    detail: "instructions that call agents, REF:id.key",
    text: `{\n  "arguments": [],\n  "instructions": [\n    {\n      "execution_id": "first",\n      "agent_definition_path": "▮",\n      "arguments": {}\n    }\n  ],\n  "response_reference_map": {}\n}\n`,
  },
] as const;

export const skeletons: readonly Offer[] = PLANS.map(({ label, detail, text }) => {
  return { label, kind: "word", detail, insert: text.replace("▮", ""), caret: text.indexOf("▮") };
});
