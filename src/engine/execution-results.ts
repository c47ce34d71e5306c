import type { Json, JsonObject } from "../base/json.ts";
import { argumentsOf } from "../core/arguments.ts";
import { type RunState, type StepState, timeOf } from "../core/state.ts";
import type { StepError } from "../core/step-error.ts";
import type { Step } from "../ir/program.ts";

/** The result of a step plan, as its language has it. */
export interface ExecutionResults {
  readonly requestId: string | null;
  readonly results: readonly ToolResult[];
  /** Steps that never ran, and why. */
  readonly notRun: readonly { readonly stepIndex: number; readonly tool: string; readonly reason: string }[];
  readonly metadata: {
    readonly totalDurationMs: number;
    readonly successfulSteps: number;
    readonly failedSteps: number;
    readonly timestamp: string;
  };
}

export interface ToolResult {
  readonly success: boolean;
  readonly tool: string;
  readonly data: Json;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly metadata: { readonly executionTime: number; readonly timestamp: string };
  readonly stepIndex: number;
  readonly resolvedParams: JsonObject | null;
}

export function executionResults(state: RunState): ExecutionResults {
  const results: ToolResult[] = [];
  const notRun: { stepIndex: number; tool: string; reason: string }[] = [];
  for (const [stepIndex, step] of state.program.blocks[0].steps.entries()) {
    const record = state.root.steps[stepIndex];
    if (record?.status === "completed" || record?.status === "failed")
      results.push(toolResult(state, step, record));
    else
      notRun.push({ stepIndex, tool: toolOf(step), reason: record?.reason ?? record?.status ?? "pending" });
  }
  const successfulSteps = results.filter((result) => result.success).length;
  const end = state.finishedAt > 0 ? state.finishedAt : state.now;
  return {
    requestId: state.program.requestId ?? null,
    results,
    notRun,
    metadata: {
      totalDurationMs: end - state.startedAt,
      successfulSteps,
      failedSteps: results.length - successfulSteps,
      timestamp: new Date(end).toISOString(),
    },
  };
}

function toolResult(state: RunState, step: Step, record: StepState): ToolResult {
  const success = record.status === "completed";
  return {
    success,
    tool: toolOf(step),
    data: success ? (record.value ?? null) : null,
    error: record.error === undefined ? null : { code: codeOf(record.error), message: record.error.message },
    metadata: {
      executionTime: record.startTick > 0 ? record.endTick - record.startTick : 0,
      timestamp: new Date(timeOf(state, record.endTick)).toISOString(),
    },
    stepIndex: step.index,
    resolvedParams: argumentsOf(state, state.root, step.index) ?? null,
  };
}

function toolOf(step: Step): string {
  return step.call.kind === "tool" ? step.call.tool : step.call.agent;
}

/** The tool's own code, `TIMEOUT`, or `EXECUTION_FAILED`. */
function codeOf(error: StepError): string {
  const isOwn = error.name === "ToolError" && error.code !== "TOOL";
  return isOwn || error.code === "TIMEOUT" ? error.code : "EXECUTION_FAILED";
}
