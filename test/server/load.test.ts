import { expect, test } from "vitest";
import { load } from "../../bench/load.ts";

test("clients that try again while the server is killed get one run each, and none is lost", async () => {
  const options = { runs: 400, clients: 40, kills: 2 };
  const { stored, wrong, retries } = await load(options);
  expect(stored).toEqual({ runs: options.runs, completed: options.runs, keys: options.runs });
  expect(wrong).toBe(0);
  expect(retries).toBeGreaterThan(0);
}, 60_000);
