export { type Clock, SimulatedClock, systemClock } from "./base/clock.ts";
export { SequiturError } from "./base/error.ts";
export * from "./compiler.ts";
export type { ContextChange, ContextProvider } from "./context/context.ts";
export type { ContextNews, ObservedEvent } from "./context/context-store.ts";
export { isReferenceFailure } from "./core/step-error.ts";
export type { Usage } from "./core/usage.ts";
export type { Driver, RunFilter } from "./drivers/driver.ts";
export type { ConditionSeen } from "./engine/condition-report.ts";
export { type Context, type ContextOptions, createContext } from "./engine/create-context.ts";
export type { DurationCounts } from "./engine/durations.ts";
export { createEngine, type Engine } from "./engine/engine.ts";
export type { ExecutionResults, ToolResult } from "./engine/execution-results.ts";
export type { EngineMetrics } from "./engine/metrics.ts";
export type { EngineOptions, StartOptions } from "./engine/options.ts";
export { PlanError } from "./engine/plan-error.ts";
export type { PlanOptions } from "./engine/plan-for.ts";
export { type PlanTestOptions, type PlanTestResult, runPlanTests } from "./engine/plan-tests.ts";
export type { ItemCounts, StepProgress } from "./engine/progress.ts";
export { openRemoteTools, type RemoteToolOptions, type RemoteTools } from "./engine/remote-tools.ts";
export type { ReplayReport } from "./engine/replay.ts";
export type { QuestionRecord, RunResult, StepRecord } from "./engine/result.ts";
export type { Run } from "./engine/run.ts";
export type { Budget } from "./engine/run-budget.ts";
export type { RunSummary } from "./engine/run-summary.ts";
export { readSecretsFile, type SecretSource } from "./engine/secrets.ts";
export type { StepCounts } from "./engine/step-counts.ts";
export type { TraceEvent } from "./engine/trace.ts";
export { FileAccessError } from "./files/file-access-error.ts";
export type { FileStoreOptions } from "./files/file-store.ts";
export type { FileTokenScopes } from "./files/file-token.ts";
export type { FileDescription, PathDescription, RunFiles } from "./files/granted-files.ts";
export type { LeftOut } from "./planner/catalogue.ts";
export type { PlannedGoal, PlanningRound } from "./planner/plan-goal.ts";
export type { HttpOptions } from "./tools/http/client.ts";
export type { McpServerConfig } from "./tools/mcp/server-config.ts";
export type { ModelOptions } from "./tools/model/model-options.ts";
export type { OpenApiConfig } from "./tools/openapi/api-config.ts";
export type { FromSchema, ToolTypes } from "./tools/schema-types.ts";
export {
  defineTool,
  type ModelMeter,
  type ModelUse,
  Suspension,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  ToolError,
} from "./tools/tool.ts";
