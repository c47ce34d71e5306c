/*
 * Reads JSON text into positions, and goes on after every mistake, so that all of them are reported at once.
 *
 * I1  No recursion: open lists and objects are frames of the tree, at most LEVELS_MAX of them; what lies deeper is
 *     skipped as one piece. So no text overflows the stack.
 * I2  Every turn of the loop moves on in the text, or changes what a frame expects so that the next turn does. So
 *     reading ends.
 * I3  Reading stops at PROBLEMS_MAX syntax problems. Repeated keys do not stop it: the text is JSON, and its positions
 *     are wanted.
 */
import { invariant } from "../base/invariant.ts";
import { lineColumn } from "./lines.ts";
import type { PositionNode, Positions } from "./positions.ts";
import { SyntaxReport } from "./report.ts";
import { innerQuotes, isOtherQuote, otherString, roughString, startsEntry } from "./rough-strings.ts";
import { LEVELS_MAX, type Wording, wording } from "./syntax.ts";
import {
  decodeString,
  endOfScalar,
  endOfString,
  isWordPart,
  type RoughToken,
  roughKey,
  roughScalar,
  roughSpace,
  skipSpace,
} from "./tokens.ts";
import { closer, type Frame, type Key, opener, Tree } from "./tree.ts";
import { endOfPiece, endOfTrimmed, endOfUnexpected, startOfJson } from "./wrapping.ts";

export class Reader {
  readonly #tree = new Tree();
  readonly #text: string;
  readonly #report: SyntaxReport;
  #at = 0;
  /** The end of the last token, where something that is missing is missing. */
  #end = 0;
  #tooDeep = false;

  constructor(text: string) {
    this.#text = text;
    this.#report = new SyntaxReport(text, this.#tree);
  }

  read(): Positions {
    this.#skipTextBefore();
    while (this.#skipBlank()) {
      const frame = this.#tree.frames.at(-1);
      if (frame === undefined) {
        if (this.#tree.root === undefined) this.#readValue(undefined);
        else this.#readTextAfter(this.#tree.root);
      } else if (frame.expects === "key") this.#readKey(frame);
      else if (frame.expects === "colon") this.#readColon(frame);
      else if (frame.expects === "value") this.#readValue(frame);
      else this.#readComma(frame);
    }
    if (!this.#report.isFull) this.#finish();
    for (const repetition of this.#tree.repetitions) this.#report.addRepetition(repetition);
    return { root: this.#tree.root, problems: this.#report.problems() };
  }

  #skipTextBefore(): void {
    const { from, to } = startOfJson(this.#text);
    if (from < to)
      this.#report.add(wording.textBefore(), from, endOfTrimmed(this.#text, to), [{ from, to, text: "" }]);
    this.#moveTo(to);
  }

  #skipBlank(): boolean {
    while (!this.#report.isFull) {
      this.#at = skipSpace(this.#text, this.#at);
      if (this.#at >= this.#text.length) return false;
      const c = this.#text.charCodeAt(this.#at);
      // What begins a token of JSON is quickly told from blanks that JSON does not know: they begin with / or #, or
      // are not printable ASCII.
      if (c > 32 && c < 127 && c !== 47 && c !== 35) return true;
      const mistake = roughSpace(this.#text, this.#at);
      if (mistake === undefined) return true;
      this.#report.addMistake(mistake);
      this.#at = mistake.to;
    }
    return false;
  }

  #readKey(frame: Frame): void {
    const c = this.#text.charAt(this.#at);
    if (c === '"' || isOtherQuote(c)) {
      this.#takeKey(frame, this.#string(true));
    } else if (c === "}" || c === "]") {
      this.#close(c);
    } else if (c === ",") {
      this.#replace(wording.strayComma(), 1, "");
    } else if (c === "{" || c === "[") {
      this.#report.add(wording.missingKey(c), this.#at, this.#at + 1);
      frame.key = { name: "", start: this.#at, end: this.#at };
      frame.expects = "value";
    } else {
      const key = roughKey(this.#text, this.#at);
      if (key === undefined) this.#unexpected();
      else this.#takeKey(frame, this.#rough(key));
    }
  }

  #takeKey(frame: Frame, token: { readonly end: number; readonly value: string }): void {
    frame.key = { name: token.value, start: this.#at, end: token.end };
    frame.expects = "colon";
    this.#moveTo(token.end);
  }

  #readColon(frame: Frame): void {
    const c = this.#text.charAt(this.#at);
    const key = frame.key;
    invariant(key !== undefined, "a colon is read after a key");
    if (c === ":") {
      this.#moveTo(this.#at + 1);
    } else if (c === "=") {
      const found = this.#text.startsWith("=>", this.#at) ? "=>" : "=";
      this.#replace(wording.wrongColon(found), found.length, ":");
    } else if (c === "," || c === "}" || c === "]") {
      this.#report.add(wording.keyWithoutColon(key.name), key.start, key.end);
      this.#tree.add("scalar", key.end, key.end);
      return;
    } else if (/:\s*$/.test(key.name.slice(-8))) {
      this.#reopenKey(frame, key);
    } else {
      this.#missing(wording.missingColon(key.name), ":");
    }
    frame.expects = "value";
  }

  /** `"name: "x"`: the quote that ended the key was meant to begin the value. */
  #reopenKey(frame: Frame, key: Key): void {
    const colon = this.#text.lastIndexOf(":", key.end);
    frame.key = { name: key.name.slice(0, key.name.lastIndexOf(":")), start: key.start, end: colon };
    this.#report.add(wording.unclosedString(), key.start, colon, [{ from: colon, to: colon, text: '"' }]);
    this.#at = key.end - 1;
  }

  #readValue(frame: Frame | undefined): void {
    const c = this.#text.charAt(this.#at);
    if (c === "{" || c === "[") {
      this.#open(c);
    } else if (c === '"' || isOtherQuote(c)) {
      this.#addValue("string", this.#string(false).end);
    } else if (c === "," || c === "}" || c === "]") {
      this.#readNoValue(frame, c);
    } else {
      const end = endOfScalar(this.#text, this.#at);
      const token = end < 0 ? roughScalar(this.#text, this.#at) : undefined;
      if (end >= 0) this.#addValue("scalar", end);
      else if (token === undefined) this.#unexpected();
      else this.#addValue("scalar", this.#rough(token).end);
    }
  }

  #readNoValue(frame: Frame | undefined, c: string): void {
    if (frame === undefined) {
      this.#unexpected();
    } else if (frame.node.kind === "object") {
      this.#report.add(wording.missingValue(frame.key?.name ?? ""), this.#end, this.#end);
      this.#tree.add("scalar", this.#end, this.#end);
    } else if (c === ",") {
      this.#replace(wording.strayComma(), 1, "");
    } else {
      this.#close(c);
    }
  }

  #readComma(frame: Frame): void {
    const c = this.#text.charAt(this.#at);
    const next = frame.node.kind === "object" ? "key" : "value";
    if (c === "}" || c === "]") {
      this.#close(c);
    } else if (c === "," || c === ";") {
      frame.comma = this.#at;
      frame.expects = next;
      if (c === ",") this.#moveTo(this.#at + 1);
      else this.#replace(wording.wrongComma(c), 1, ",");
    } else if (c === ":" && next === "value") {
      this.#report.add(wording.keyInList(), this.#at, this.#at + 1);
      this.#moveTo(this.#at + 1);
      frame.expects = next;
    } else if (!this.#takeInnerQuotes(frame, c)) {
      if (startsEntry(c)) {
        this.#missing(wording.missingComma(), ",");
        frame.expects = next;
      } else {
        this.#unexpected();
      }
    }
  }

  #takeInnerQuotes(frame: Frame, c: string): boolean {
    const last = frame.node.children.at(-1);
    if (last?.kind !== "string" || last.end !== this.#at || !isWordPart(c.charCodeAt(0))) return false;
    const found = innerQuotes(this.#text, this.#at - 1);
    if (found === undefined) return false;
    this.#report.addMistake(found.mistake);
    last.end = found.end;
    this.#moveTo(found.end);
    return true;
  }

  #open(c: string): void {
    const kind = c === "{" ? "object" : "list";
    if (this.#tree.frames.length < LEVELS_MAX) {
      this.#tree.open(kind, this.#at);
      this.#moveTo(this.#at + 1);
    } else {
      if (!this.#tooDeep) this.#report.addTooDeep(this.#at);
      this.#tooDeep = true;
      this.#addValue(kind, endOfPiece(this.#text, this.#at));
    }
  }

  #close(c: string): void {
    const kind = c === "}" ? "object" : "list";
    const frames = this.#tree.frames;
    const index = frames.findLastIndex((frame) => frame.node.kind === kind);
    while (frames.length > index + 1) {
      const frame = frames.at(-1);
      if (frame === undefined || index < 0) break;
      this.#endEntries(frame);
      this.#missing(wording.missingCloser(closer(frame), opener(frame), this.#lineOf(frame)), closer(frame));
      this.#tree.close(this.#end);
    }
    const frame = frames.at(-1);
    invariant(frame !== undefined, "a bracket is closed inside one");
    this.#endEntries(frame);
    if (index >= 0) this.#moveTo(this.#at + 1);
    else this.#replace(wording.wrongCloser(c, closer(frame), this.#lineOf(frame)), 1, closer(frame));
    this.#tree.close(this.#at);
  }

  /** A comma before the closing bracket. */
  #endEntries(frame: Frame): void {
    if (frame.comma < 0 || frame.expects === "comma") return;
    const edit = { from: frame.comma, to: frame.comma + 1, text: "" };
    frame.expects = "comma";
    this.#report.add(wording.trailingComma(closer(frame)), edit.from, edit.to, [edit]);
    frame.comma = -1;
  }

  #readTextAfter(root: PositionNode): void {
    const to = endOfTrimmed(this.#text, this.#text.length);
    const rest = this.#text.slice(this.#at, to);
    const edits = /[{["]/.test(rest) ? undefined : [{ from: root.end, to, text: "" }];
    const line = lineColumn(this.#text, root.end).line;
    const said = /[^}\]\s]/.test(rest) ? wording.textAfter(line) : wording.closerTooMany();
    this.#report.add(said, this.#at, to, edits);
    this.#at = this.#text.length;
  }

  /** The text has ended; so must everything that is open. */
  #finish(): void {
    if (this.#tree.root === undefined && this.#report.isEmpty) {
      this.#report.add(wording.empty(), this.#text.length, this.#text.length);
    }
    const top = this.#tree.frames.at(-1);
    if (top === undefined) return;
    const halfEntry = top.expects === "colon" || (top.expects === "value" && top.node.kind === "object");
    const missing = this.#tree.frames.map(closer).reverse().join("");
    const shown = missing.length > 20 ? `${missing.length} closing brackets are` : `"${missing}" is`;
    this.#endEntries(top);
    const edits =
      halfEntry || this.#tooDeep ? undefined : [{ from: this.#end, to: this.#end, text: missing }];
    this.#report.add(wording.endsEarly(shown, this.#lineOf(top)), this.#end, this.#end, edits);
    while (this.#tree.frames.length > 0) this.#tree.close(this.#end);
  }

  #addValue(kind: PositionNode["kind"], end: number): void {
    this.#tree.add(kind, this.#at, end);
    this.#moveTo(end);
  }

  #string(isKey: boolean): { readonly end: number; readonly value: string } {
    if (this.#text.charAt(this.#at) !== '"') return this.#rough(otherString(this.#text, this.#at));
    const end = endOfString(this.#text, this.#at);
    if (end < 0) return this.#rough(roughString(this.#text, this.#at, isKey));
    return { end, value: isKey ? decodeString(this.#text, this.#at, end) : "" };
  }

  #rough(token: RoughToken): RoughToken {
    for (const mistake of token.problems) this.#report.addMistake(mistake);
    return token;
  }

  #unexpected(): void {
    const end = endOfUnexpected(this.#text, this.#at);
    const frame = this.#tree.frames.at(-1);
    // What stands there was meant as an entry: the comma before it is not one too many.
    if (frame !== undefined) frame.comma = -1;
    this.#report.add(wording.unexpected(this.#text.slice(this.#at, end)), this.#at, end);
    this.#moveTo(end);
  }

  #replace(said: Wording, length: number, write: string): void {
    const edit = { from: this.#at, to: this.#at + length, text: write };
    this.#report.add(said, edit.from, edit.to, [edit]);
    this.#moveTo(edit.to);
  }

  #missing(said: Wording, write: string): void {
    this.#report.add(said, this.#end, this.#end, [{ from: this.#end, to: this.#end, text: write }]);
  }

  #lineOf(frame: Frame): number {
    return lineColumn(this.#text, frame.node.start).line;
  }

  #moveTo(at: number): void {
    this.#at = at;
    this.#end = at;
  }
}
