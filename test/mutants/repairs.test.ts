/* A sample of `npm run mutants -- --repair`. */
import { describe, expect, test } from "vitest";
import { CORPORA, haveCorpora } from "./corpora.ts";
import { emptyRepairs, repairAll } from "./repairs.ts";
import { roundsFor } from "./rounds.ts";

const PLANS_MAX = 30;

describe.skipIf(!haveCorpora)("single mistakes in the corpora (../shared/corpora)", () => {
  test("are repaired to the program they were made from, in 95 of 100 cases; a model mends the rest in one round", async () => {
    const all = emptyRepairs();
    for (const { plans } of CORPORA) {
      const some = plans();
      const stride = Math.ceil(some.length / PLANS_MAX);
      for (const found of repairAll(some.filter((_, i) => i % stride === 0)).values()) {
        all.total += found.total;
        all.same += found.same;
        all.gone += found.gone;
        all.goneAndSaidSo += found.goneAndSaidSo;
        all.forModel.push(...found.forModel.slice(0, 10));
      }
    }
    expect(all.same / all.total).toBeGreaterThan(0.95);
    expect(all.forModel.length).toBeGreaterThan(50);
    for (const { broken, original } of all.forModel) expect(await roundsFor(broken, original)).toBe(2);
    expect(all.goneAndSaidSo / all.gone).toBeGreaterThan(0.9);
  });
});
