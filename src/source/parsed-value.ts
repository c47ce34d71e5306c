/*
 * Values that were given already parsed may be anything JavaScript has. This finds what is not JSON in them.
 *
 * I1  No recursion: the lists and objects on the way from the root are on a stack of our own.
 * I2  Every list or object is looked into once, however often it occurs, so that the cost is linear in the memory the
 *     value takes. Its height and its size written out are remembered for when it occurs again.
 */
import { pointerOf } from "./place.ts";
import {
  LEVELS_MAX,
  PROBLEMS_MAX,
  type SyntaxCode,
  type SyntaxFinding,
  type Wording,
  wording,
} from "./syntax.ts";

/** A value with more parts than this, written out, is refused if it got so large by repeating itself. */
const PARTS_MAX = 10_000_000;

interface Frame {
  readonly value: object;
  readonly key: string | number;
  /** Undefined for a list, whose keys are its indices. */
  readonly keys: readonly string[] | undefined;
  next: number;
  /** Levels below this one, and parts, of what was looked at so far. */
  height: number;
  parts: number;
}

/** Most values are fine, and this sees it quickly; where it does not, the slow check says what is wrong. */
export function checkParsed(value: unknown): SyntaxFinding[] {
  try {
    if (new QuickCheck().passes(value, 0)) return [];
  } catch {
    // A getter or a proxy threw, and will again.
  }
  return checkThoroughly(value);
}

/** Values with more parts than this are left to the thorough check, which looks at repeated parts once. */
const QUICK_PARTS_MAX = 5_000_000;

/** Recurses, but no deeper than is allowed anyway, so that a value which contains itself ends as one that is too deep. */
class QuickCheck {
  #parts = 0;

  passes(value: unknown, level: number): boolean {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
    if (typeof value === "number") return Number.isFinite(value);
    if (typeof value !== "object" || level >= LEVELS_MAX || ++this.#parts > QUICK_PARTS_MAX) return false;
    if (Array.isArray(value)) return this.#listPasses(value, level + 1);
    if (Object.getPrototypeOf(value) !== Object.prototype) return false;
    return this.#objectPasses(value as Readonly<Record<string, unknown>>, level + 1);
  }

  #listPasses(list: readonly unknown[], level: number): boolean {
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      if (typeof item !== "string" && !this.passes(item, level)) return false;
    }
    return true;
  }

  #objectPasses(object: Readonly<Record<string, unknown>>, level: number): boolean {
    for (const key in object) {
      const item = object[key];
      if (typeof item !== "string" && !this.passes(item, level)) return false;
    }
    return true;
  }
}

function checkThoroughly(value: unknown): SyntaxFinding[] {
  const check = new ParsedValueCheck();
  try {
    check.run(value);
  } catch (error) {
    // A getter or a proxy threw.
    check.report("not-json", wording.unreadable(error instanceof Error ? error.message : String(error)));
  }
  return check.problems;
}

class ParsedValueCheck {
  readonly problems: SyntaxFinding[] = [];
  readonly #frames: Frame[] = [];
  readonly #open = new Map<object, number>();
  readonly #done = new Map<object, { readonly height: number; readonly parts: number }>();
  #key: string | number | undefined;

  run(root: unknown): void {
    this.#visit(root, "");
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (this.problems.length >= PROBLEMS_MAX) return;
      const length =
        frame.keys === undefined ? (frame.value as readonly unknown[]).length : frame.keys.length;
      if (frame.next >= length) {
        this.#leave(frame);
        continue;
      }
      const index = frame.next++;
      const key = frame.keys?.[index] ?? index;
      this.#key = key;
      this.#visit((frame.value as Readonly<Record<string | number, unknown>>)[key], key);
      this.#key = undefined;
    }
  }

  report(code: SyntaxCode, said: Wording): void {
    const keys = this.#frames.slice(1).map((frame) => frame.key);
    if (this.#key !== undefined) keys.push(this.#key);
    this.problems.push({ code, ...said, from: 0, to: 0, pointer: pointerOf(keys) });
  }

  #visit(value: unknown, key: string | number): void {
    if (typeof value !== "object" || value === null) {
      const said = scalarProblem(value);
      if (said !== undefined) this.report("not-json", said);
      this.#count(1, 0);
      return;
    }
    const open = this.#open.get(value);
    if (open !== undefined) {
      const keys = this.#frames.slice(1, open + 1).map((frame) => frame.key);
      this.report("not-json", wording.cycle(pointerOf(keys)));
      return;
    }
    const done = this.#done.get(value);
    if (done !== undefined) this.#visitAgain(done);
    else this.#enter(value, key);
  }

  #enter(value: object, key: string | number): void {
    const said = objectProblem(value);
    if (said !== undefined) {
      this.report("not-json", said);
    } else if (this.#frames.length >= LEVELS_MAX) {
      this.report("too-deep", wording.tooDeep());
      this.#done.set(value, { height: 0, parts: 1 });
    } else {
      const keys = Array.isArray(value) ? undefined : Object.keys(value);
      this.#open.set(value, this.#frames.length);
      this.#frames.push({ value, key, keys, next: 0, height: 1, parts: 1 });
    }
  }

  #visitAgain(done: { readonly height: number; readonly parts: number }): void {
    if (this.#frames.length + done.height > LEVELS_MAX) this.report("too-deep", wording.tooDeep());
    this.#count(done.parts, done.height);
  }

  #leave(frame: Frame): void {
    this.#frames.pop();
    this.#open.delete(frame.value);
    this.#done.set(frame.value, { height: frame.height, parts: frame.parts });
    this.#count(frame.parts, frame.height);
    if (this.#frames.length === 0 && frame.parts > PARTS_MAX) this.report("not-json", wording.tooLarge());
  }

  #count(parts: number, height: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.parts += parts;
    frame.height = Math.max(frame.height, height + 1);
  }
}

function scalarProblem(value: unknown): Wording | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "object":
      return undefined;
    case "number":
      return Number.isFinite(value)
        ? undefined
        : wording.notJson(String(value), "Use a finite number, or null.");
    case "undefined":
      return wording.notJson("undefined", "Leave the key out, or use null.");
    case "bigint":
      return wording.notJson("A bigint", "Use a number, or a string if it is too large for one.");
    default:
      return wording.notJson(`A ${typeof value}`);
  }
}

/** Lists and plain objects are JSON, also those of another realm, whose prototypes are not ours. */
function objectProblem(value: object): Wording | undefined {
  if (Array.isArray(value)) return undefined;
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const name = prototype.constructor?.name || "object with a prototype";
  const hint =
    value instanceof Date
      ? "Use its toISOString()."
      : "Use a plain object, a list, or what its toJSON() gives.";
  return wording.notJson(`${/^[AEIOU]/i.test(name) ? "An" : "A"} ${name}`, hint);
}
