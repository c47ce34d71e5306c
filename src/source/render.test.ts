import { describe, expect, test } from "vitest";
import type { Diagnostic } from "./diagnostic.ts";
import { widthOf } from "./display.ts";
import { renderDiagnostic, renderDiagnostics, summaryOf } from "./render.ts";

const PLAN = `{
  "steps": [
    { "tool": "a", "params": { "data": "REF:fetch_dat.items" } }
  ]
}`;

const base: Diagnostic = {
  code: "unknown-step",
  name: "InvalidReferenceError",
  severity: "error",
  message: 'There is no step called "fetch_dat".',
  file: "plan.json",
  line: 3,
  column: 45,
  endLine: 3,
  endColumn: 54,
  pointer: "/steps/0/params/data",
  hints: ['Did you mean "fetch_data"?'],
  fix: { title: 'Write "fetch_data".', edits: [] },
};

const plain = { color: false };

/** The text that the carets stand under, by the width of the characters in front. */
function pointedAt(rendered: string): string {
  const [source = "", carets = ""] = rendered.split("\n").slice(3, 5);
  const from = carets.indexOf("^");
  const to = carets.lastIndexOf("^") + 1;
  let column = 0;
  let found = "";
  for (const character of source) {
    if (column >= from && column < to) found += character;
    column += widthOf(character);
  }
  return found;
}

/** A diagnostic about `piece` where it stands in a text of one line. */
function about(text: string, piece: string): string {
  const column = text.indexOf(piece) + 1;
  const place = { line: 1, endLine: 1, column, endColumn: column + piece.length };
  return renderDiagnostic({ ...base, ...place }, text, plain);
}

describe("a diagnostic is rendered", () => {
  test("with the line, carets, help and fix", () => {
    expect(renderDiagnostic(base, PLAN, plain)).toBe(
      `
error[unknown-step]: There is no step called "fetch_dat".
  ┌─ plan.json:3:45
  │
3 │     { "tool": "a", "params": { "data": "REF:fetch_dat.items" } }
  │                                             ^^^^^^^^^
  = help: Did you mean "fetch_data"?
  = fix: Write "fetch_data", applied by \`sequitur check --fix\``.slice(1),
    );
  });

  test("with a gutter as wide as the line number", () => {
    const text = `${"\n".repeat(99)}[1]`;
    const { fix: _, ...rest } = base;
    const place = { line: 100, column: 2, endLine: 100, endColumn: 3, hints: [] };
    expect(
      renderDiagnostic({ ...rest, ...place }, text, plain)
        .split("\n")
        .slice(1),
    ).toEqual(["    ┌─ plan.json:100:2", "    │", "100 │ [1]", "    │  ^"]);
  });

  test("with the first line of a value that has several", () => {
    const d = { ...base, line: 2, column: 12, endLine: 4, endColumn: 4 };
    expect(pointedAt(renderDiagnostic(d, PLAN, plain))).toBe("[");
  });

  test("with one caret where something is missing or the line ends", () => {
    const d = { ...base, line: 5, column: 2, endLine: 5, endColumn: 2 };
    expect(renderDiagnostic(d, PLAN, plain).split("\n").slice(3, 5)).toEqual(["5 │ }", "  │  ^"]);
  });

  test("by line and column without a file, by pointer without a text", () => {
    const {
      file: _file,
      line: _line,
      column: _column,
      endLine: _e,
      endColumn: _f,
      fix: _fix,
      ...parsed
    } = base;
    expect(renderDiagnostic({ ...parsed, line: 3, column: 4 }, undefined, plain)).toContain(
      "  ┌─ line 3, column 4\n",
    );
    expect(renderDiagnostic(parsed, undefined, plain)).toBe(
      `
error[unknown-step]: There is no step called "fetch_dat".
  ┌─ /steps/0/params/data
  = help: Did you mean "fetch_data"?`.slice(1),
    );
    expect(renderDiagnostic({ ...parsed, pointer: "" }, undefined, plain)).toContain("  ┌─ the whole plan\n");
    expect(renderDiagnostic({ ...parsed, file: "x.json" }, undefined, plain)).toContain(
      "┌─ x.json: /steps/0",
    );
  });

  test("where the text has no such line, without it", () => {
    expect(renderDiagnostic({ ...base, line: 99 }, PLAN, plain).split("\n")).toHaveLength(4);
  });

  test("in colour only if asked", () => {
    expect(renderDiagnostic(base, PLAN, plain)).not.toContain("\u001b");
    const lines = renderDiagnostic(base, PLAN, { color: true }).split("\n");
    expect(lines[0]).toBe(
      '\u001b[1;31merror[unknown-step]\u001b[0m\u001b[1m: There is no step called "fetch_dat".\u001b[0m',
    );
    expect(lines[4]).toContain("\u001b[1;31m^^^^^^^^^\u001b[0m");
  });
});

describe("carets stand under what they point at", () => {
  test.each([
    ["after tabs", '\t\t"a": "wrong"'],
    ["after wide characters", '["日本語 😀", "wrong"]'],
    ["after combining characters", '["e\u0301a\u0300", "wrong"]'],
    ["after control characters", '["\u001b\u0007\u0000", "wrong"]'],
  ])("%s", (_, text) => {
    expect(pointedAt(about(text, "wrong"))).toBe("wrong");
  });

  test("when they are under wide characters themselves", () => {
    expect(about('["日本"]', "日本").split("\n")[4]).toBe("  │   ^^^^");
  });

  test("in a line of a megabyte, which is cut", () => {
    const filler = '"😀x",'.repeat(100_000);
    const rendered = about(`[${filler}"wrong",${filler}0]`, "wrong");
    expect(pointedAt(rendered)).toBe("wrong");
    const source = rendered.split("\n")[3] ?? "";
    expect(source).toMatch(/^1 │ ….*…$/);
    expect(source.length).toBeLessThan(120);
    expect(source).not.toMatch(/\p{Surrogate}/u);
  });

  test("at the two ends of a long line", () => {
    const filler = "1,".repeat(1000);
    expect(about(`[777,${filler}1]`, "777").split("\n")[3]).toMatch(/^1 │ \[777,.*…$/);
    const atEnd = about(`[${filler}777]`, "777");
    expect(atEnd.split("\n")[3]).toMatch(/^1 │ ….*,777\]$/);
    expect(pointedAt(atEnd)).toBe("777");
  });

  test("and stop where a cut line stops", () => {
    const carets = about(`["${"x".repeat(1000)}"]`, `"${"x".repeat(1000)}"`).split("\n")[4] ?? "";
    expect(carets.length).toBeLessThan(120);
  });
});

test("nothing of a plan steers the terminal", () => {
  const evil = "\u001b[2J\u009b31m\r\n\u202egnp\ud800";
  const d: Diagnostic = {
    ...base,
    code: evil,
    message: evil,
    file: evil,
    pointer: evil,
    hints: [evil],
    fix: { title: evil, edits: [] },
    line: 1,
    column: 1,
  };
  const rendered = renderDiagnostic(d, `"${evil}"`, plain);
  expect(rendered).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(rendered).not.toMatch(/\p{Surrogate}/u);
  expect(rendered.split("\n")).toHaveLength(7);
  expect(rendered).toContain("= help: ␛[2J�31m␍␊�gnp�");
});

describe("a list of diagnostics", () => {
  const warning: Diagnostic = {
    ...base,
    severity: "warning",
    file: "other.json",
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 3,
  };

  test("is rendered with the text of each file and ends with the count", () => {
    const texts = new Map([
      ["plan.json", PLAN],
      ["other.json", "[]"],
    ]);
    const rendered = renderDiagnostics([base, base, warning], texts, plain);
    expect(rendered.split("\n\n")).toEqual([
      renderDiagnostic(base, PLAN, plain),
      renderDiagnostic(base, PLAN, plain),
      renderDiagnostic(warning, "[]", plain),
      "2 errors, 1 warning",
    ]);
  });

  test("is counted in words", () => {
    expect(summaryOf([])).toBe("no problems");
    expect(summaryOf([base])).toBe("1 error");
    expect(summaryOf([warning, warning, { ...base, severity: "info" }])).toBe("2 warnings, 1 note");
  });
});
