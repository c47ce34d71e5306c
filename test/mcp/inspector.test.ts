/* The MCP Inspector's command line, as a client that nobody here wrote. */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith } from "../run-cli.ts";

const require = createRequire(import.meta.url);
const packageFile = require.resolve("@modelcontextprotocol/inspector/package.json");
const { bin } = require(packageFile) as { bin: Record<string, string> };
const INSPECTOR = join(dirname(packageFile), bin["mcp-inspector"] ?? "");
const SEQUITUR = fileURLToPath(new URL("../../bin/sequitur.js", import.meta.url));

const folder = folderWith({
  "sequitur.config.json": { tools: "tools.mjs" },
  "tools.mjs": "export const double = ({ n }) => ({ n: 2 * n });\n",
});

function inspect(...args: readonly string[]): { readonly out: string; readonly err: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [INSPECTOR, "--cli", process.execPath, SEQUITUR, "mcp", ...args],
    { cwd: folder, encoding: "utf8" },
  );
  return { out: stdout, err: stderr };
}

test("lists our tools", () => {
  const { out, err } = inspect("--method", "tools/list");
  expect(out, err).toContain("{");
  const { tools } = JSON.parse(out) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual([
    "list_tools",
    "check_plan",
    "run_plan",
    "get_run",
    "provide_inputs",
    "cancel_run",
  ]);
});

test("calls run_plan with a plan of two steps", () => {
  const plan = JSON.stringify({
    plan: [
      { id: "a", tool: "double", arguments: { n: 4 } },
      { id: "b", tool: "double", arguments: { n: "{{a.result.n}}" } },
    ],
  });
  const { out, err } = inspect(
    "--method",
    "tools/call",
    "--tool-name",
    "run_plan",
    "--tool-arg",
    `plan=${plan}`,
  );
  expect(out, err).toContain("{");
  const { structuredContent } = JSON.parse(out) as { structuredContent: Record<string, unknown> };
  expect(structuredContent).toMatchObject({ status: "completed", result: { n: 16 } });
});
