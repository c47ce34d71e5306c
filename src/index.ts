export { type Clock, SimulatedClock, systemClock } from "./base/clock.ts";
export { SequiturError } from "./base/error.ts";
export * from "./compiler.ts";
export type { ContextChange, ContextProvider } from "./context/context.ts";
export type { ContextNews, ObservedEvent } from "./context/context-store.ts";
export { isReferenceFailure } from "./core/step-error.ts";
export type { Driver, RunFilter } from "./drivers/driver.ts";
export type { ConditionSeen } from "./engine/condition-report.ts";
export { type Context, type ContextOptions, createContext } from "./engine/create-context.ts";
export type { DurationCounts } from "./engine/durations.ts";
export { createEngine, type Engine } from "./engine/engine.ts";
export type { ExecutionResults, ToolResult } from "./engine/execution-results.ts";
export type { EngineMetrics } from "./engine/metrics.ts";
export type { EngineOptions, StartOptions } from "./engine/options.ts";
export { PlanError } from "./engine/plan-error.ts";
export { type PlanTestOptions, type PlanTestResult, runPlanTests } from "./engine/plan-tests.ts";
export type { ItemCounts, StepProgress } from "./engine/progress.ts";
export type { ReplayReport } from "./engine/replay.ts";
export type { QuestionRecord, RunResult, StepRecord } from "./engine/result.ts";
export type { Run } from "./engine/run.ts";
export type { RunSummary } from "./engine/run-summary.ts";
export { readSecretsFile, type SecretSource } from "./engine/secrets.ts";
export type { StepCounts } from "./engine/step-counts.ts";
export type { TraceEvent } from "./engine/trace.ts";
export { FileAccessError } from "./files/file-access-error.ts";
export type { FileStoreOptions } from "./files/file-store.ts";
export type { FileTokenScopes } from "./files/file-token.ts";
export type { FileDescription, PathDescription, RunFiles } from "./files/granted-files.ts";
export type { HttpOptions } from "./tools/http/client.ts";
export {
  defineTool,
  Suspension,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  ToolError,
} from "./tools/tool.ts";
