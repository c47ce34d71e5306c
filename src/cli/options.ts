import { parseArgs } from "node:util";
import { nearest } from "../compiler.ts";
import { UsageError } from "./command.ts";

/** One option of a command. `value` takes a value, `list` may be given several times. */
export interface OptionSpec {
  readonly name: string;
  /** One letter: `o` is `-o`. */
  readonly short?: string;
  readonly kind: "flag" | "value" | "list";
  /** How the value is called in the usage text. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly about: string;
}

export const HELP: OptionSpec = { name: "help", short: "h", kind: "flag", about: "show this text" };

/** A command line, read. */
export class Parsed {
  readonly operands: readonly string[];
  readonly #given: ReadonlyMap<string, readonly (string | undefined)[]>;

  constructor(operands: readonly string[], given: ReadonlyMap<string, readonly (string | undefined)[]>) {
    this.operands = operands;
    this.#given = given;
  }

  flag(name: string): boolean {
    return this.#given.has(name);
  }

  value(name: string): string | undefined {
    return this.#given.get(name)?.at(-1);
  }

  list(name: string): string[] {
    return (this.#given.get(name) ?? []).filter((value) => value !== undefined);
  }
}

/** Reads a command line by its table of options; what does not fit is a `UsageError`. */
export function parseOptions(args: readonly string[], specs: readonly OptionSpec[]): Parsed {
  const all = [...specs, HELP];
  const options = Object.fromEntries(
    all.map(({ name, short, kind }) => {
      const type = kind === "flag" ? "boolean" : "string";
      return [name, { type, multiple: true, ...(short !== undefined && { short }) } as const];
    }),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const operands: string[] = [];
  const given = new Map<string, (string | undefined)[]>();
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const spec = all.find((option) => option.name === token.name);
    if (spec === undefined) throw unknownOption(token.rawName, all);
    checkValue(spec, token.value, token.inlineValue ?? false);
    given.set(spec.name, [...(given.get(spec.name) ?? []), token.value]);
  }
  return new Parsed(operands, given);
}

function unknownOption(rawName: string, specs: readonly OptionSpec[]): UsageError {
  const near = nearest(
    rawName.replace(/^-+/, ""),
    specs.map((spec) => spec.name),
  );
  return new UsageError(
    `There is no option ${rawName} here.${near === undefined ? "" : ` Did you mean --${near}?`}`,
  );
}

function checkValue(spec: OptionSpec, value: string | undefined, inline: boolean): void {
  const option = `--${spec.name}`;
  if (spec.kind === "flag") {
    if (value !== undefined) throw new UsageError(`${option} takes no value.`);
    return;
  }
  const what = spec.value ?? "VALUE";
  if (value === undefined || value === "") throw new UsageError(`${option} needs a value: ${option} ${what}`);
  if (!inline && value.length > 1 && value.startsWith("-")) {
    throw new UsageError(
      `${option} needs a value, and "${value}" looks like an option. If it is meant: ${option}=${value}`,
    );
  }
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    const near = nearest(value, spec.choices);
    const instead =
      near === undefined ? `It is one of: ${spec.choices.join(", ")}.` : `Did you mean ${near}?`;
    throw new UsageError(`${option} cannot be "${value}". ${instead}`);
  }
}
