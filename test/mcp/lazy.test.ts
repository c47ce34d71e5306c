import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

/** Prints what is loaded by an engine that runs a plan. */
const script = (options: string): string => `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  const { createEngine } = await import(${JSON.stringify(pathToFileURL("dist/bundle/index.js").href)});
  const engine = await createEngine({ tools: { echo: (x) => x }, ...${options} });
  await engine.run({ plan: [{ id: "a", tool: "echo", arguments: {} }] });
  await engine.close();
  console.log(loaded.filter((url) => /modelcontextprotocol|node_modules.zod|tools.mcp|tools.openapi/.test(url)).length);
`;

function loadedBy(options: string): number {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script(options)], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return Number(stdout);
}

test("nothing of MCP is loaded unless a server is configured", () => {
  expect(loadedBy("{}")).toBe(0);
  expect(loadedBy(`{ mcpServers: { x: { command: "no-such-program" } } }`)).toBeGreaterThan(5);
});
