/**
 * Strings stand in the text with their escapes; findings count characters of the decoded string. This maps the
 * latter to the former.
 */
const BACKSLASH = 92;
const LOWER_U = 117;

/**
 * The offset in `text` of the character `offset` of the string literal from `start` to `end` (quotes included).
 * An offset past the last character is the closing quote.
 */
export function sourceOffset(text: string, start: number, end: number, offset: number): number {
  const close = end - 1;
  let at = start + 1;
  for (let decoded = 0; decoded < offset && at < close; decoded++) {
    if (text.charCodeAt(at) !== BACKSLASH) at++;
    else at += text.charCodeAt(at + 1) === LOWER_U ? 6 : 2;
  }
  return Math.min(at, close);
}

/** `text` as it is written inside a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
