/*
 * Templates of `render_template`.
 *
 *   template = { text | slot | "\<<" | "\\<<" }
 *   slot     = "<<", name, { path }, ">>"          <<user.name>>, <<items[0].title>>, <<tags[*]>>
 *
 * The marks belong to none of the plan languages (`REF:`, `${step[`, `{{`), nor to JSON, Markdown or HTML, so that a template
 * can be written in any plan as it is. As in the plan languages, a backslash before the mark makes it text, and a doubled one is
 * one backslash and then a slot. What is put in is data: slots in it are text.
 */
import { quote } from "../../base/describe.ts";
import type { Json } from "../../base/json.ts";
import { explainMissing, isPathProblem, type Path, parsePath, walk } from "../../expr/path.ts";
import { refuse } from "./refuse.ts";

/** What becomes of a slot whose value is not there. */
export type MissingSlot = "fail" | "empty" | "keep";

const MARK = /(\\{0,2})<</g;

export function fillSlots(template: string, values: Json, missing: MissingSlot): string {
  let out = "";
  let at = 0;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(template); mark !== null; mark = MARK.exec(template)) {
    const backslashes = mark[1] ?? "";
    out += template.slice(at, mark.index);
    at = mark.index + mark[0].length;
    if (backslashes === "\\") {
      out += "<<";
      continue;
    }
    out += backslashes.slice(1);
    const close = template.indexOf(">>", at);
    if (close < 0)
      throw refuse(
        "TEMPLATE",
        `"<<" at character ${at - 1} is never closed; write "\\<<" for the text "<<".`,
      );
    out += fillSlot(template.slice(at, close), values, missing);
    at = close + 2;
    MARK.lastIndex = at;
  }
  return out + template.slice(at);
}

function fillSlot(inside: string, values: Json, missing: MissingSlot): string {
  const path = pathOf(inside);
  const value = walk(values, path);
  if (value !== undefined) return typeof value === "string" ? value : JSON.stringify(value);
  if (missing === "empty") return "";
  if (missing === "keep") return `<<${inside}>>`;
  const shown = `<<${inside.trim()}>>`;
  throw refuse(
    "TEMPLATE",
    `${shown} cannot be filled: ${explainMissing(values, path).replace("the value", `"values"`)}.`,
  );
}

function pathOf(inside: string): Path {
  const text = `.${inside.trim()}`;
  const path = parsePath(text, 0, text.length);
  if (!isPathProblem(path)) return path;
  throw refuse(
    "TEMPLATE",
    `${quote(`<<${inside}>>`)} is not a slot: ${path.message}; write "\\<<" for the text "<<".`,
  );
}
