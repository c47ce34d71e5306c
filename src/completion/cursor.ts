/*
 * Where a cursor stands in JSON text that is being written. Only what is left of the cursor is read, and read generously, so that
 * it does not matter what is still missing; then the token at the cursor is replaced by an empty one, and the whole text is read
 * by the reader that goes on after every mistake.
 */
import { type Json, setOwn } from "../base/json.ts";
import { type PositionNode, readPositions } from "../source/positions.ts";

export interface Cursor {
  /** From the root to the value at the cursor, or, at a key, to the object that the key is in. */
  readonly keys: readonly (string | number)[];
  readonly role: "key" | "value";
  /** The token at the cursor, quotes included; empty where there is none. */
  readonly from: number;
  readonly to: number;
  readonly inString: boolean;
  /** What has been typed of the token, without its quote. */
  readonly typed: string;
  /** The document as far as it can be told, with nothing at the cursor. */
  readonly value: Json;
}

interface Frame {
  readonly isList: boolean;
  expects: "key" | "colon" | "value" | "comma";
  key: string | number;
}

type Token = Pick<Cursor, "from" | "to" | "inString" | "typed">;

export function cursorAt(text: string, offset: number): Cursor | undefined {
  const frames: Frame[] = [{ isList: false, expects: "value", key: "" }];
  const token = scan(text, offset, frames);
  const frame = frames.at(-1);
  if (frame === undefined || frame.expects === "comma" || frame.expects === "colon") return undefined;
  const role = frame.expects;
  const keys = frames.slice(1).map((one) => one.key);
  if (role === "key") keys.pop();
  return { ...token, keys, role, value: readWithout(text, token, role) };
}

/** Reads up to the offset; the frames are what is open there. */
function scan(text: string, offset: number, frames: Frame[]): Token {
  let at = 0;
  while (at < offset) {
    const c = text.charAt(at);
    const frame = frames.at(-1) as Frame;
    if (c === '"') {
      const end = endOfString(text, at);
      if (end > offset || text[end - 1] !== '"' || end === at + 1) return stringToken(text, at, offset);
      take(frame, text.slice(at + 1, end - 1));
      at = end;
    } else if (/[\w.+-]/.test(c)) {
      const end = endOfWord(text, at);
      if (end >= offset) return { from: at, to: end, inString: false, typed: text.slice(at, offset) };
      take(frame, "");
      at = end;
    } else {
      punctuate(c, frame, frames);
      at++;
    }
  }
  return { from: offset, to: offset, inString: false, typed: "" };
}

function take(frame: Frame, name: string): void {
  if (frame.expects === "key") {
    frame.key = decoded(name);
    frame.expects = "colon";
  } else frame.expects = "comma";
}

function punctuate(c: string, frame: Frame, frames: Frame[]): void {
  if (c === "{") frames.push({ isList: false, expects: "key", key: "" });
  else if (c === "[") frames.push({ isList: true, expects: "value", key: 0 });
  else if ((c === "}" || c === "]") && frames.length > 1) {
    frames.pop();
    (frames.at(-1) as Frame).expects = "comma";
  } else if (c === ":" && !frame.isList) frame.expects = "value";
  else if (c === "," && frame.isList) {
    frame.key = (frame.key as number) + 1;
    frame.expects = "value";
  } else if (c === "," && frames.length > 1) frame.expects = "key";
}

/** Behind the closing quote, or at the end of the line for a string that is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const c = text[at];
    if (c === '"') return at + 1;
    if (c === "\n") return at;
    if (c === "\\") at++;
  }
  return text.length;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\w.+-]/.test(text.charAt(at))) at++;
  return at;
}

/** A quote behind the cursor closes the string only where something can follow that follows a string. */
function stringToken(text: string, from: number, offset: number): Token {
  const end = Math.max(endOfString(text, from), offset);
  const closes =
    text[end - 1] === '"' && end > offset && /^[ \t]*([,:}\]\r\n]|$)/.test(text.slice(end, end + 200));
  return { from, to: closes ? end : offset, inString: true, typed: decoded(text.slice(from + 1, offset)) };
}

/** What a string is before its end has been written; half an escape is left as it is. */
function decoded(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

function readWithout(text: string, { from, to }: Token, role: Cursor["role"]): Json {
  const hasColon = /^\s*:/.test(text.slice(to, to + 200));
  const empty = role === "value" ? '""' : hasColon ? '""' : '"": null';
  const mended = text.slice(0, from) + empty + text.slice(to);
  const { root } = readPositions(mended);
  return root === undefined ? null : jsonOf(root, mended);
}

function jsonOf(node: PositionNode, text: string): Json {
  if (node.kind === "list") return node.children.map((child) => jsonOf(child, text));
  if (node.kind === "object") {
    const object: Record<string, Json> = {};
    for (const child of node.children) setOwn(object, String(child.key), jsonOf(child, text));
    return object;
  }
  const raw = text.slice(node.start, node.end);
  try {
    return JSON.parse(raw) as Json;
  } catch {
    return raw.replace(/^"|"$/g, "");
  }
}
