/** The problems of a text, as they are found. */
import { lineColumn } from "./lines.ts";
import { PROBLEMS_MAX, type SyntaxCode, type SyntaxFinding, type Wording, wording } from "./syntax.ts";
import type { TextEdit } from "./text-edits.ts";
import type { Mistake } from "./tokens.ts";
import type { Repetition, Tree } from "./tree.ts";

export class SyntaxReport {
  readonly #problems: SyntaxFinding[] = [];
  readonly #text: string;
  readonly #tree: Tree;

  constructor(text: string, tree: Tree) {
    this.#text = text;
    this.#tree = tree;
  }

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  /** Nothing more is taken; reading on is of no use. */
  get isFull(): boolean {
    return this.#problems.length >= PROBLEMS_MAX;
  }

  add(said: Wording, from: number, to: number, edits?: readonly TextEdit[]): void {
    this.#add("json-syntax", this.#tree.pointer(), said, from, to, edits);
  }

  addMistake(mistake: Mistake): void {
    this.add(mistake.wording, mistake.from, mistake.to, mistake.edits);
  }

  addTooDeep(at: number): void {
    this.#add("too-deep", this.#tree.pointer(), wording.tooDeep(), at, at + 1, undefined);
  }

  addRepetition({ first, again, before, pointer }: Repetition): void {
    const line = lineColumn(this.#text, first.keyStart).line;
    // The same value twice needs no decision: the second goes.
    const same = this.#text.slice(first.start, first.end) === this.#text.slice(again.start, again.end);
    const edits = same ? [{ from: before.end, to: again.end, text: "" }] : undefined;
    const said = wording.duplicateKey(String(again.key), line);
    this.#add("duplicate-key", pointer, said, again.keyStart, again.keyEnd, edits);
  }

  /** In the order of the text. */
  problems(): SyntaxFinding[] {
    return this.#problems.toSorted((a, b) => a.from - b.from);
  }

  #add(
    code: SyntaxCode,
    pointer: string,
    said: Wording,
    from: number,
    to: number,
    edits: readonly TextEdit[] | undefined,
  ): void {
    if (this.isFull) return;
    this.#problems.push({ code, ...said, from, to, pointer, ...(edits && { textEdits: edits }) });
  }
}
