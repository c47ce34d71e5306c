import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "sequitur-"));
afterAll(() => rmSync(copy, { recursive: true }));

/** A block of `docs/triggers.md`, by the name of the file that it shows. */
function shown(name: string): string {
  const docs = readFileSync(join(project, "docs/triggers.md"), "utf8");
  const block = new RegExp(`\`${name.replaceAll(".", "\\.")}\`[^\`]*\`\`\`ts\\n([\\s\\S]*?)\`\`\``).exec(
    docs,
  )?.[1];
  expect(block, `docs/triggers.md shows ${name}`).toBeDefined();
  return block ?? "";
}

const program = `
import { compile, createContext } from "./src/index.ts";
const triggers = [{ type: "long_text", agent: "a", characters: 5 }];
const context = createContext({ derived_variables: [{ name: "long", triggers }] });
const values = ["1234", "12345"].map((text) => {
  context.observe({ kind: "TextEmitted", agent: "a", text });
  return context.get("long");
});
const wrong = [{ type: "long_txt" }, { type: "long_text", agent: "ghost", characters: 0 }];
const { diagnostics } = compile({
  context_variables: { derived_variables: [{ name: "long", triggers: wrong }] },
  plan: [{ id: "a", tool: "t" }],
});
console.log(JSON.stringify({ values, problems: diagnostics.map(({ code, hints }) => [code, hints[0]]) }));
`;

test("a new type of trigger is one file and one line, as the documentation says", () => {
  cpSync(join(project, "src"), join(copy, "src"), { recursive: true });
  cpSync(join(project, "package.json"), join(copy, "package.json"));
  symlinkSync(join(project, "node_modules"), join(copy, "node_modules"));
  const line = shown("src/context/triggers/registry.ts");
  expect(line.trim().split("\n")).toHaveLength(1);
  writeFileSync(join(copy, "src/context/triggers/long-text.ts"), shown("src/context/triggers/long-text.ts"));
  appendFileSync(join(copy, "src/context/triggers/registry.ts"), line);
  writeFileSync(join(copy, "try.ts"), program);
  const out = execFileSync(process.execPath, ["--no-warnings", "try.ts"], { cwd: copy, encoding: "utf8" });
  expect(JSON.parse(out)).toEqual({
    values: [false, true],
    problems: [
      ["unknown-trigger", 'Did you mean "long_text"?'],
      ["wrong-shape", null],
      ["unknown-trigger-agent", 'Known agents: "t", "a".'],
    ],
  });
});
