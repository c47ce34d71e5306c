/* How much of what is wrong with a plan is repaired without a model, and whether the plan then says what it said before. */
import { isList, isObject, type Json } from "../../src/base/json.ts";
import { compile, printProgram, repairPlan } from "../../src/compiler.ts";
import { MUTATIONS } from "./mutations.ts";
import type { NeutralPlan, NeutralValue } from "./neutral-plan.ts";
import { LANGUAGES, type WrittenPlan, writePlan } from "./write-plan.ts";

export interface Repairs {
  /** Mutants that still have everything the plan had: what was meant can be told. */
  total: number;
  /** Of those, the ones that check clean afterwards. */
  clean: number;
  /** Of those, the ones that are the plan they were made from, but for the names of steps. */
  same: number;
  /** Mutants that lack a constant of the plan: nobody but its author can know it. */
  gone: number;
  /** Of those, the ones in which nothing was made up. */
  goneAndSaidSo: number;
  readonly left: string[];
  /** What is still wrong after all repairs, with the plan that was meant: for a model. */
  readonly forModel: { readonly broken: WrittenPlan; readonly original: Json }[];
}

export function repairAll(plans: readonly NeutralPlan[]): Map<string, Repairs> {
  const results = new Map<string, Repairs>();
  for (const plan of plans) {
    for (const language of LANGUAGES) {
      const original = writePlan(plan, language);
      const meaning = original && meaningOf(original.plan, original);
      if (original === undefined || meaning === undefined) continue;
      for (const { name, mutants } of MUTATIONS) {
        const result = results.get(name) ?? emptyRepairs();
        results.set(name, result);
        for (const mutant of mutants(plan, language)) {
          const written = writePlan(mutant, language);
          if (written === undefined) continue;
          const broken = { ...written, options: original.options };
          count(result, broken, meaning, hasLost(plan, mutant), original.plan);
        }
      }
    }
  }
  return results;
}

export function emptyRepairs(): Repairs {
  return { total: 0, clean: 0, same: 0, gone: 0, goneAndSaidSo: 0, left: [], forModel: [] };
}

function count(result: Repairs, mutant: WrittenPlan, meaning: string, isGone: boolean, original: Json): void {
  const broken = JSON.stringify(mutant.plan);
  const { text } = repairPlan(broken, mutant.options);
  const repaired = meaningOf(JSON.parse(text) as Json, mutant);
  if (repaired === undefined) result.forModel.push({ broken: mutant, original });
  if (isGone) {
    result.gone++;
    if (repaired === undefined) result.goneAndSaidSo++;
    return;
  }
  result.total++;
  if (repaired !== undefined) result.clean++;
  if (repaired === meaning) result.same++;
  else result.left.push(`${mutant.language}: ${broken}${repaired === undefined ? "" : ` became ${text}`}`);
}

/** The printed program with steps named by their place and keys in order; undefined for a plan with errors. */
function meaningOf(plan: Json, { options }: WrittenPlan): string | undefined {
  const { program } = compile(sorted(plan), options);
  if (program === undefined) return undefined;
  const [block, ...agents] = program.blocks;
  const steps = block.steps.map((step, i) => ({ ...step, id: `#${i}` }));
  return printProgram({ ...program, blocks: [{ ...block, steps }, ...agents] });
}

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] as Json)]));
}

function hasLost(plan: NeutralPlan, mutant: NeutralPlan): boolean {
  const left = constantsOf(mutant);
  return constantsOf(plan).some((constant) => {
    const at = left.indexOf(constant);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The constant arguments and parts of arguments, as JSON. */
function constantsOf({ steps }: NeutralPlan): string[] {
  const inside = (value: NeutralValue): string[] => {
    switch (value.kind) {
      case "constant":
        return [JSON.stringify(value.value)];
      case "text":
        return value.parts.filter((part) => typeof part === "string");
      case "list":
        return value.items.flatMap(inside);
      case "object":
        return value.entries.flatMap(([, item]) => inside(item));
    }
  };
  return steps.flatMap((step) => Object.values(step.arguments).flatMap(inside));
}
