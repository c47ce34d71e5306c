/* The JSON in a model's answer, however it is wrapped: in a fence, in prose, after its thoughts, or cut off at the end. */
import { repair } from "./repair.ts";
import { endOfPiece } from "./wrapping.ts";

const ROUNDS_MAX = 8;
const PIECES_MAX = 50;

/** The text of the list or object that was meant, its syntax repaired; undefined where the answer has none. */
export function extractJson(answer: string): string | undefined {
  const spoken = answer.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, "");
  for (const pieces of [fenced(spoken), bracketed(spoken)]) {
    const found = pieces.map(asJson).filter((text) => text !== undefined);
    if (found.length > 0)
      return found.reduce((longest, text) => (text.length > longest.length ? text : longest));
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

function asJson(piece: string): string | undefined {
  let text = piece.trim();
  if (!/^[[{]/.test(text)) return undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (isContainer(text)) return text;
    const repaired = repair(text, []).text;
    if (repaired === text) return undefined;
    text = repaired;
  }
  return undefined;
}

function isContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
