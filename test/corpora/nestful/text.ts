/* Functions of NESTFUL that take or give text, by the meanings in its `functions.json`. Characters are code points. */
import type { Json } from "../../../src/base/json.ts";

export const text = {
  add_indent: (text: string, level: number) => text.replace(/^(?=.*\S)/gm, () => " ".repeat(4 * level)),
  camel_case_to_underscore: (text: string) => text.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase(),
  check_characters_order: (text: string) => (inOrder([...text]) ? text : [...text].toReversed().join("")),
  check_special_characters: (text: string) => !/[@#$%^]/.test(text),
  convert_reversed: (n: number) => [...String(n)].toReversed().join(""),
  convert_to_ascii_codes: (text: string) => [...text].map(codePoint),
  convert_to_format: (list: Json[]) => list.map((item, i) => `${i}: ${plain(item)}`).join(" "),
  convert_to_printable_str: (list: Json[]) => list.map(plain).join(", "),
  convert_to_unicode_if_available: (text: string) => text,
  decode_string_or_bytes: (text: string) => text,
  convert_to_url_path: (path: string) =>
    path
      .replace(/[^A-Za-z0-9 ]/g, "")
      .replaceAll(" ", "_")
      .toLowerCase(),
  count_bytes: (text: string) => [...text].length,
  count_differences: (a: string, b: string) =>
    a.length === b.length ? [...a].filter((character, i) => character !== b[i]).length : -1,
  count_leading_and_trailing_spaces: (text: string) => [
    text.length - text.trimStart().length,
    text.length - text.trimEnd().length,
  ],
  duplicate_string: (text: string) => [...text].map((character) => character + character).join(""),
  escape_special_chars_in_tokens: (tokens: string[]) =>
    tokens.map((token) => token.replace(/['"\\$()*+./:?[\]{}=!<>]/g, "\\$&").replaceAll("\n", "\\")),
  extract_usernames: (messages: string[]) =>
    messages.flatMap((message) => /^User: (\w+)/.exec(message)?.[1] ?? []),
  is_alphabetically_sorted: inOrder,
  join_with_spaces: (list: string[]) => list.join(" "),
  modified_string: (text: string | null) =>
    text === null || text.startsWith("Hello") ? "Hello, world!" : `Hello, ${text}!`,
  my_int: Number,
  non_whitespace_substrings: words,
  pad_string_left: (text: string, n: number) => text.padStart(n),
  remove_all_patterns: (text: string, pattern: string) =>
    text.replace(new RegExp(pattern.replace(/[^\w\s]/g, "\\$&"), "gi"), ""),
  remove_consecutive_spaces: (text: string) => text.replace(/\s+/g, " "),
  remove_control_chars_and_pad: (text: string) =>
    `${" ".repeat(16)}${text.replace(/\p{Cc}/gu, "")}${" ".repeat(16)}`,
  replace_separators: (list: string[]) =>
    list.map((item) => (item.includes("_") ? item.replaceAll("_", "-") : item.replaceAll("-", "_"))),
  replace_seven: (text: string) => text.replaceAll("7", "1"),
  reverse_line_by_word: (line: string) =>
    words(line)
      .map((word) => [...word].toReversed().join(""))
      .join(" "),
  select_longest_string: (list: string[]) =>
    list.reduce((longest, item) => (item.length > longest.length ? item : longest)),
  sentence_to_words: (sentence: string) => words(sentence).map((word) => word.replace(/\W/g, "")),
  sort_string_of_ints: (text: string) =>
    text
      .split(",")
      .map(Number)
      .toSorted((a, b) => a - b),
  split_str_custom: (text: string, separator: string) => text.split(separator),
  string_to_sentence: (text: string) => {
    if (text.length < 5) throw new Error("the text is shorter than 5 characters");
    return `${text.replace(/[A-Za-z]+/g, (run) => run.charAt(0).toUpperCase() + run.slice(1).toLowerCase())}.`;
  },
  tokenize_and_capitalize: (text: string) =>
    words(text)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(" "),
  tokenize_sentence: (sentence: string) => words(sentence.toLowerCase().replace(/[,()!]/g, "")),
  zeroes_to_binary: (n: number) => "0".repeat(n),
};

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** The way a person would write it: strings as they are. */
function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function inOrder(list: readonly string[]): boolean {
  return list.every((item, i) => i === 0 || (list[i - 1] as string) <= item);
}
