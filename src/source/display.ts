/**
 * Text of a plan on a terminal. A plan may hold anything, so nothing of it reaches the terminal that could steer it:
 * control characters, escape sequences, characters that reverse the writing direction. And carets must stand under what
 * they point at, so the width of every character is known, more or less: terminals differ on the rarer ones.
 */
const TAB = "    ";

/** One line of harmless text. Control characters become their pictures (`␛`, `␊`), other dangers `�`. */
export function harmless(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/\u007f/g, "\u2421")
    .replace(/[\u0080-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g, "\ufffd");
}

/** A piece of a source line as it is shown: harmless, with tabs of a fixed width. */
export function shown(text: string): string {
  return text.split("\t").map(harmless).join(TAB);
}

/** Columns that a text takes once it is shown. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of shown(text)) width += characterWidth(character);
  return width;
}

const COMBINING = /^[\p{Mn}\p{Me}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** East Asian wide and fullwidth characters, first and last of each block. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060 || COMBINING.test(character)) return 0;
  if (EMOJI.test(character)) return 2;
  return WIDE.some(([first, last]) => first <= code && code <= last) ? 2 : 1;
}
