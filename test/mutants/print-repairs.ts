/* `npm run mutants -- --repair`: what is repaired without a model, and how often a model is asked for the rest. */
import { CORPORA, haveCorpora } from "./corpora.ts";
import { documentPlans } from "./document-plans.ts";
import type { NeutralPlan } from "./neutral-plan.ts";
import { emptyRepairs, type Repairs, repairAll } from "./repairs.ts";
import { roundsFor } from "./rounds.ts";

/** Of the largest corpus every third plan, and so on: some thousand mutants of each kind say enough. */
const PLANS_MAX = 500;

export async function printRepairs(isVerbose: boolean): Promise<void> {
  const all = emptyRepairs();
  printOne("documents", documentPlans(), all, isVerbose);
  for (const { name, plans } of haveCorpora ? CORPORA : []) printOne(name, plans(), all, isVerbose);
  console.log(`\nAll single mistakes after which the plan still holds what was meant: ${all.total}`);
  console.log(`  repaired, checks clean        ${share(all.clean, all.total)}`);
  console.log(`  repaired to the same program  ${share(all.same, all.total)}`);
  console.log(`Mistakes that took a value out of the plan, which only its author knows: ${all.gone}`);
  console.log(`  reported, and nothing made up ${share(all.goneAndSaidSo, all.gone)}`);
  const clean = all.clean + all.gone - all.goneAndSaidSo;
  console.log(
    `All together: ${all.total + all.gone}, of which check clean ${share(clean, all.total + all.gone)}`,
  );
  await printRounds(all);
}

/** Every so many of those that need a model. */
const ROUNDS_SAMPLE = 2_000;

async function printRounds({ forModel }: Repairs): Promise<void> {
  const stride = Math.ceil(forModel.length / ROUNDS_SAMPLE);
  const some = forModel.filter((_, i) => i % stride === 0);
  const counts = new Map<string, number>();
  for (const { broken, original } of some) {
    const rounds = await roundsFor(broken, original);
    // The first round is the answer that has the mistake.
    const said = rounds === undefined ? "no plan" : `${rounds - 1} more`;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  console.log(
    `Plans that are still wrong, given back to a scripted model (${some.length} of ${forModel.length}):`,
  );
  for (const [said, count] of [...counts].sort())
    console.log(
      `  ${said.padEnd(9)} ${said === "1 more" ? "round " : said === "no plan" ? "      " : "rounds"}          ${share(count, some.length)}`,
    );
}

function printOne(name: string, plans: readonly NeutralPlan[], all: Repairs, isVerbose: boolean): void {
  const stride = Math.ceil(plans.length / PLANS_MAX);
  const some = plans.filter((_, i) => i % stride === 0);
  console.log(`\n${name}: ${some.length} of ${plans.length} plans`);
  console.log("                     mistakes   clean    same   value gone");
  for (const [mutation, found] of repairAll(some)) {
    const { total, clean, same, gone, left } = found;
    const shares = `${share(clean, total)} ${share(same, total)}`;
    console.log(
      `  ${mutation.padEnd(18)} ${String(total).padStart(8)} ${shares} ${String(gone).padStart(12)}`,
    );
    if (isVerbose) for (const plan of left.slice(0, 3)) console.log(`    left: ${plan.slice(0, 800)}`);
    all.total += total;
    all.clean += clean;
    all.same += same;
    all.gone += gone;
    all.goneAndSaidSo += found.goneAndSaidSo;
    for (const one of found.forModel) all.forModel.push(one);
  }
}

function share(part: number, whole: number): string {
  return whole === 0 ? "      –" : `${((100 * part) / whole).toFixed(1).padStart(5)} %`;
}
