/*
 *   reference  = "REF:" context path          the whole string, never a part of one
 *   context    = "arguments" | "response" | "context" | "self" | the id of an instruction
 *
 * The path has a key at least. `\REF:…` is the text `REF:…`.
 */
import { isPathProblem, type Path, parsePath } from "../../expr/path.ts";
import type { OutcomeField, Reference } from "../../expr/reference.ts";
import type { NeedMode } from "../../ir/program.ts";
import { referenceTemplate, type Template } from "../../ir/template.ts";
import type { Spot } from "../../source/diagnostic.ts";
import { type Findings, spliceFix } from "../../source/findings.ts";
import { type Place, placeAt, type Site } from "../../source/place.ts";
import { endOfId } from "../identifier.ts";
import type { StepReader } from "../lower-step-options.ts";
import { unreadable } from "../lower-template.ts";
import { warnNearMisses } from "../near-miss.ts";
import type { BlockScope } from "../scope.ts";

export const MARK = "REF:";
const EXAMPLE = "REF:fetch_data.items.first";
export const OUTCOMES: readonly string[] = ["status", "error", "error_message"] satisfies OutcomeField[];

/** Where in a definition a string stands; it decides which contexts there are. */
export type Where =
  | "arguments"
  | "conditions"
  | "until"
  | "results"
  | "response-map"
  | "definition-arguments"
  | "definition-results"
  | "required-conditions";

/** What is known of a step before it is lowered, as far as references to it need it. */
export interface StepFacts {
  readonly fansOut: boolean;
  /** The responses that its agent declares; undefined where it declares none. */
  readonly responses: ReadonlySet<string> | undefined;
}

export class AgentReferences implements StepReader {
  where: Where = "arguments";
  /** The instruction repeats, so it has a turn before this one. */
  repeats = false;
  readonly #findings: Findings;
  /** Undefined in a primitive agent's definition, which has no steps. */
  readonly #scope: BlockScope | undefined;
  readonly #factsOf: (step: number) => StepFacts;
  readonly #declared: ReadonlySet<string> | undefined;

  constructor(
    findings: Findings,
    scope: BlockScope | undefined,
    declared: ReadonlySet<string> | undefined,
    factsOf: (step: number) => StepFacts,
  ) {
    this.#findings = findings;
    this.#scope = scope;
    this.#declared = declared;
    this.#factsOf = factsOf;
  }

  enter(part: "conditions" | "until"): void {
    this.where = part;
  }

  readString(text: string, up: Place, key: Site["key"]): Template | undefined {
    if (text.startsWith(MARK)) {
      const spot = { place: placeAt(up, key), from: 0, to: text.length };
      const reference = this.bind(text, 0, text.length, spot);
      return reference ? referenceTemplate(reference, up, key) : unreadable(text, up, key);
    }
    if (text.startsWith("\\") && /^\\+REF:/.test(text))
      return { kind: "constant", value: text.slice(1), up, key };
    if (mayBeNearMiss(text))
      warnNearMisses(text, placeAt(up, key), NEAR_MISS, (match) => this.#meant(match), this.#findings);
    return undefined;
  }

  /**
   * `ref:x.y`, `{{x.y}}` and the like are meant as references where `x` is something that can be referred to; so is
   * `${step[0].data.y}`, as step plans write it.
   */
  #meant(match: RegExpExecArray): string | undefined {
    const name = match[1] ?? match[3] ?? "";
    const path = (match[2] ?? match[4] ?? "").trimEnd();
    const numbered = name === "step" ? /^\[(\d{1,6})\](?:\.data)?(.+)$/s.exec(path) : null;
    const isEarlier = numbered !== null && Number(numbered[1]) < (this.#scope?.current ?? 0);
    const id = isEarlier ? this.#scope?.idOf(Number(numbered[1])) : undefined;
    if (id !== undefined) return `${MARK}${id}${numbered?.[2]}`;
    const known = name === "arguments" || name === "context" || this.#scope?.ids.has(name) === true;
    return known ? `${MARK}${name}${path}` : undefined;
  }

  /** Binds the reference `text.slice(from, to)`, mark included; reports what is wrong with it. */
  bind(text: string, from: number, to: number, spot: Spot): Reference | undefined {
    const whole = from === 0 && to === text.length ? text : text.slice(from, to);
    const start = from + MARK.length;
    const end = endOfId(text, start, to);
    if (end === start)
      return this.#malformed(whole, spot, `the name of a step or "arguments" must follow "REF:"`);
    const path = parsePath(text, end, to);
    if (isPathProblem(path)) return this.#malformed(whole, spot, path.message);
    const last = path[path.length - 1];
    if (typeof last === "string" && last.trim() !== last) {
      return this.#malformed(
        whole,
        spot,
        "there is white space at its end",
        spliceFix("remove it", spot, whole.trim()),
      );
    }
    return this.#root(text.slice(start, end), path, whole, spot);
  }

  #root(context: string, path: Path, whole: string, spot: Spot): Reference | undefined {
    const key = path[0];
    switch (context) {
      case "arguments":
        return this.#arguments(path, whole, spot);
      case "response":
        return this.#response(path, whole, spot);
      case "context":
        return key === undefined
          ? this.#noKey(whole, spot)
          : { root: { kind: "context" }, path, text: whole };
      case "self":
        return this.#previous(path, whole, spot);
      case "answer":
      case "item":
      case "execution":
        if (this.#scope?.ids.has(context) !== true) {
          return this.#misplaced(whole, spot, `"${context}" is a reserved name that means nothing here`);
        }
    }
    return this.#step(context, path, whole, spot);
  }

  #arguments(path: Path, whole: string, spot: Spot): Reference | undefined {
    const key = path[0];
    if (key === undefined) return this.#noKey(whole, spot, [...(this.#declared ?? [])]);
    if (this.#declared !== undefined && !this.#declared.has(String(key))) {
      const said = this.#findings.suggest(String(key), this.#declared);
      const prefix = `${MARK}arguments.`;
      const from = (spot.from ?? 0) + prefix.length;
      const keyAt = { place: spot.place, from, to: from + String(key).length };
      const plain = said.near !== undefined && whole.startsWith(prefix + String(key));
      const fix = plain ? spliceFix(`refer to "${said.near}"`, keyAt, said.near) : undefined;
      this.#findings.report("unknown-argument", spot, said, fix);
      return undefined;
    }
    return { root: { kind: "arguments" }, path, text: whole };
  }

  #response(path: Path, whole: string, spot: Spot): Reference | undefined {
    if (this.where !== "results" && this.where !== "definition-results") {
      return this.#misplaced(whole, spot, `"response" exists only in "transform_results"`);
    }
    return path.length === 0 ? this.#noKey(whole, spot) : { root: { kind: "response" }, path, text: whole };
  }

  #previous(path: Path, whole: string, spot: Spot): Reference | undefined {
    if (!this.repeats) return this.#misplaced(whole, spot, `"self" exists only in a step with "repeat"`);
    if (path[0] !== "previous")
      return this.#misplaced(whole, spot, `"self" has only "previous", the turn before`);
    return { root: { kind: "previous" }, path: path.slice(1), text: whole };
  }

  #step(id: string, path: Path, whole: string, spot: Spot): Reference | undefined {
    const scope = this.#scope;
    const step = scope?.ids.get(id);
    if (
      scope === undefined ||
      this.where === "definition-arguments" ||
      this.where === "required-conditions"
    ) {
      return this.#misplaced(
        whole,
        spot,
        "only the agent's own arguments and the context can be referred to here",
      );
    }
    if (step === undefined) {
      const from = (spot.from ?? 0) + MARK.length;
      scope.reportUnknownStep(id, whole, spot, { place: spot.place, from, to: from + id.length });
      return undefined;
    }
    const key = path[0];
    const facts = this.#factsOf(step);
    if (key === undefined) return this.#noKey(whole, spot, [...(facts.responses ?? [])]);
    const own = step === scope.current && this.where === "until";
    if (typeof key === "string" && OUTCOMES.includes(key) && !own)
      return this.#outcome(step, key as OutcomeField, path, whole);
    const root = own ? scope.resultOf(step) : scope.needResult(step);
    if (!facts.fansOut) return { root, path, text: whole };
    if (key !== "response") return this.#fanOutKey(id, path, whole, spot);
    return { root, path: path.slice(1), text: whole };
  }

  #outcome(step: number, field: OutcomeField, path: Path, whole: string): Reference {
    const mode: NeedMode = this.where === "conditions" ? "handles" : "outcome";
    const facts = this.#factsOf(step);
    const declared = !facts.fansOut && facts.responses?.has(field) === true;
    this.#scope?.need(step, mode);
    return { root: { kind: "outcome", step, field, declared }, path: path.slice(1), text: whole };
  }

  #fanOutKey(id: string, path: Path, whole: string, spot: Spot): undefined {
    const key = path[0] as string | number;
    const data = { name: String(key), near: undefined, known: ["response", ...OUTCOMES], step: id };
    const at = (spot.from ?? 0) + MARK.length + id.length;
    const keyLength = whole.length - MARK.length - id.length;
    const meant = `.response[*]${whole.slice(whole.length - keyLength)}`;
    const fix = spliceFix(
      `write REF:${id}${meant}`,
      { place: spot.place, from: at, to: at + keyLength },
      meant,
    );
    this.#findings.report("unknown-response", spot, data, fix);
    return undefined;
  }

  #noKey(whole: string, spot: Spot, keys: readonly string[] = []): undefined {
    this.#findings.report("missing-key", spot, { text: whole, keys });
    return undefined;
  }

  #misplaced(whole: string, spot: Spot, where: string): undefined {
    this.#findings.report("misplaced-reference", spot, { text: whole, where });
    return undefined;
  }

  #malformed(text: string, spot: Spot, why: string, fix?: ReturnType<typeof spliceFix>): undefined {
    this.#findings.report(
      "malformed-reference",
      spot,
      { text: text.slice(0, 120), why, example: EXAMPLE },
      fix,
    );
    return undefined;
  }
}

/** `ref:x.y`, `REF: x.y`, `{{x.y}}`, `${x.y}`, `{x.y}`, as a whole string. */
const NEAR_MISS =
  /^\s?ref\s?:\s?([\w-]{1,200})([.[].{1,400})$|^(?:\$?\{|\{\{)\s{0,9}([\w-]{1,200})([.[][^{}]{1,400})\}{1,2}$/gis;

function mayBeNearMiss(text: string): boolean {
  const c = text.charCodeAt(0);
  // An R, r, brace, dollar sign or blank.
  return c === 82 || c === 114 || c === 123 || c === 36 || c === 32;
}
