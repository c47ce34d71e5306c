import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/core/events.ts";
import { agent, call, field } from "../scene.ts";
import { openScratch, recordOf, SOURCE, scratchFile, startOf } from "./scratch.ts";

const CHILD = fileURLToPath(new URL("large-child.ts", import.meta.url));
const ITEMS = 100_000;
const BATCH = 5_000;
const BYTES = 1_000;

test("a run with 100,000 results is resumed without holding them twice", { timeout: 120_000 }, async () => {
  const file = scratchFile();
  const driver = await openScratch(file, { durability: "relaxed" });
  const plan = agent(
    [
      call(
        "x",
        "work",
        {},
        { parallel_execution: { iterate_over: "REF:arguments.items", child_argument_name: "n" } },
      ),
      call("last", "work", { n: "REF:x.response.length" }),
    ],
    { arguments: [field("items", "list")], response_reference_map: { n: "REF:last.n" } },
  );
  const items = Array.from({ length: ITEMS }, (_, i) => i);
  driver.create(
    { ...recordOf("large"), dialect: "agent" },
    { ...SOURCE, plan },
    { ...startOf("large"), arguments: { items } },
  );
  // All but the last item have been answered.
  for (let at = 0; at < ITEMS - 1; at += BATCH) {
    const calls = items.slice(at, Math.min(at + BATCH, ITEMS - 1));
    const answers = calls.map((call): RunEvent => {
      return { kind: "StepSucceeded", at: 2_000, call, attempt: 1, result: `${call} `.padEnd(BYTES, "x") };
    });
    driver.append("large", at + 1, answers);
  }
  driver.close();

  const megabytes = Math.ceil((1.5 * ITEMS * BYTES) / 2 ** 20) + 30;
  const { stdout, stderr } = spawnSync(process.execPath, [`--max-old-space-size=${megabytes}`, CHILD, file], {
    encoding: "utf8",
  });
  expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual({
    status: "completed",
    response: { n: ITEMS },
    called: [`x[${ITEMS - 1}]`, "last"],
  });
});
