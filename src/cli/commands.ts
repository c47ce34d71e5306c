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
    name: "plan",
    summary: "ask a model for a plan that reaches a goal with your tools",
    load: () => import("./plan.ts"),
  },
  {
    name: "graph",
    summary: "draw a plan: what waits for what, and what it will call",
    load: () => import("./graph.ts"),
  },
  {
    name: "convert",
    summary: "write a plan in another of the three languages",
    load: () => import("./convert.ts"),
  },
  {
    name: "test",
    summary: "run plan tests: canned tools, simulated time",
    load: () => import("./test.ts"),
  },
  {
    name: "runs",
    summary: "list the runs in the store",
    load: () => import("./runs.ts"),
  },
  {
    name: "show",
    summary: "show a run: its steps, its questions, what it gave",
    load: () => import("./show.ts"),
  },
  {
    name: "resume",
    summary: "go on with a run that was interrupted, waits or failed",
    load: () => import("./resume.ts"),
  },
  {
    name: "input",
    summary: "answer what a run asks, and go on with it",
    load: () => import("./input.ts"),
  },
  {
    name: "confirm",
    summary: "say yes or no to a step that waits, and go on",
    load: () => import("./confirm.ts"),
  },
  {
    name: "cancel",
    summary: "cancel a run that waits or was interrupted",
    load: () => import("./cancel.ts"),
  },
  {
    name: "replay",
    summary: "fold a run's journal again and verify it",
    load: () => import("./replay.ts"),
  },
  {
    name: "gc",
    summary: "remove runs that ended long ago",
    load: () => import("./gc.ts"),
  },
  {
    name: "collection",
    summary: "put, find and remove documents behind context variables",
    load: () => import("./collection.ts"),
  },
  {
    name: "types",
    summary: "write TypeScript types of tools and agents",
    load: () => import("./write-types.ts"),
  },
  {
    name: "serve",
    summary: "serve GraphQL and the web application",
    load: () => import("./serve.ts"),
  },
  {
    name: "worker",
    summary: "carry out runs for a Restate server",
    load: () => import("./worker.ts"),
  },
  {
    name: "recorder",
    summary: "write down runs of workers on other machines",
    load: () => import("./recorder.ts"),
  },
  {
    name: "mcp",
    summary: "serve plans to models, over MCP",
    load: () => import("./mcp.ts"),
  },
  {
    name: "token",
    summary: "issue, list and revoke tokens for the server",
    load: () => import("./token.ts"),
  },
  {
    name: "init",
    summary: "make a small project that runs",
    load: () => import("./init.ts"),
  },
];
