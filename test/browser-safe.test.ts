/* `sequitur/compiler` runs anywhere JavaScript runs: it asks for no module of Node, and for nothing that only Node has. */
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { type RolldownOutput, rolldown } from "rolldown";
import { beforeAll, describe, expect, test } from "vitest";
import { readSources } from "./source-tree.ts";

const FOLDERS = ["base", "source", "expr", "ir", "dialects", "completion", "core"];

test.each(FOLDERS)("src/%s imports no module of Node", (folder) => {
  const files = readSources(`src/${folder}`).filter(({ path }) => !path.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(0);
  const used = files.flatMap(({ path, imports }) =>
    imports.filter(({ from }) => !from.startsWith("src/")).map(({ from }) => `${path} imports ${from}`),
  );
  expect(used).toEqual([]);
});

describe("the compiler in a world without Node", () => {
  let output: RolldownOutput["output"];

  beforeAll(async () => {
    const input = fileURLToPath(new URL("../src/compiler.ts", import.meta.url));
    const bundle = await rolldown({
      input,
      platform: "browser",
      external: /^node:/,
      treeshake: false,
      logLevel: "silent",
    });
    ({ output } = await bundle.generate({ format: "iife", name: "sequitur" }));
    await bundle.close();
  });

  test("is one file that asks for nothing", () => {
    expect(output).toHaveLength(1);
    expect(output[0].imports).toEqual([]);
  });

  test("compiles a plan, and says what is wrong with another", () => {
    // A new world has the language and nothing else: no process, no Buffer, no URL, no timers, no console.
    const world = createContext({});
    runInContext(`${output[0].code};globalThis.sequitur = sequitur;`, world);
    const run = (code: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${code})`, world)));
    expect(run("Object.keys(globalThis)")).toEqual(["sequitur"]);
    const plan = `[{ "id": "a", "tool": "t" }, { "id": "b", "tool": "t", "arguments": { "x": "{{a.result.y}}" } }]`;
    const compiled = `sequitur.compile(${JSON.stringify(plan)})`;
    expect(run(`${compiled}.diagnostics`)).toEqual([]);
    expect(run(`sequitur.levels(${compiled}.program)`)).toEqual([["a"], ["b"]]);
    const wrong = plan.replace("a.result", "aa.result");
    expect(run(`sequitur.compile(${JSON.stringify(wrong)}).diagnostics`)).toMatchObject([
      { code: "unknown-step", line: 1, column: wrong.indexOf("{{") + 1 },
    ]);
    const workflow = `{ "plan": ${plan}, "context_variables": { "derived_variables": [{ "name": "x", "triggers": [{ "type": "agent_text", "agent": "t", "match": { "regex": "^a" } }] }] } }`;
    expect(run(`sequitur.compile(${JSON.stringify(workflow)}).diagnostics`)).toEqual([]);
  });
});
