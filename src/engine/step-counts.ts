import type { RunState } from "../core/state.ts";

/** How the plan's own steps stand. */
export interface StepCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Skipped, blocked or cancelled: ended without having run. */
  readonly notRun: number;
  readonly running: number;
  readonly waiting: number;
}

export function countSteps({ program, root }: RunState): StepCounts {
  const counts = {
    total: program.blocks[0].steps.length,
    completed: 0,
    failed: 0,
    notRun: 0,
    running: 0,
    waiting: 0,
  };
  for (const { status } of root.steps) {
    if (status === "skipped" || status === "blocked" || status === "cancelled") counts.notRun++;
    else if (status === "completed" || status === "failed" || status === "waiting") counts[status]++;
    else if (status !== "pending") counts.running++;
  }
  return counts;
}
