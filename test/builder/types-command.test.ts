/* `sequitur types`: what it writes is TypeScript, and says of a tool what its schemas say. */
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { typeDeclarations } from "../../src/index.ts";
import { folderWith, sequitur } from "../run-cli.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("a plan in TypeScript is checked against the types that were written", async () => {
  const folder = folderWith({
    "package.json": { type: "module" },
    "tsconfig.json": { extends: join(ROOT, "tsconfig.json"), include: ["*.ts"] },
  });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { code, err } = await sequitur(ROOT, [
    "types",
    "--tools",
    "examples/tools/office.mjs",
    "--agents",
    "examples/agents",
    "-o",
    join(folder, "types.ts"),
  ]);
  expect(err).toContain("Written to");
  expect(code).toBe(0);
  expect(readFileSync(join(folder, "types.ts"), "utf8")).toContain(
    [`  /** People, by group. */`, `  "fetch_contacts": {`, `    input: { group: string };`].join("\n"),
  );
  const good = [
    `import { plan } from "${join(ROOT, "dist/index.js")}";`,
    `import type { Agents, Tools } from "./types.ts";`,
    `const p = plan<Tools>();`,
    `const team = p.step("team", "fetch_contacts", { group: "team" });`,
    `p.step("mails", "fetch_emails", { sender: team.result.data[0].email });`,
    `export const sum: Agents["/agents/core/math.agent"]["input"] = { expression: "1 + 1" };`,
  ].join("\n");
  writeFileSync(join(folder, "good.ts"), good);
  expect(typeErrors(folder)).toBe("");
  writeFileSync(
    join(folder, "bad.ts"),
    good.replace("[0].email", "[0].mail").replace("expression", "formula"),
  );
  const errors = typeErrors(folder);
  expect(errors).toContain("'mail' does not exist");
  expect(errors).toContain("'formula' does not exist");
});

/** What the TypeScript compiler says of the files in a folder. */
function typeErrors(folder: string): string {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", folder, "--noEmit"], { encoding: "utf8" });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
}

test("says what schemas and declarations say", () => {
  const tools = {
    odd: {
      description: "Ends a comment? */ No.\nOne line.",
      input: {
        type: "object",
        properties: {
          mode: { enum: ["a", 1, null] },
          "two words": { type: ["string", "null"] },
          rows: { type: "array", items: { anyOf: [{ type: "number" }, { $ref: "#/$defs/row" }] } },
        },
        required: ["mode"],
        $defs: { row: { type: "object", additionalProperties: { type: "boolean" } } },
      },
    },
    bare: () => null,
  };
  const agents = {
    "/x.agent": JSON.stringify({
      arguments: [
        { name: "n", type_name: "number", default_value: 3 },
        { name: "doc", type_name: "file" },
      ],
      responses: [{ name: "kind", type_name: "string", enum: ["p", "q"] }],
    }),
  };
  expect(
    typeDeclarations(tools, agents),
  ).toBe(`/* Written by \`sequitur types\`; write it again when tools or agents change. */

/** What step and action plans call: \`plan<Tools>()\`. */
export interface Tools {
  /** Ends a comment? * / No. One line. */
  "odd": {
    input: { mode: "a" | 1 | null; "two words"?: string | null; rows?: (number | Record<string, boolean>)[] };
    output: unknown;
  };
  "bare": {
    input: unknown;
    output: unknown;
  };
}

/** What instructions of agents call. */
export interface Agents {
  "/x.agent": {
    input: { n?: number | null; doc: string };
    output: { kind: "p" | "q" };
  };
}
`);
});
