export { type Clock, SimulatedClock, systemClock } from "./base/clock.ts";
export { SequiturError } from "./base/error.ts";
export * from "./compiler.ts";
export type { Driver } from "./drivers/driver.ts";
export { createEngine, type Engine, type EngineOptions, type StartOptions } from "./engine/engine.ts";
export type { ExecutionResults, ToolResult } from "./engine/execution-results.ts";
export { PlanError } from "./engine/plan-error.ts";
export type { QuestionRecord, RunResult, StepRecord } from "./engine/result.ts";
export type { Run } from "./engine/run.ts";
export type { TraceEvent } from "./engine/trace.ts";
export {
  defineTool,
  Suspension,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  ToolError,
} from "./tools/tool.ts";
export { type PlanTestOptions, type PlanTestResult, runPlanTests } from "./engine/plan-tests.ts";
