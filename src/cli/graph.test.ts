import { describe, expect, it } from "vitest";
import { folderWith, sequitur } from "../../test/run-cli.ts";

const folder = folderWith({
  "plan.json": [
    { id: "a", tool: "fetch" },
    { id: "b", tool: "send", arguments: { to: "{{a.result.to}}", text: "{{PLACEHOLDER_text}}" } },
  ],
  "wrong.json": [{ id: "a", tool: "fetch", arguments: { x: "{{b.result}}" } }],
});

describe("graph", () => {
  it("draws text unless told otherwise", async () => {
    expect(await sequitur(folder, ["graph", "plan.json"])).toEqual({
      code: 0,
      err: "",
      out: `plan · 2 steps in 2 levels

┌ 1  a  fetch
│
└ 2  b  send   ← a
        ? asks for text

longest chain  a → b
calls at most  fetch ×1
               send ×1
               2 in all, at most
asks for       text
`,
    });
  });

  it.each([
    ["mermaid", /^flowchart LR\n/],
    ["dot", /^digraph "plan" \{\n/],
    ["svg", /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/],
  ])("draws %s", async (format, start) => {
    const { code, out } = await sequitur(folder, ["graph", "plan.json", "--format", format]);
    expect(code).toBe(0);
    expect(out).toMatch(start);
  });

  it("gives the graph as data", async () => {
    const { out } = await sequitur(folder, ["graph", "plan.json", "--format=json"]);
    const data = JSON.parse(out);
    expect(Object.keys(data)).toEqual(["steps", "edges", "levels", "placeholders", "explain"]);
    expect(data.edges).toEqual([{ from: "a", to: "b", kind: "data" }]);
    expect(data.levels).toEqual([["a"], ["b"]]);
    expect(data.placeholders).toEqual([{ name: "text", stepIds: ["b"] }]);
  });

  it("reads standard input", async () => {
    const { code, out } = await sequitur(folder, ["graph", "-"], { stdin: `{ "steps": [{ "tool": "x" }] }` });
    expect(code).toBe(0);
    expect(out).toContain("─ 1  0  x");
  });

  it("does not draw a plan that is wrong", async () => {
    const { code, out, err } = await sequitur(folder, ["graph", "wrong.json", "--format", "svg"]);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain("error[unknown-step]");
  });
});
