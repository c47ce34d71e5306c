import type { DialectName } from "../../../src/compiler.ts";

export const LANGUAGES: Readonly<Record<DialectName, { readonly name: string; readonly article: string }>> = {
  agent: { name: "Agent", article: "an agent" },
  steps: { name: "Step plan", article: "a step plan" },
  actions: { name: "Action plan", article: "an action plan" },
};
