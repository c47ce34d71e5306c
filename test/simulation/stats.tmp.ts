import { Chance } from "./chance.ts";
import { planOf } from "./seeds.ts";
import { compileForSimulation, simulate, inTime } from "./simulate.ts";
import { runResult } from "../../src/engine/result.ts";
const st = new Map<string, number>(), er = new Map<string, number>();
let ev = 0, n = 0, handled = 0, items=0;
for (let seed = 0; seed < 300; seed++) {
  const s = { ...(await compileForSimulation(planOf(seed))), runId: "s"+seed, mode: "continue" as const, concurrency: 4, arguments: {}, eager: false };
  const run = simulate(s, inTime);
  ev += run.journal.length; n++;
  const r = runResult(run.state);
  for (const x of Object.values(r.steps)) { st.set(x.status, (st.get(x.status) ?? 0) + 1); if (x.error) { const k = x.error.name + " " + x.error.message.replace(/[sa]?\d+/g, "N").slice(0, 70); er.set(k, (er.get(k) ?? 0) + 1); } if (x.id.includes("[")) items++; }
  handled += run.state.root.steps.filter((x) => x.handled).length;
}
console.log(n, ev / n, st, handled, items, [...er].sort((a, b) => b[1] - a[1]).slice(0, 25));
