/* Made from schema.graphql by test/server/schema-types.test.ts; `npx vitest run test/server/schema-types.test.ts -u` makes it anew. */
import type { Json } from "../index.ts";
import type { Resolves } from "./resolves.ts";

export interface Query {
  readonly runs: Resolves<
    RunConnection,
    { readonly first: number | null; readonly after?: string | null; readonly filter?: RunFilter | null }
  >;
  readonly run: Resolves<Run | null | undefined, { readonly id: string }>;
  readonly tools: Resolves<readonly Tool[]>;
  readonly agents: Resolves<readonly Agent[]>;
  readonly checkPlan: Resolves<
    PlanCheck,
    {
      readonly source?: Json | null;
      readonly text?: string | null;
      readonly agent?: string | null;
      readonly dialect?: Dialect | null;
    }
  >;
  readonly explainPlan: Resolves<
    Explanation,
    {
      readonly source?: Json | null;
      readonly text?: string | null;
      readonly agent?: string | null;
      readonly dialect?: Dialect | null;
    }
  >;
}

export interface Mutation {
  readonly startRun: Resolves<
    Run,
    {
      readonly source?: Json | null;
      readonly text?: string | null;
      readonly agent?: string | null;
      readonly dialect?: Dialect | null;
      readonly arguments?: Json | null;
      readonly inputs?: Json | null;
      readonly context?: Json | null;
      readonly mode: Mode | null;
      readonly deadlineMs?: number | null;
      readonly idempotencyKey?: string | null;
    }
  >;
  readonly executePlan: Resolves<
    ExecutionResults,
    { readonly plan: PlanInput; readonly idempotencyKey?: string | null }
  >;
  readonly provideInputs: Resolves<Run, { readonly id: string; readonly inputs: Json }>;
  readonly confirmStep: Resolves<
    Run,
    { readonly id: string; readonly stepId: string; readonly yes: boolean }
  >;
  readonly cancelRun: Resolves<Run, { readonly id: string; readonly reason?: string | null }>;
  readonly resumeRun: Resolves<Run, { readonly id: string }>;
}

export interface Subscription {
  readonly runEvents: Resolves<RunEvent, { readonly id: string; readonly after: number | null }>;
  readonly runHistory: Resolves<readonly RunEvent[], { readonly id: string; readonly after: number | null }>;
  readonly runsChanged: Resolves<RunsChange>;
}

export type Dialect = "agent" | "steps" | "actions";

export type Mode = "stop" | "continue";

export type RunStatus = "running" | "waiting" | "completed" | "failed" | "cancelled" | "partial_success";

export type StepStatus =
  | "pending"
  | "ready"
  | "running"
  | "waiting"
  | "completed"
  | "failed"
  | "skipped"
  | "blocked"
  | "cancelled";

export type Severity = "error" | "warning" | "info";

export type QuestionKind = "input" | "confirmation";

export interface PlanInput {
  readonly requestId?: string | null;
  readonly steps: readonly PlanStepInput[];
}

export interface PlanStepInput {
  readonly tool: string;
  readonly params?: Json | null;
  readonly dependsOn?: readonly number[] | null;
  readonly parallel: boolean | null;
  readonly optional: boolean | null;
  readonly retryCount?: number | null;
  readonly timeout?: number | null;
}

export interface PlanStep {
  readonly tool: Resolves<string>;
  readonly params: Resolves<Json>;
  readonly dependsOn?: Resolves<readonly number[] | null | undefined>;
  readonly parallel: Resolves<boolean>;
  readonly optional: Resolves<boolean>;
  readonly retryCount?: Resolves<number | null | undefined>;
  readonly timeout?: Resolves<number | null | undefined>;
}

export interface ExecutionResults {
  readonly requestId?: Resolves<string | null | undefined>;
  readonly results: Resolves<readonly ToolResult[]>;
  readonly metadata: Resolves<ExecutionMetadata>;
  readonly notRun: Resolves<readonly NotRunStep[]>;
}

export interface ToolResult {
  readonly success: Resolves<boolean>;
  readonly tool: Resolves<string>;
  readonly data?: Resolves<Json | null | undefined>;
  readonly error?: Resolves<ErrorDetails | null | undefined>;
  readonly metadata: Resolves<ToolResultMetadata>;
  readonly stepIndex: Resolves<number>;
  readonly resolvedParams?: Resolves<Json | null | undefined>;
}

export interface ErrorDetails {
  readonly code: Resolves<string>;
  readonly message: Resolves<string>;
}

export interface ToolResultMetadata {
  readonly executionTime: Resolves<number>;
  readonly timestamp: Resolves<string>;
}

export interface ExecutionMetadata {
  readonly totalDurationMs: Resolves<number>;
  readonly successfulSteps: Resolves<number>;
  readonly failedSteps: Resolves<number>;
  readonly timestamp: Resolves<string>;
}

export interface NotRunStep {
  readonly stepIndex: Resolves<number>;
  readonly tool: Resolves<string>;
  readonly reason: Resolves<string>;
}

export interface RunFilter {
  readonly status?: RunStatus | null;
  readonly plan?: string | null;
  readonly search?: string | null;
  readonly startedFrom?: string | null;
  readonly startedBefore?: string | null;
}

export interface RunConnection {
  readonly edges: Resolves<readonly RunEdge[]>;
  readonly nodes: Resolves<readonly RunSummary[]>;
  readonly pageInfo: Resolves<PageInfo>;
}

export interface RunEdge {
  readonly cursor: Resolves<string>;
  readonly node: Resolves<RunSummary>;
}

export interface PageInfo {
  readonly hasNextPage: Resolves<boolean>;
  readonly hasPreviousPage: Resolves<boolean>;
  readonly startCursor?: Resolves<string | null | undefined>;
  readonly endCursor?: Resolves<string | null | undefined>;
}

export interface RunSummary {
  readonly id: Resolves<string>;
  readonly plan?: Resolves<string | null | undefined>;
  readonly dialect: Resolves<Dialect>;
  readonly status: Resolves<RunStatus>;
  readonly startedAt: Resolves<string>;
  readonly finishedAt?: Resolves<string | null | undefined>;
  readonly progress?: Resolves<StepCounts | null | undefined>;
}

export interface StepCounts {
  readonly total: Resolves<number>;
  readonly completed: Resolves<number>;
  readonly failed: Resolves<number>;
  readonly notRun: Resolves<number>;
  readonly running: Resolves<number>;
  readonly waiting: Resolves<number>;
}

export interface Run {
  readonly id: Resolves<string>;
  readonly plan?: Resolves<string | null | undefined>;
  readonly dialect: Resolves<Dialect>;
  readonly status: Resolves<RunStatus>;
  readonly response?: Resolves<Json | null | undefined>;
  readonly execution?: Resolves<ExecutionResults | null | undefined>;
  readonly planSteps?: Resolves<readonly PlanStep[] | null | undefined>;
  readonly steps: Resolves<readonly Step[], { readonly first: number | null; readonly after: number | null }>;
  readonly step?: Resolves<Step | null | undefined, { readonly id: string }>;
  readonly stepCount: Resolves<number>;
  readonly events: Resolves<
    readonly RunEvent[],
    { readonly first: number | null; readonly after: number | null }
  >;
  readonly context: Resolves<Json>;
  readonly error?: Resolves<RunError | null | undefined>;
  readonly questions: Resolves<readonly RunQuestion[]>;
  readonly startedAt: Resolves<string>;
  readonly finishedAt?: Resolves<string | null | undefined>;
  readonly durationMs: Resolves<number>;
  readonly startedBy?: Resolves<string | null | undefined>;
  readonly graph: Resolves<Graph>;
  readonly outline: Resolves<Json>;
  readonly source?: Resolves<Json | null | undefined>;
  readonly conditions: Resolves<readonly ConditionSeen[], { readonly step: string }>;
  readonly logs: Resolves<readonly LogLine[], { readonly step?: string | null }>;
  readonly progress?: Resolves<StepCounts | null | undefined>;
}

export interface ConditionSeen {
  readonly text: Resolves<string>;
  readonly held: Resolves<boolean>;
  readonly depth: Resolves<number>;
  readonly saw?: Resolves<Json | null | undefined>;
  readonly wanted?: Resolves<Json | null | undefined>;
}

export interface LogLine {
  readonly at: Resolves<string>;
  readonly step: Resolves<string>;
  readonly message: Resolves<string>;
  readonly data?: Resolves<Json | null | undefined>;
}

export interface Step {
  readonly id: Resolves<string>;
  readonly status: Resolves<StepStatus>;
  readonly arguments?: Resolves<Json | null | undefined>;
  readonly result?: Resolves<Json | null | undefined>;
  readonly error?: Resolves<RunError | null | undefined>;
  readonly reason?: Resolves<string | null | undefined>;
  readonly attempts: Resolves<number>;
  readonly usage?: Resolves<ModelUsage | null | undefined>;
  readonly startedAt?: Resolves<string | null | undefined>;
  readonly finishedAt?: Resolves<string | null | undefined>;
  readonly durationMs?: Resolves<number | null | undefined>;
}

export interface ModelUsage {
  readonly calls: Resolves<number>;
  readonly inputTokens: Resolves<number>;
  readonly outputTokens: Resolves<number>;
  readonly cost?: Resolves<number | null | undefined>;
}

export interface RunError {
  readonly name: Resolves<string>;
  readonly code: Resolves<string>;
  readonly message: Resolves<string>;
}

export interface RunQuestion {
  readonly name: Resolves<string>;
  readonly kind: Resolves<QuestionKind>;
  readonly stepIds: Resolves<readonly string[]>;
  readonly schema?: Resolves<Json | null | undefined>;
  readonly description?: Resolves<string | null | undefined>;
}

export interface RunEvent {
  readonly seq: Resolves<number>;
  readonly kind: Resolves<string>;
  readonly at: Resolves<string>;
  readonly step?: Resolves<string | null | undefined>;
  readonly data: Resolves<Json>;
}

export interface RunsChange {
  readonly runs: Resolves<readonly RunSummary[]>;
  readonly missed: Resolves<boolean>;
}

export interface Graph {
  readonly steps: Resolves<readonly GraphStep[]>;
  readonly edges: Resolves<readonly GraphEdge[]>;
  readonly levels: Resolves<readonly (readonly string[])[]>;
}

export interface GraphStep {
  readonly id: Resolves<string>;
  readonly kind: Resolves<string>;
  readonly calls: Resolves<string>;
  readonly level: Resolves<number>;
  readonly dependsOn: Resolves<readonly string[]>;
  readonly marks: Resolves<readonly GraphMark[]>;
}

export interface GraphMark {
  readonly kind: Resolves<string>;
  readonly text: Resolves<string>;
}

export interface GraphEdge {
  readonly from: Resolves<string>;
  readonly to: Resolves<string>;
  readonly kind: Resolves<string>;
}

export interface PlanCheck {
  readonly ok: Resolves<boolean>;
  readonly dialect?: Resolves<Dialect | null | undefined>;
  readonly diagnostics: Resolves<readonly Diagnostic[]>;
  readonly fixedText?: Resolves<string | null | undefined>;
  readonly graph?: Resolves<Graph | null | undefined>;
}

export interface Diagnostic {
  readonly code: Resolves<string>;
  readonly name: Resolves<string>;
  readonly severity: Resolves<Severity>;
  readonly message: Resolves<string>;
  readonly line?: Resolves<number | null | undefined>;
  readonly column?: Resolves<number | null | undefined>;
  readonly endLine?: Resolves<number | null | undefined>;
  readonly endColumn?: Resolves<number | null | undefined>;
  readonly pointer: Resolves<string>;
  readonly file?: Resolves<string | null | undefined>;
  readonly hints: Resolves<readonly string[]>;
  readonly fix?: Resolves<Fix | null | undefined>;
}

export interface Fix {
  readonly title: Resolves<string>;
  readonly edits: Resolves<Json>;
}

export interface Explanation {
  readonly calls: Resolves<readonly CallCount[]>;
  readonly callsMax?: Resolves<number | null | undefined>;
  readonly longestChain: Resolves<readonly string[]>;
  readonly questions: Resolves<readonly RunQuestion[]>;
  readonly confirmations: Resolves<readonly string[]>;
  readonly sideEffects: Resolves<readonly string[]>;
  readonly graph: Resolves<Graph>;
}

export interface CallCount {
  readonly kind: Resolves<string>;
  readonly name: Resolves<string>;
  readonly callsMax?: Resolves<number | null | undefined>;
  readonly unbounded?: Resolves<string | null | undefined>;
  readonly stepIds: Resolves<readonly string[]>;
}

export interface Tool {
  readonly name: Resolves<string>;
  readonly description?: Resolves<string | null | undefined>;
  readonly input?: Resolves<Json | null | undefined>;
  readonly output?: Resolves<Json | null | undefined>;
  readonly sideEffects: Resolves<boolean>;
  readonly requiresConfirmation: Resolves<boolean>;
}

export interface Agent {
  readonly path: Resolves<string>;
  readonly name?: Resolves<string | null | undefined>;
  readonly description?: Resolves<string | null | undefined>;
  readonly arguments?: Resolves<Json | null | undefined>;
  readonly responses?: Resolves<Json | null | undefined>;
  readonly definition?: Resolves<Json | null | undefined>;
}
