/*
 * `npm run mutants`: how much of what a declaration makes knowable is caught before a plan runs. With `--repair`: how much of it is
 * repaired without a model; `--verbose` shows what is left.
 */
import { CORPORA, haveCorpora } from "./corpora.ts";
import { documentPlans } from "./document-plans.ts";
import { type Hunt, hunt } from "./hunt.ts";
import { printRepairs } from "./print-repairs.ts";

function print(name: string, { clean, setAside, results }: Hunt): boolean {
  const aside = [...setAside].map(([code, count]) => `${count} ${code}`).join(", ");
  console.log(
    `\n${name}: ${clean} plans${aside === "" ? "" : ` (set aside, because they are wrong as they are: ${aside})`}`,
  );
  let isPerfect = true;
  for (const [mutation, { caught, total, missed }] of results) {
    const share = total === 0 ? "nothing declared" : `${((100 * caught) / total).toFixed(1).padStart(5)} %`;
    console.log(
      `  ${mutation.padEnd(18)} ${String(caught).padStart(6)} of ${String(total).padStart(6)}  ${share}`,
    );
    for (const mutant of missed.slice(0, 3)) console.log(`    missed: ${mutant.slice(0, 300)}`);
    isPerfect &&= caught === total;
  }
  return isPerfect;
}

function printHunt(): void {
  let isPerfect = print("documents", hunt(documentPlans()));
  if (!haveCorpora)
    console.log(
      "\nThe corpora are not beside the project (../shared/corpora), so only the documents' examples were used.",
    );
  for (const { name, plans } of haveCorpora ? CORPORA : [])
    isPerfect = print(name, hunt(plans())) && isPerfect;
  process.exitCode = isPerfect ? 0 : 1;
}

if (process.argv.includes("--repair")) await printRepairs(process.argv.includes("--verbose"));
else printHunt();
