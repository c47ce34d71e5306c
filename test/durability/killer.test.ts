import { expect, test } from "vitest";
import { kill } from "./killer.ts";

test("50 SIGKILLs lose nothing, and nothing that was finished is done again", async () => {
  const reports = await kill({ kills: 50, seed: 7 });
  expect(reports.reduce((sum, { kills }) => sum + kills, 0)).toBe(50);
}, 300_000);
