/* The JSON in a model's answer, however it is wrapped: in a fence, in prose, after its thoughts, or cut off at the end. */
import { repair } from "./repair.ts";
import { endOfPiece } from "./wrapping.ts";

const ROUNDS_MAX = 8;
const PIECES_MAX = 50;

export interface Extracted {
  readonly text: string;
  /** It had no end; brackets that were open have been closed. */
  readonly isCut: boolean;
}

/** The list or object that was meant, its syntax repaired; undefined where the answer has none. */
export function extractJson(answer: string): Extracted | undefined {
  const spoken = answer.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, "");
  for (const pieces of [fenced(spoken), bracketed(spoken)]) {
    const found = pieces.map(asJson).filter((json) => json !== undefined);
    if (found.length > 0) return found.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  }
  return undefined;
}

/** Insides of Markdown fences; the last one may never be closed. */
function fenced(text: string): string[] {
  return text
    .split("```")
    .slice(0, PIECES_MAX)
    .filter((_, i) => i % 2 === 1)
    .map((piece) => piece.replace(/^[\w-]*[ \t]*\n/, ""));
}

function bracketed(text: string): string[] {
  const pieces: string[] = [];
  for (let at = text.search(/[[{]/); at >= 0 && pieces.length < PIECES_MAX; ) {
    const end = endOfPiece(text, at);
    pieces.push(text.slice(at, end));
    const next = text.slice(end).search(/[[{]/);
    at = next < 0 ? -1 : end + next;
  }
  return pieces;
}

function asJson(piece: string): Extracted | undefined {
  let text = piece.trim();
  const isCut = !hasEnd(text) && !hasEnd(text.replace(/\/\/[^\n]*$/, ""));
  if (!/^[[{]/.test(text)) return undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (isContainer(text)) return { text, isCut };
    const repaired = repair(text, []).text;
    if (repaired === text) return undefined;
    text = repaired;
  }
  return undefined;
}

function hasEnd(text: string): boolean {
  return /[\]}][\s,;]*$/.test(text);
}

function isContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
