/* Completion at every offset of every example, as it is, and with the rest of the text not written yet. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, complete } from "../../src/compiler.ts";
import { STEP_FIELDS as ACTION_FIELDS } from "../../src/dialects/actions/fields.ts";
import { DEFINITION_FIELDS, INSTRUCTION_FIELDS } from "../../src/dialects/agent/fields.ts";
import type { FieldTable } from "../../src/dialects/shape.ts";
import { STEP_FIELDS } from "../../src/dialects/steps/fields.ts";

const folder = new URL("../../examples/", import.meta.url);
const plans = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(plan|agent|workflow)\.json$|\.agent$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

test.each(plans)("$name", ({ text }) => {
  let offers = 0;
  const wrong: unknown[] = [];
  for (let offset = 0; offset <= text.length; offset++) {
    for (const source of [text, text.slice(0, offset)]) {
      for (const { edit, caret } of complete(source, offset)) {
        offers++;
        const isAround = edit.from <= offset && edit.to >= offset && edit.to <= source.length;
        if (!isAround || (caret ?? 0) > edit.text.length) wrong.push({ offset, edit, caret });
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(offers).toBeGreaterThan(0);
});

/** Fields that nobody should begin to write. */
const RECORDED = ["status", "result", "error"];

test.each([
  ["a step", STEP_FIELDS, '{ "steps": [{ ▮ }] }'],
  ["an action", ACTION_FIELDS, '[{ "id": "a", ▮ }]'],
  ["an agent", DEFINITION_FIELDS, '{ "instructions": [], ▮ }'],
  ["an instruction", INSTRUCTION_FIELDS, '{ "instructions": [{ ▮ }] }'],
] as const)("the fields of %s are those that the language knows", (_, table: FieldTable, marked) => {
  const offset = marked.indexOf("▮");
  const text = marked.replace("▮", "");
  const offered = complete(text, offset).map(({ label }) => label);
  const known = new Set([...table.values()].map(({ name }) => name));
  expect(
    [...known].filter(
      (name) => !offered.includes(name) && !text.includes(`"${name}"`) && !RECORDED.includes(name),
    ),
  ).toEqual([]);
  for (const { edit } of complete(text, offset)) {
    const value = edit.text.endsWith(": ") ? "true" : "";
    const { diagnostics } = compile(text.slice(0, edit.from) + edit.text + value + text.slice(edit.to));
    expect(diagnostics.filter(({ code }) => code === "unknown-field")).toEqual([]);
  }
});
