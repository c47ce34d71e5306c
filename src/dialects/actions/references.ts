/*
 *   reference    = "{{" ( id "." "result" path | "context" path | "self" ".previous" path ) "}}"
 *   placeholder  = "{{" "PLACEHOLDER_" name "}}"
 *
 * The root of a step is its `result`. Whatever stands between unescaped `{{` and `}}` is one of these, or an error.
 */
import { isPathProblem, type Path, parsePath, printPath } from "../../expr/path.ts";
import type { Reference, Root } from "../../expr/reference.ts";
import type { ReferenceTemplate, Template } from "../../ir/template.ts";
import type { Spot } from "../../source/diagnostic.ts";
import { spliceFix } from "../../source/findings.ts";
import { type Place, placeAt, type Site } from "../../source/place.ts";
import { type EmbeddedSyntax, endOfRoot, excerpt, excerptAt, isSpace, readEmbedded } from "../embedded.ts";
import { endOfId } from "../identifier.ts";
import type { StepReader } from "../lower-step-options.ts";
import { type Meant, warnNearMisses } from "../near-miss.ts";
import type { BlockScope } from "../scope.ts";

const EXAMPLE = "{{find_john.result.data[0].email}}";
const ROOT = ".result";
export const PLACEHOLDER = "PLACEHOLDER_";
export const OPEN = "{{";
const BRACE = 123;
const CLOSING = 125;
const DOLLAR = 36;

/** `{id.result.x}`, `${id.result.x}` */
const NEAR_MISS =
  /(?<![{\\])\$?(?<!\{)\{\s{0,9}([\p{L}\p{M}\p{N}_-]{1,200})(\.result(?:[.[][^{}\n]{0,200}?)?)\s{0,9}\}(?!\})/gu;

/** `REF:id.x`, as agents write it. */
const AGENT_STYLE = /^REF:([\p{L}\p{M}\p{N}_-]{1,200})((?:[.[][^\s{}]{1,400})?)$/gu;

/** `${id.x}` */
const DOLLAR_STYLE =
  /(?<!\\)\$\{\s{0,9}([\p{L}\p{M}\p{N}_-]{1,200})(?!\.result\b)((?:[.[][^{}\n]{1,200}?)?)\s{0,9}\}/gu;

/** `${step[0].data.x}` and `{{step[0].data.x}}`, as step plans write it, or nearly so. */
const STEP_STYLE =
  /(?<!\\)(?:\$\{|\{\{)\s{0,9}step\[(\d{1,6})\](?:\.data)?((?:[.[][^{}\n]{1,200}?)?)\s{0,9}\}{1,2}/g;

function hasSingleBrace(text: string): boolean {
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    if (text[at + 1] !== "{") return text.includes(".result", at);
    while (text[at + 1] === "{") at++;
  }
  return false;
}

/** Is there a brace alone, one behind a dollar sign, or a pair of them before `step[`? */
function mayBeNearMiss(text: string, brace: number): boolean {
  for (let at = brace; at >= 0; at = text.indexOf("{", at + 1)) {
    if (text.charCodeAt(at + 1) !== BRACE || (at > 0 && text.charCodeAt(at - 1) === DOLLAR)) return true;
    while (text.charCodeAt(at + 1) === BRACE) at++;
    if (text.startsWith("step[", skipSpace(text, at + 1))) return true;
  }
  return false;
}

export class ActionReferences implements EmbeddedSyntax, StepReader {
  readonly open = OPEN;
  readonly close = "}}";
  #where: "arguments" | "conditions" | "until" | "elsewhere" = "elsewhere";
  #repeats = false;
  /** Placeholders by name, with the numbers of the steps that ask. */
  placeholders: Map<string, Set<number>> | undefined;
  readonly #scope: BlockScope;
  readonly #someIdsAreWrong: boolean;

  constructor(scope: BlockScope, someIdsAreWrong = false) {
    this.#scope = scope;
    this.#someIdsAreWrong = someIdsAreWrong;
  }

  /** The arguments of the next step; one that repeats has a turn before this one. */
  begin(repeats: boolean): void {
    this.#where = "arguments";
    this.#repeats = repeats;
  }

  sawSecret(): void {
    this.#scope.isPlain = false;
  }

  enter(part: "conditions" | "until"): void {
    this.#where = part;
  }

  readString(text: string, up: Place, key: Site["key"]): Template | undefined {
    const brace = text.indexOf("{");
    if (brace < 0 && !text.startsWith("REF:")) return undefined;
    const reference = brace === 0 ? this.#readWhole(text, up, key) : undefined;
    if (reference !== undefined) return reference;
    if (brace < 0 || mayBeNearMiss(text, brace)) this.#warnNearMisses(text, placeAt(up, key));
    return readEmbedded(text, up, key, this);
  }

  #warnNearMisses(text: string, place: Place): void {
    const { findings } = this.#scope;
    const byName: Meant = ([, id = "", path = ""]) => this.#written(id, path);
    const byNumber: Meant = ([, number, path = ""]) => this.#written(this.#idOf(Number(number)), path);
    if (hasSingleBrace(text)) {
      warnNearMisses(
        text,
        place,
        NEAR_MISS,
        ([, id = "", path = ""]) => this.#written(id, path, ""),
        findings,
      );
    }
    if (text.includes("${")) warnNearMisses(text, place, DOLLAR_STYLE, byName, findings);
    if (text.includes("step[")) warnNearMisses(text, place, STEP_STYLE, byNumber, findings);
    if (text.startsWith("REF:")) warnNearMisses(text, place, AGENT_STYLE, byName, findings);
  }

  /** A string that is one plain reference and nothing else, as most are; undefined for any other. */
  #readWhole(text: string, up: Place, key: Site["key"]): ReferenceTemplate | undefined {
    const to = text.length - 2;
    if (text.charCodeAt(1) !== BRACE || text.charCodeAt(to) !== CLOSING) return undefined;
    if (text.charCodeAt(to + 1) !== CLOSING || isSpace(text.charCodeAt(to - 1))) return undefined;
    return this.readPlain(text, 2, to, excerpt(text, 0, text.length), up, key);
  }

  /** A reference as it should be, if there is such a step. */
  #written(id: string | undefined, path: string, root = ROOT): string | undefined {
    return id !== undefined && this.#scope.ids.has(id) ? `{{${id}${root}${path}}}` : undefined;
  }

  #idOf(step: number): string | undefined {
    const isEarlier = step < this.#scope.current && !this.#scope.ids.has("step");
    return isEarlier ? this.#scope.idOf(step) : undefined;
  }

  begins(text: string, at: number): boolean {
    return beginsReference(text, at, this.#where === "arguments");
  }

  unclosed(text: string, spot: Spot): void {
    this.#malformed(text, spot, `"{{" is never closed with "}}"`);
  }

  readPlain(
    text: string,
    from: number,
    to: number,
    whole: string,
    up: Place,
    key: Site["key"],
  ): ReferenceTemplate | undefined {
    // What stands before the first dot and is the id of a step need not be looked at letter by letter, if all ids are right.
    const end = this.#someIdsAreWrong ? -1 : text.indexOf(".", from);
    if (end < 0) return undefined;
    const step = this.#scope.ids.get(text.slice(from, end));
    if (step === undefined) return undefined;
    const start = endOfRoot(text, end, to, ROOT);
    if (start < 0) return undefined;
    const path = parsePath(text, start, to);
    if (isPathProblem(path)) return undefined;
    return { kind: "reference", root: this.#result(step), path, text: whole, up, key };
  }

  #result(step: number): Root {
    // In `repeat.until` a step may look at its own last turn.
    const isOwn = this.#where === "until" && step === this.#scope.current;
    return isOwn ? this.#scope.resultOf(step) : this.#scope.needResult(step);
  }

  read(text: string, from: number, to: number, spot: Spot): Reference | undefined {
    const whole = excerptAt(text, spot);
    if (text.startsWith(PLACEHOLDER, from)) return this.#placeholder(text.slice(from, to), whole, spot);
    const end = endOfId(text, from, to);
    if (end === from) return this.#malformed(text, spot, "it does not begin with the id of a step");
    const result = endOfRoot(text, end, to, ROOT);
    const path = parsePath(text, result < 0 ? end : result, to);
    if (isPathProblem(path)) return this.#malformed(text, spot, path.message);
    const id = text.slice(from, end);
    const step = this.#scope.ids.get(id);
    if (step === undefined && id === "context") return this.#context(text, end, to, whole, spot);
    if (step === undefined && id === "self" && this.#repeats && path[0] === "previous") {
      this.#scope.isPlain = false;
      return { root: { kind: "previous" }, path: path.slice(path[1] === "result" ? 2 : 1), text: whole };
    }
    if (step === undefined) {
      this.#scope.reportUnknownStep(id, whole, spot, { place: spot.place, from, to: end });
      return undefined;
    }
    const root = this.#result(step);
    return result < 0 ? this.#missingRoot(id, path, whole, spot) : { root, path, text: whole };
  }

  #context(text: string, from: number, to: number, whole: string, spot: Spot): Reference | undefined {
    const path = parsePath(text, from, to);
    if (isPathProblem(path) || path.length === 0)
      return this.#malformed(text, spot, `the name of a context variable must follow "context."`);
    this.#scope.isPlain = false;
    return { root: { kind: "context" }, path, text: whole };
  }

  #placeholder(inside: string, whole: string, spot: Spot): Reference | undefined {
    const name = inside.slice(PLACEHOLDER.length);
    if (!/^\w+$/.test(name)) {
      this.#scope.findings.report("invalid-placeholder", spot, { text: whole });
      return undefined;
    }
    this.placeholders ??= new Map();
    const steps = this.placeholders.get(name) ?? new Set();
    this.placeholders.set(name, steps.add(this.#scope.current));
    return { root: { kind: "input", name }, path: [], text: whole };
  }

  #malformed(text: string, spot: Spot, why: string): undefined {
    const data = { text: excerptAt(text, spot), why, example: EXAMPLE };
    this.#scope.findings.report("malformed-reference", spot, data);
    return undefined;
  }

  #missingRoot(id: string, path: Path, whole: string, spot: Spot): undefined {
    const meant = `{{${id}.result${printPath(path)}}}`;
    const fix = spliceFix(`write ${meant}`, spot, meant);
    this.#scope.findings.report("missing-root", spot, { text: whole, root: "result", instead: meant }, fix);
    return undefined;
  }
}

/** Whatever stands in braces; placeholders outside of arguments are text. */
export function beginsReference(text: string, at: number, inArguments: boolean): boolean {
  return inArguments || !text.startsWith(PLACEHOLDER, skipSpace(text, at + OPEN.length));
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}
