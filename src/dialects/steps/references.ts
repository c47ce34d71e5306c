/*
 *   reference  = "${" ( "step" "[" index "]" path | "context" path | "self" ".previous" path ) "}"
 *
 * The root of a step is its result record, so the path of a step begins with `data`. `self.previous`, the turn before, exists
 * in steps that repeat. Other `${…}` is text, except for what is nearly a reference: `${step` or `${steps` followed by a digit, a dot or a bracket.
 */
import { isIndex, isPathProblem, type Path, parsePath, printPath } from "../../expr/path.ts";
import type { Reference } from "../../expr/reference.ts";
import type { ReferenceTemplate, Template } from "../../ir/template.ts";
import type { Fix, Spot } from "../../source/diagnostic.ts";
import { editFix, spliceFix } from "../../source/findings.ts";
import { keysOf, type Place, placeAt, pointerOf, type Site } from "../../source/place.ts";
import { type EmbeddedSyntax, endOfRoot, excerptAt, isSpace, readEmbedded } from "../embedded.ts";
import type { StepReader } from "../lower-step-options.ts";
import { warnNearMisses } from "../near-miss.ts";
import type { BlockScope } from "../scope.ts";

const EXAMPLE = "${step[0].data[0].id}";
const KNOWN_MAX = 20;
const STEP = "step[";
const ROOT = ".data";
const PREVIOUS = "self.previous";
const DOT = 46;
const BRACKET = 91;
export const OPEN = "${";

/** `{step[0].data}`, `{{step[0].data}}`, `$step[0].data` */
const NEAR_MISS =
  /(?<![$\\{])\{{1,2}\s{0,9}(step\[\d{1,9}\][^{}\n]{0,200}?)\s{0,9}\}{1,2}|(?<![\w\\$])\$(step\[\d{1,9}\](?:\.[\w-]{1,99}|\[\d{1,9}\]){0,99})/g;

/** Whether any `step[` has something else before it than a reference has; most strings are done with one search. */
function hasNearMiss(text: string): boolean {
  for (let at = text.indexOf("step["); at > 0; at = text.indexOf("step[", at + 1)) {
    const before = text[at - 1];
    if (before === "$" || before === " " || (before === "{" && text[at - 2] !== "$")) return true;
  }
  return false;
}

export class StepReferences implements EmbeddedSyntax, StepReader {
  readonly open = OPEN;
  readonly close = "}";
  #repeats = false;
  #inUntil = false;
  readonly #scope: BlockScope;
  readonly #stepCount: number;
  readonly #enabled: boolean;

  /** `enabled`: false refuses every reference (`ENABLE_STEP_REFERENCES`). */
  constructor(scope: BlockScope, stepCount: number, enabled: boolean) {
    this.#scope = scope;
    this.#stepCount = stepCount;
    this.#enabled = enabled;
  }

  /** The next step; one that repeats has a turn before this one. */
  begin(repeats: boolean): void {
    this.#repeats = repeats;
    this.#inUntil = false;
  }

  sawSecret(): void {
    this.#scope.isPlain = false;
  }

  enter(part: "conditions" | "until"): void {
    this.#inUntil = part === "until";
  }

  readString(text: string, up: Place, key: Site["key"]): Template | undefined {
    if (hasNearMiss(text))
      warnNearMisses(text, placeAt(up, key), NEAR_MISS, (match) => this.#meant(match), this.#scope.findings);
    return readEmbedded(text, up, key, this);
  }

  #meant([, inBraces, bare]: RegExpExecArray): string | undefined {
    const inside = inBraces ?? bare ?? "";
    const step = Number.parseInt(inside.slice("step[".length), 10);
    return step < this.#scope.current ? `\${${inside}}` : undefined;
  }

  begins(text: string, at: number): boolean {
    return beginsReference(text, at, this.#repeats);
  }

  unclosed(text: string, spot: Spot): void {
    const why = `"\${" is never closed with "}"`;
    this.#scope.findings.report("malformed-reference", spot, {
      text: excerptAt(text, spot),
      why,
      example: EXAMPLE,
    });
  }

  readPlain(
    text: string,
    from: number,
    to: number,
    whole: string,
    up: Place,
    key: Site["key"],
  ): ReferenceTemplate | undefined {
    if (!this.#enabled || !text.startsWith(STEP, from)) return undefined;
    const digits = from + STEP.length;
    const close = endOfDigits(text, digits, to);
    const data = endOfRoot(text, close + 1, to, ROOT);
    const index = text.slice(digits, close);
    if (data < 0 || text[close] !== "]" || !isIndex(index)) return undefined;
    const step = Number(index);
    const path = parsePath(text, data, to);
    if (step >= this.#scope.current || isPathProblem(path)) return undefined;
    return { kind: "reference", root: this.#scope.needResult(step), path, text: whole, up, key };
  }

  read(text: string, from: number, to: number, spot: Spot): Reference | undefined {
    const whole = excerptAt(text, spot);
    if (!this.#enabled) this.#scope.findings.report("references-disabled", spot, { text: whole });
    if (text.startsWith("context.", from)) return this.#context(text, from + "context".length, to, spot);
    if (text.startsWith(PREVIOUS, from)) return this.#previous(text, from + PREVIOUS.length, to, spot);
    const bracket = from + "step".length;
    const close = endOfDigits(text, bracket + 1, to);
    const index = text.slice(bracket + 1, close);
    if (text[bracket] !== "[" || close >= to || text[close] !== "]" || !isIndex(index)) {
      return this.#malformed(text, from, to, spot);
    }
    const data = endOfRoot(text, close + 1, to, ROOT);
    const path = this.#path(text, data < 0 ? close + 1 : data, to, spot);
    if (path === undefined) return undefined;
    const step = Number(index);
    const numberAt = { place: spot.place, from: bracket + 1, to: close };
    if (!this.#bind(step, whole, spot, numberAt)) return undefined;
    if (data < 0) return this.#missingRoot(step, path, whole, spot);
    return { root: this.#scope.resultOf(step), path, text: whole };
  }

  #bind(step: number, whole: string, spot: Spot, numberAt: Spot): boolean {
    const { findings, current } = this.#scope;
    const earlier = () =>
      Array.from({ length: current }, (_, i) => spliceFix(`refer to step ${i}`, numberAt, String(i)));
    if (step >= this.#stepCount) {
      const known = Array.from({ length: Math.min(current, KNOWN_MAX) }, (_, i) => String(i));
      const data = { name: String(step), near: undefined, known, text: whole };
      findings.report("unknown-step", spot, data, undefined, earlier);
      return false;
    }
    const own = step === current;
    if (own && this.#inUntil) return true;
    if (step >= current) {
      findings.report("later-step", spot, { step: current, refersTo: step }, undefined, () => [
        ...earlier(),
        ...removals(spot.place),
      ]);
      return false;
    }
    this.#scope.needResult(step);
    return true;
  }

  #context(text: string, from: number, to: number, spot: Spot): Reference | undefined {
    const path = this.#path(text, from, to, spot);
    this.#scope.isPlain = false;
    return path && { root: { kind: "context" }, path, text: excerptAt(text, spot) };
  }

  #previous(text: string, from: number, to: number, spot: Spot): Reference | undefined {
    const data = endOfRoot(text, from, to, ROOT);
    const path = this.#path(text, data < 0 ? from : data, to, spot);
    this.#scope.isPlain = false;
    return path && { root: { kind: "previous" }, path, text: excerptAt(text, spot) };
  }

  #path(text: string, from: number, to: number, spot: Spot): Path | undefined {
    const path = parsePath(text, from, to);
    if (!isPathProblem(path)) return path;
    const why = path.message;
    this.#scope.findings.report("malformed-reference", spot, {
      text: excerptAt(text, spot),
      why,
      example: EXAMPLE,
    });
    return undefined;
  }

  /** `${step0.data}`, `${steps[0].data}`, `${step.0.data}`: what was meant can often be told. */
  #malformed(text: string, from: number, to: number, spot: Spot): undefined {
    const match = /^steps?\s*[.[]?\s*(0|[1-9]\d{0,14})\s*\]?((?:[.[].*)?)$/s.exec(text.slice(from, to));
    const meant = match === null ? undefined : `step[${match[1]}]${match[2]}`;
    const fix =
      meant === undefined ? undefined : spliceFix(`write \${${meant}}`, { ...spot, from, to }, meant);
    const why = `a step is named by its index, as in "step[0]"`;
    const data = { text: excerptAt(text, spot), why, example: EXAMPLE };
    this.#scope.findings.report("malformed-reference", spot, data, fix);
    return undefined;
  }

  #missingRoot(step: number, path: Path, whole: string, spot: Spot): undefined {
    const meant = `\${step[${step}].data${printPath(path)}}`;
    const fix = spliceFix(`write ${meant}`, spot, meant);
    this.#scope.findings.report("missing-root", spot, { text: whole, root: "data", instead: meant }, fix);
    return undefined;
  }
}

/** Without the parameter that a place is in. */
function removals(place: Place): Fix[] {
  const keys = keysOf(place);
  const at = keys.indexOf("params");
  if (at < 0 || at + 1 >= keys.length) return [];
  const pointer = pointerOf(keys.slice(0, at + 2));
  return [editFix(`remove "${keys[at + 1]}"`, { op: "remove", pointer })];
}

/** A reference, or what was meant as one. `repeats`: the step has a turn before this one. */
export function beginsReference(text: string, at: number, repeats: boolean): boolean {
  let start = at + OPEN.length;
  while (isSpace(text.charCodeAt(start))) start++;
  if (text.startsWith("context.", start)) return true;
  if (repeats && text.startsWith(PREVIOUS, start)) return true;
  if (!text.startsWith("step", start)) return false;
  const after = text.charCodeAt(text[start + 4] === "s" ? start + 5 : start + 4);
  return after === DOT || after === BRACKET || isDigit(after);
}

function endOfDigits(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}
