/** What can be wrong with a text before it is a plan at all, and what is said about it. */
import type { TextEdit } from "./text-edits.ts";

export type SyntaxCode = "json-syntax" | "duplicate-key" | "too-deep" | "not-json";

/** A problem of the text itself. `from` and `to` are offsets in it; a parsed value has none, only the pointer. */
export interface SyntaxFinding {
  readonly code: SyntaxCode;
  readonly message: string;
  readonly hints: readonly string[];
  readonly from: number;
  readonly to: number;
  /** The value the problem stands in, as far as the text can be read. */
  readonly pointer: string;
  /** The repair, where there is an obvious one. */
  readonly textEdits?: readonly TextEdit[];
}

/** Levels of lists and objects. Everything downstream may recurse over a document that is no deeper. */
export const LEVELS_MAX = 500;

/** A text with more problems than this is not a plan with mistakes but something else; reading it ends here. */
export const PROBLEMS_MAX = 100;

/** The words of a problem, without its place. */
export interface Wording {
  readonly message: string;
  readonly hints: readonly string[];
}

function say(message: string, ...hints: string[]): Wording {
  return { message, hints };
}

/** A piece of the text, short enough to stand in a message. */
function quote(piece: string): string {
  return piece.length > 40 ? `${piece.slice(0, 40)}…` : piece;
}

export const wording = {
  empty: () => say("The text is empty; a plan is a JSON object or list."),
  textBefore: () =>
    say("There is text in front of the JSON.", 'A plan is JSON and nothing else: it begins with "{" or "[".'),
  textAfter: (line: number) =>
    say(
      `The JSON ends on line ${line}; there is more text after it.`,
      "A plan is one JSON value and nothing else.",
    ),
  closerTooMany: () => say("There is a closing bracket too many.", "Remove it."),
  comment: () => say("JSON has no comments.", 'Remove it, or keep the text in a "description" field.'),
  oddSpace: () =>
    say("This is not a space that JSON knows (a no-break or zero-width one).", "Use a normal space."),
  trailingComma: (close: string) => say(`There is a comma before "${close}".`, "Remove the comma."),
  strayComma: () => say("There is a comma with nothing before it.", "Remove the comma."),
  missingComma: () => say("A comma is missing here."),
  wrongComma: (found: string) => say(`Entries are separated by ",", not by "${found}".`),
  missingColon: (key: string) => say(`A colon is missing after the key "${quote(key)}".`),
  wrongColon: (found: string) => say(`A key and its value are separated by ":", not by "${found}".`),
  missingValue: (key: string) =>
    say(`The key "${quote(key)}" has no value.`, "Write one after the colon, if only null."),
  keyWithoutColon: (key: string) =>
    say(
      `"${quote(key)}" stands in an object without a value.`,
      'An object has "key": value pairs; a list has [ ].',
    ),
  missingKey: (found: string) => say(`A key in double quotes was expected, and "${quote(found)}" found.`),
  keyInList: () => say("A list has no keys.", 'Put "key": value pairs in braces: { "key": value }.'),
  unquotedKey: (key: string) => say(`The key ${quote(key)} needs double quotes.`, `Write "${quote(key)}".`),
  wrongQuotes: (found: string) => say(`Strings stand in double quotes, not in ${found}.`),
  innerQuotes: () =>
    say("A double quote inside a string ends it.", 'Write \\" for a quote that is part of the text.'),
  unclosedString: () => say("This string is never closed.", "A double quote is missing at its end."),
  controlCharacter: () =>
    say(
      "A line break, tab or control character cannot stand in a string as it is.",
      "Write \\n, \\t or \\u….",
    ),
  badEscape: (found: string) =>
    say(
      `"${found}" is not an escape that JSON knows.`,
      'Write "\\\\" for a backslash that is part of the text.',
    ),
  notLiteral: (found: string, write: string) => say(`${found} is not JSON.`, `Write ${write}.`),
  unquotedText: (found: string) =>
    say(`${quote(found)} needs double quotes.`, `Write ${JSON.stringify(quote(found))}.`),
  badNumber: (found: string) =>
    say(`${quote(found)} is not a number in JSON.`, "Numbers look like 7, -0.5 or 1e6."),
  unexpected: (found: string) => say(`"${quote(found)}" cannot stand here.`),
  missingCloser: (close: string, open: string, line: number) =>
    say(`"${close}" is missing here.`, `It closes the "${open}" on line ${line}.`),
  wrongCloser: (found: string, close: string, line: number) =>
    say(
      `"${found}" closes nothing; "${close}" was expected.`,
      `The bracket that is open is on line ${line}.`,
    ),
  endsEarly: (missing: string, line: number) =>
    say(`The text ends too early: ${missing} missing.`, `The innermost open bracket is on line ${line}.`),
  duplicateKey: (key: string, line: number) =>
    say(
      `The key "${quote(key)}" stands twice in this object; only the last would count.`,
      `The first is on line ${line}. Remove one of the two, or give one another name.`,
    ),
  tooDeep: () =>
    say(
      `This is nested deeper than ${LEVELS_MAX} levels of lists and objects.`,
      "Split the plan, or pass the data as text.",
    ),
  parserSays: (message: string) => say(`This is not JSON: ${message}.`),
  notJson: (what: string, ...hints: string[]) => say(`${what} is not JSON.`, ...hints),
  cycle: (pointer: string) => say(`This value contains itself: it is the value at "${pointer}" again.`),
  tooLarge: () => say("This value repeats parts of itself so often that it is too large to be a plan."),
  unreadable: (message: string) => say(`This value cannot be read: ${message}`),
} satisfies Record<string, (...args: never[]) => Wording>;
