/* Who may ask for what: a rule for every field of the schema. The server does not start where one is missing. */
import { type Access, mayReadRuns, mayRunPlans, mayWriteRuns } from "./access.ts";

export interface Rule {
  /** The scope, for the message; empty where everybody may. */
  readonly needs: string;
  readonly allows: (access: Access) => boolean;
}

const readRuns: Rule = { needs: "runs:read", allows: mayReadRuns };
const writeRuns: Rule = { needs: "runs:write", allows: mayWriteRuns };
/** Which plan it is shows in the arguments, so the resolver looks at it again. */
const runPlans: Rule = { needs: "plans:run:<pattern>", allows: mayRunPlans };
/** Everybody with a token: what there is to be called, and what is wrong with the plan that they sent. */
const anyone: Rule = { needs: "", allows: () => true };
/** Whoever was let to the object may see it. */
const shown = anyone;

export type Rules = Readonly<Record<string, Readonly<Record<string, Rule>>>>;

export const RULES: Rules = {
  Query: {
    runs: readRuns,
    run: readRuns,
    tools: anyone,
    agents: anyone,
    checkPlan: anyone,
    explainPlan: anyone,
  },
  Mutation: {
    startRun: runPlans,
    executePlan: runPlans,
    provideInputs: writeRuns,
    confirmStep: writeRuns,
    cancelRun: writeRuns,
    resumeRun: writeRuns,
  },
  Subscription: { runEvents: readRuns, runHistory: readRuns, runsChanged: readRuns },
  PlanStep: all(shown, "tool", "params", "dependsOn", "parallel", "optional", "retryCount", "timeout"),
  ExecutionResults: all(shown, "requestId", "results", "metadata", "notRun"),
  ToolResult: all(shown, "success", "tool", "data", "error", "metadata", "stepIndex", "resolvedParams"),
  ErrorDetails: all(shown, "code", "message"),
  ToolResultMetadata: all(shown, "executionTime", "timestamp"),
  ExecutionMetadata: all(shown, "totalDurationMs", "successfulSteps", "failedSteps", "timestamp"),
  NotRunStep: all(shown, "stepIndex", "tool", "reason"),
  RunConnection: all(shown, "edges", "nodes", "pageInfo"),
  RunEdge: all(shown, "cursor", "node"),
  PageInfo: all(shown, "hasNextPage", "hasPreviousPage", "startCursor", "endCursor"),
  RunSummary: all(shown, "id", "plan", "dialect", "status", "startedAt", "finishedAt", "progress"),
  StepCounts: all(shown, "total", "completed", "failed", "notRun", "running", "waiting"),
  Run: {
    ...all(
      shown,
      "id",
      "plan",
      "dialect",
      "status",
      "response",
      "execution",
      "planSteps",
      "steps",
      "step",
      "stepCount",
    ),
    ...all(
      shown,
      "events",
      "context",
      "error",
      "questions",
      "startedAt",
      "finishedAt",
      "durationMs",
      "startedBy",
      "graph",
    ),
    ...all(shown, "outline", "source", "conditions", "logs", "progress"),
  },
  ConditionSeen: all(shown, "text", "held", "depth", "saw", "wanted"),
  LogLine: all(shown, "at", "step", "message", "data"),
  Step: {
    ...all(shown, "id", "status", "arguments", "result", "error", "reason", "attempts"),
    ...all(shown, "usage", "startedAt", "finishedAt", "durationMs"),
  },
  ModelUsage: all(shown, "calls", "inputTokens", "outputTokens", "cost"),
  RunError: all(shown, "name", "code", "message"),
  RunQuestion: all(shown, "name", "kind", "stepIds", "schema", "description"),
  RunEvent: all(shown, "seq", "kind", "at", "step", "data"),
  RunsChange: all(shown, "runs", "missed"),
  Graph: all(shown, "steps", "edges", "levels"),
  GraphStep: all(shown, "id", "kind", "calls", "level", "dependsOn", "marks"),
  GraphMark: all(shown, "kind", "text"),
  GraphEdge: all(shown, "from", "to", "kind"),
  PlanCheck: all(shown, "ok", "dialect", "diagnostics", "fixedText", "graph"),
  Diagnostic: {
    ...all(shown, "code", "name", "severity", "message", "line", "column", "endLine", "endColumn"),
    ...all(shown, "pointer", "file", "hints", "fix"),
  },
  Fix: all(shown, "title", "edits"),
  Explanation: {
    ...all(shown, "calls", "callsMax", "longestChain", "questions", "confirmations", "sideEffects", "graph"),
  },
  CallCount: all(shown, "kind", "name", "callsMax", "unbounded", "stepIds"),
  Tool: all(shown, "name", "description", "input", "output", "sideEffects", "requiresConfirmation"),
  Agent: all(shown, "path", "name", "description", "arguments", "responses", "definition"),
};

function all(rule: Rule, ...fields: readonly string[]): Readonly<Record<string, Rule>> {
  return Object.fromEntries(fields.map((field) => [field, rule]));
}
