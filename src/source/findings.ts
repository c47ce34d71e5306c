import { type Code, catalogue, type DataOf } from "./codes.ts";
import type { Diagnostic, Edit, Fix, Severity, Spot } from "./diagnostic.ts";
import { nearest } from "./nearest.ts";
import type { SyntaxFinding } from "./open.ts";
import { keysOf, type Place, pointerOf } from "./place.ts";
import { lineColumn } from "./positions.ts";
import { resolveSpot } from "./resolve.ts";

/** One problem as the compiler notes it: nothing is rendered or located until somebody asks. */
interface Finding {
  readonly code: Code;
  readonly spot: Spot;
  readonly message: string;
  readonly hints: readonly string[];
  readonly fix: Fix | undefined;
  readonly choices: readonly Fix[];
}

/** More findings than this help nobody; a hostile plan must not fill the memory with them either. */
const FINDINGS_MAX = 1_000;
const CHOICES_MAX = 50;

/** How many of the names that there are stand beside a name that isn't there, and among how many it is looked for. */
const KNOWN_MAX = 20;
const CANDIDATES_MAX = 4_096;
/** All looking together, in one compilation. */
const LOOKS_MAX = 400_000;

/** A name that isn't there, and what was probably meant. */
export interface Suggestion {
  readonly name: string;
  readonly near: string | undefined;
  readonly known: readonly string[];
}

/** Collects every problem of a compilation. */
export class Findings {
  #findings: Finding[] = [];
  #dropped = 0;
  #droppedErrors = 0;
  #errors = 0;
  #looks = 0;
  readonly #withChoices: boolean;

  /** `withChoices`: also of what could be meant where more than one thing can. */
  constructor(withChoices = false) {
    this.#withChoices = withChoices;
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** "Did you mean": not looked for once nothing more is listed, so that any number of mistakes costs linear time. */
  suggest(name: string, candidates: Iterable<string>): Suggestion {
    if (this.#findings.length >= FINDINGS_MAX) return { name, near: undefined, known: [] };
    const most = Math.min(CANDIDATES_MAX, Math.max(KNOWN_MAX, LOOKS_MAX - this.#looks));
    const known: string[] = [];
    for (const candidate of candidates) {
      if (known.push(candidate) >= most) break;
    }
    this.#looks += known.length;
    return { name, near: nearest(name, known), known: known.slice(0, KNOWN_MAX) };
  }

  report<C extends Code>(
    code: C,
    at: Spot | Place,
    data: DataOf<C>,
    fix?: Fix,
    choices?: () => Iterable<Fix>,
  ): void {
    const entry = catalogue[code];
    if (entry.severity === "error") this.#errors++;
    if (this.#findings.length >= FINDINGS_MAX) {
      this.#dropped++;
      if (entry.severity === "error") this.#droppedErrors++;
      return;
    }
    // The catalogue's entry takes exactly the data of its code; the table's type cannot say that per key.
    const say = entry.say as (data: DataOf<C>) => readonly [string, ...string[]];
    const [message, ...hints] = say(data);
    const spot = "place" in at ? at : { place: at };
    this.#findings.push({ code, spot, message, hints, fix, choices: this.#some(choices) });
  }

  #some(choices: (() => Iterable<Fix>) | undefined): readonly Fix[] {
    if (!this.#withChoices || choices === undefined) return [];
    const some: Fix[] = [];
    for (const choice of choices()) if (some.push(choice) >= CHOICES_MAX) break;
    return some;
  }

  /** All findings in source order, with positions. */
  diagnostics(): Diagnostic[] {
    if (this.#findings.length === 0) return [];
    const located = this.#findings.map((finding) => {
      const where = resolveSpot(finding.spot);
      return { order: where.startOffset ?? 0, diagnostic: publish(finding, where) };
    });
    located.sort((a, b) => a.order - b.order);
    const diagnostics = located.map((entry) => entry.diagnostic);
    if (this.#dropped > 0) diagnostics.push(tooMany(this.#dropped, this.#droppedErrors > 0));
    return diagnostics;
  }
}

function publish(finding: Finding, where: ReturnType<typeof resolveSpot>): Diagnostic {
  const { name, severity } = catalogue[finding.code];
  const { startOffset: _start, endOffset: _end, ...location } = where;
  return {
    code: finding.code,
    name,
    severity: severity as Severity,
    message: finding.message,
    ...location,
    hints: finding.hints,
    ...(finding.fix && { fix: finding.fix }),
    ...(finding.choices.length > 0 && { choices: finding.choices }),
  };
}

function tooMany(dropped: number, hasErrors: boolean): Diagnostic {
  return {
    code: "too-many-problems",
    name: "DefinitionError",
    severity: hasErrors ? "error" : "warning",
    message: `${dropped} more problems are not listed.`,
    pointer: "",
    hints: ["Mend the ones above first; many of them may have one cause."],
  };
}

/** Problems of the text itself, found before there is a value to compile. */
export function syntaxDiagnostics(
  problems: readonly SyntaxFinding[],
  text: string | undefined,
  file: string | undefined,
): Diagnostic[] {
  return problems.map((problem) => {
    const start = text === undefined ? undefined : lineColumn(text, problem.from);
    const end = text === undefined ? undefined : lineColumn(text, problem.to);
    return {
      code: problem.code,
      name: "DefinitionError",
      severity: "error",
      message: problem.message,
      ...(file !== undefined && { file }),
      ...(start && { line: start.line, column: start.column }),
      ...(end && { endLine: end.line, endColumn: end.column }),
      pointer: problem.pointer,
      hints: problem.hints,
    };
  });
}

/** The usual fix: other characters in the string that stands at the spot. */
export function spliceFix(title: string, spot: Spot, text: string): Fix {
  const pointer = pointerOf(keysOf(spot.place));
  return { title, edits: [{ op: "splice", pointer, from: spot.from ?? 0, to: spot.to ?? 0, text }] };
}

export function editFix(title: string, ...edits: Edit[]): Fix {
  return { title, edits };
}
