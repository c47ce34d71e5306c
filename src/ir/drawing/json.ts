import { type Explanation, explain, levels, type Placeholder, placeholders } from "../analysis.ts";
import type { Program } from "../program.ts";
import { type Mark, type SketchEdge, type SketchStep, sketch } from "./sketch.ts";

/** The graph as data. Steps are named by their ids. */
export interface GraphData {
  readonly steps: readonly StepData[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly kind: SketchEdge["kind"];
  }[];
  readonly levels: readonly (readonly string[])[];
  readonly placeholders: readonly Placeholder[];
  readonly explain: Explanation;
}

export interface StepData {
  readonly id: string;
  readonly kind: SketchStep["kind"];
  /** The tool or the agent that the step calls. */
  readonly calls: string;
  readonly level: number;
  readonly dependsOn: readonly string[];
  readonly marks: readonly Mark[];
}

export function drawJson(program: Program): GraphData {
  const { steps, edges } = sketch(program);
  const idOf = (step: number): string => steps[step]?.id ?? "";
  return {
    steps: steps.map(({ id, kind, calls, level, waitsFor, marks }) => {
      return { id, kind, calls, level, dependsOn: waitsFor.map(idOf), marks };
    }),
    edges: edges.map(({ from, to, kind }) => ({ from: idOf(from), to: idOf(to), kind })),
    levels: levels(program),
    placeholders: placeholders(program),
    explain: explain(program),
  };
}
