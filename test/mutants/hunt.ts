import { compile } from "../../src/compiler.ts";
import { MUTATIONS } from "./mutations.ts";
import type { NeutralPlan } from "./neutral-plan.ts";
import { LANGUAGES, type WrittenPlan, writePlan } from "./write-plan.ts";

export interface Hunt {
  /** Plans, written in a language, that check clean as they are. */
  clean: number;
  /** Those that do not: the corpus itself is wrong there, and nothing can be learnt from a mutant. */
  readonly setAside: Map<string, number>;
  readonly results: Map<string, { caught: number; total: number; readonly missed: string[] }>;
}

/** Makes every mutant of every plan in every language, and counts those in which the compiler finds an error. */
export function hunt(plans: readonly NeutralPlan[]): Hunt {
  const found: Hunt = { clean: 0, setAside: new Map(), results: new Map() };
  for (const plan of plans) {
    for (const language of LANGUAGES) {
      const written = writePlan(plan, language);
      if (written === undefined) continue;
      const problem = firstError(written);
      if (problem === undefined) found.clean++;
      else found.setAside.set(problem, (found.setAside.get(problem) ?? 0) + 1);
      if (problem === undefined) huntOne(plan, written, found);
    }
  }
  return found;
}

function huntOne(plan: NeutralPlan, { language, options }: WrittenPlan, { results }: Hunt): void {
  for (const { name, mutants } of MUTATIONS) {
    const result = results.get(name) ?? { caught: 0, total: 0, missed: [] };
    results.set(name, result);
    for (const mutant of mutants(plan, language)) {
      const written = writePlan(mutant, language);
      if (written === undefined) continue;
      result.total++;
      // The tools stay as they were declared: only the plan is wrong.
      if (firstError({ ...written, options }) !== undefined) result.caught++;
      else result.missed.push(`${plan.id} (${language}): ${JSON.stringify(written.plan)}`);
    }
  }
}

function firstError({ plan, options }: WrittenPlan): string | undefined {
  return compile(plan, options).diagnostics.find(({ severity }) => severity === "error")?.code;
}
