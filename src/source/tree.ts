/** The positions read so far: finished values, and the lists and objects that are still open. */
import { pointerOf } from "./place.ts";
import type { PositionNode } from "./positions.ts";
import { PROBLEMS_MAX } from "./syntax.ts";

/** A node whose end is not known yet. */
export interface GrowingNode extends PositionNode {
  end: number;
  readonly children: GrowingNode[];
}

/** An open list or object, and what comes next in it. */
export interface Frame {
  readonly node: GrowingNode;
  expects: "key" | "colon" | "value" | "comma";
  key: Key | undefined;
  /** The comma just read, if no entry has followed it yet; -1 otherwise. */
  comma: number;
  /** Entries by key, kept once the object is too large to look through. */
  seen: Map<string, PositionNode> | undefined;
}

export interface Key {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A key that stands in its object again, with the entry in front of it. */
export interface Repetition {
  readonly first: PositionNode;
  readonly again: PositionNode;
  readonly before: PositionNode;
  readonly pointer: string;
}

const NO_CHILDREN: GrowingNode[] = [];
const SMALL_OBJECT = 8;

export class Tree {
  root: GrowingNode | undefined;
  readonly frames: Frame[] = [];
  readonly repetitions: Repetition[] = [];

  /** Adds a value to the innermost open list or object, which then expects a comma. */
  add(kind: PositionNode["kind"], start: number, end: number): void {
    const frame = this.frames.at(-1);
    this.#attach(frame, kind, start, end, NO_CHILDREN);
    if (frame !== undefined) frame.expects = "comma";
  }

  open(kind: "object" | "list", start: number): void {
    const node = this.#attach(this.frames.at(-1), kind, start, start + 1, []);
    const expects = kind === "object" ? "key" : "value";
    this.frames.push({ node, expects, key: undefined, comma: -1, seen: undefined });
  }

  close(end: number): void {
    const frame = this.frames.pop();
    if (frame !== undefined) frame.node.end = end;
    const outer = this.frames.at(-1);
    if (outer !== undefined) outer.expects = "comma";
  }

  /** The pointer of the value that is being read. */
  pointer(): string {
    const keys = this.frames.slice(1).map((frame) => frame.node.key);
    const top = this.frames.at(-1);
    if (top !== undefined && top.expects !== "comma") {
      if (top.node.kind === "list") keys.push(top.node.children.length);
      else if (top.key !== undefined && top.expects !== "key") keys.push(top.key.name);
    }
    return pointerOf(keys);
  }

  #attach(
    frame: Frame | undefined,
    kind: PositionNode["kind"],
    start: number,
    end: number,
    children: GrowingNode[],
  ): GrowingNode {
    const key = frame?.node.kind === "object" ? frame.key : undefined;
    if (frame === undefined || key === undefined) {
      const index = frame === undefined ? "" : frame.node.children.length;
      const node = { kind, start, end, key: index, keyStart: -1, keyEnd: -1, children };
      if (frame === undefined) this.root = node;
      else this.#append(frame, node);
      return node;
    }
    const node = { kind, start, end, key: key.name, keyStart: key.start, keyEnd: key.end, children };
    this.#noteRepetition(frame, node, key.name);
    this.#append(frame, node);
    return node;
  }

  #append(frame: Frame, node: GrowingNode): void {
    frame.node.children.push(node);
    frame.comma = -1;
  }

  #noteRepetition(frame: Frame, node: PositionNode, name: string): void {
    const first = firstNamed(frame, name);
    if (first === undefined) {
      frame.seen?.set(name, node);
      return;
    }
    const before = frame.node.children.at(-1);
    if (before === undefined || this.repetitions.length >= PROBLEMS_MAX) return;
    this.repetitions.push({ first, again: node, before, pointer: this.pointer() });
  }
}

function firstNamed(frame: Frame, name: string): PositionNode | undefined {
  const entries = frame.node.children;
  if (entries.length < SMALL_OBJECT) return entries.find((entry) => entry.key === name);
  if (frame.seen === undefined) {
    frame.seen = new Map();
    for (const entry of entries.toReversed()) frame.seen.set(String(entry.key), entry);
  }
  return frame.seen.get(name);
}

export function closer(frame: Frame): string {
  return frame.node.kind === "object" ? "}" : "]";
}

export function opener(frame: Frame): string {
  return frame.node.kind === "object" ? "{" : "[";
}
