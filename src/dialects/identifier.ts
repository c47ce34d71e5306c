/** Ids of steps and names of arguments: letters, digits, `_` and `-`. */
export function isId(text: string): boolean {
  return text.length > 0 && endOfId(text, 0, text.length) === text.length;
}

/** Where the id that begins at `from` ends; `from` itself where none does. */
export function endOfId(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isIdCharacter(text.charCodeAt(at))) at++;
  return at;
}

function isIdCharacter(c: number): boolean {
  if (c < 128) {
    return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 45;
  }
  return /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(c));
}
