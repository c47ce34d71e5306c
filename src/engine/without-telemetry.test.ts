import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const index = fileURLToPath(new URL("../index.ts", import.meta.url));

/** Runs a plan in a process that has no SDK, and tells whether the API was loaded. */
const script = `
import { registerHooks } from "node:module";
let loaded = false;
registerHooks({ resolve: (name, context, next) => {
  if (name.startsWith("@opentelemetry/")) loaded = true;
  return next(name, context);
} });
const { createEngine } = await import(${JSON.stringify(index)});
const engine = await createEngine({ tools: { give: () => 1 } });
const { status } = await engine.run([{ id: "a", tool: "give" }]);
console.log(JSON.stringify({ status, loaded, runs: engine.metrics().runs.completed }));
`;

test("a process without an SDK does not load the API, and counts all the same", {
  timeout: 60_000,
}, async () => {
  const args = ["--no-warnings", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual({ status: "completed", loaded: false, runs: 1 });
});
