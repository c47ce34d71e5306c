/*
 * Writes what `embedded.ts` reads. Before a mark that is text, the n backslashes that are there become 2n + 1; before one that
 * begins a reference, 2n. Of a longer run of braces the last pair is the mark, and what counts is what stands before the run.
 */
import { type Path, printPath } from "../expr/path.ts";
import type { Reference } from "../expr/reference.ts";
import type { TextPart } from "../ir/template.ts";
import type { EmbeddedSyntax } from "./embedded.ts";

type Marks = Pick<EmbeddedSyntax, "open" | "begins">;

export function writeText(
  parts: readonly TextPart[],
  marks: Marks,
  spell: (reference: Reference) => string,
): string {
  const written = parts.map((part, i) => {
    if (typeof part !== "string") return spell(part.reference);
    const isBeforeReference = typeof parts[i + 1] === "object";
    return isBeforeReference ? escapeBeforeReference(part, marks) : escapeMarks(part, marks);
  });
  return written.join("");
}

export function escapeMarks(text: string, { open, begins }: Marks): string {
  let out = "";
  let done = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, at)) {
    const run = at;
    while (open === "{{" && text[at + 2] === "{") at++;
    const isMark = begins(text, at);
    at += open.length;
    if (!isMark) continue;
    const backslashes = run - startOfRun(text, run, done, "\\");
    out += `${text.slice(done, run)}${"\\".repeat(backslashes + 1)}`;
    done = run;
  }
  return out + text.slice(done);
}

/** Braces at the very end join the reference's own, so they stay as they are. */
function escapeBeforeReference(text: string, marks: Marks): string {
  const braces = marks.open === "{{" ? startOfRun(text, text.length, 0, "{") : text.length;
  const backslashes = startOfRun(text, braces, 0, "\\");
  const tail = text.slice(backslashes, braces);
  return `${escapeMarks(text.slice(0, backslashes), marks)}${tail}${tail}${text.slice(braces)}`;
}

/** Where the run of the character that ends at `end` begins. */
function startOfRun(text: string, end: number, from: number, character: string): number {
  let at = end;
  while (at > from && text[at - 1] === character) at--;
  return at;
}

/** A path with no brace in it that could be taken for the end of the reference. */
export function writePath(path: Path): string {
  return printPath(path).replaceAll("{", "\\u007b").replaceAll("}", "\\u007d");
}
