import type { Command } from "./command.ts";

/** A command is one file and one line here. Its file is loaded when it is used, so that the others cost nothing. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: "run",
    summary: "run a plan and watch it happen",
    load: () => import("./run.ts"),
  },
  {
    name: "check",
    summary: "find every problem of plans, before anything runs",
    load: () => import("./check.ts"),
  },
  {
    name: "graph",
    summary: "draw a plan: what waits for what, and what it will call",
    load: () => import("./graph.ts"),
  },
];
