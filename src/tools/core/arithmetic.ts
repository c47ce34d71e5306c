/*
 * Arithmetic for the `math` agent: a small grammar, evaluated while it is read. Nothing in it can reach anything but numbers.
 *
 *   sum      = product, { ( "+" | "-" ), product }
 *   product  = unary, { ( "*" | "/" | "%" ), unary }
 *   unary    = ( "-" | "+" ), unary | power
 *   power    = primary, [ ( "^" | "**" ), unary ]            right to left: 2^3^2 is 2^9, -2^2 is -4
 *   primary  = number | name | name, "(", [ sum, { ",", sum } ], ")" | "(", sum, ")"
 */
import { quote } from "../../base/describe.ts";
import { FUNCTIONS } from "./arithmetic-functions.ts";

/** A list may only stand where a function takes one: `sum(prices)`. */
export type Quantity = number | readonly number[];
export type Variables = ReadonlyMap<string, Quantity>;

export class ArithmeticError extends Error {
  override name = "ArithmeticError";
}

const LENGTH_MAX = 10_000;
const DEPTH_MAX = 200;
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI };
const WORD =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|(\*\*|[-+*/%^(),]))/uy;

export function calculate(text: string, variables: Variables): number {
  if (text.length > LENGTH_MAX)
    throw new ArithmeticError(`The expression has more than ${LENGTH_MAX} characters.`);
  const reader = new Reader(text, variables);
  return reader.whole();
}

class Reader {
  readonly #text: string;
  readonly #variables: Variables;
  #at = 0;
  #depth = 0;
  /** The word at hand; empty at the end. */
  #word = "";
  #kind: "number" | "name" | "sign" | "end" = "end";
  #from = 0;

  constructor(text: string, variables: Variables) {
    this.#text = text;
    this.#variables = variables;
    this.#next();
  }

  whole(): number {
    if (this.#isEnd()) throw new ArithmeticError("The expression is empty.");
    const value = this.#number(this.#sum(), "The expression");
    if (!this.#isEnd()) throw this.#unexpected("an operator or the end");
    // Minus zero has no JSON form.
    return value === 0 ? 0 : value;
  }

  #isEnd(): boolean {
    return this.#kind === "end";
  }

  #next(): void {
    WORD.lastIndex = this.#at;
    const match = WORD.exec(this.#text);
    if (match === null) {
      const rest = this.#text.slice(this.#at).trimStart();
      this.#from = this.#text.length - rest.length;
      this.#word = rest.slice(0, 1);
      this.#kind = "end";
      if (rest !== "") throw this.#unexpected("a number, a name or an operator");
      return;
    }
    const [, number, name, sign] = match;
    this.#word = number ?? name ?? sign ?? "";
    this.#kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    this.#at = WORD.lastIndex;
    this.#from = this.#at - this.#word.length;
  }

  #take(...signs: readonly string[]): string | undefined {
    if (this.#kind !== "sign" || !signs.includes(this.#word)) return undefined;
    const sign = this.#word;
    this.#next();
    return sign;
  }

  #expect(sign: string): void {
    if (this.#take(sign) === undefined) throw this.#unexpected(`"${sign}"`);
  }

  #sum(): Quantity {
    let left = this.#product();
    for (let sign = this.#take("+", "-"); sign !== undefined; sign = this.#take("+", "-")) {
      const [a, b] = [this.#number(left, `"${sign}"`), this.#number(this.#product(), `"${sign}"`)];
      left = this.#finite(sign === "+" ? a + b : a - b, sign);
    }
    return left;
  }

  #product(): Quantity {
    let left = this.#unary();
    for (let sign = this.#take("*", "/", "%"); sign !== undefined; sign = this.#take("*", "/", "%")) {
      const [a, b] = [this.#number(left, `"${sign}"`), this.#number(this.#unary(), `"${sign}"`)];
      if (sign !== "*" && b === 0) throw new ArithmeticError(`Division by zero in ${quote(this.#text)}.`);
      left = this.#finite(sign === "*" ? a * b : sign === "/" ? a / b : a % b, sign);
    }
    return left;
  }

  /** Everything that nests goes through here. */
  #unary(): Quantity {
    if (++this.#depth > DEPTH_MAX)
      throw new ArithmeticError(`The expression is nested deeper than ${DEPTH_MAX} levels.`);
    const sign = this.#take("-", "+");
    const value = sign === undefined ? this.#power() : this.#number(this.#unary(), `"${sign}"`);
    this.#depth--;
    return sign === "-" ? -(value as number) : value;
  }

  #power(): Quantity {
    const base = this.#primary();
    const sign = this.#take("^", "**");
    if (sign === undefined) return base;
    return this.#finite(this.#number(base, `"${sign}"`) ** this.#number(this.#unary(), `"${sign}"`), sign);
  }

  #primary(): Quantity {
    const word = this.#word;
    if (this.#kind === "number") {
      this.#next();
      return this.#finite(Number(word), "number");
    }
    if (this.#kind === "name") {
      this.#next();
      return this.#take("(") === undefined ? this.#variable(word) : this.#call(word);
    }
    if (this.#take("(") === undefined) throw this.#unexpected(`a number, a name or "("`);
    const value = this.#sum();
    this.#expect(")");
    return value;
  }

  #variable(name: string): Quantity {
    const value = this.#variables.get(name) ?? (Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined);
    if (value !== undefined) return value;
    const known = [...this.#variables.keys(), ...Object.keys(CONSTANTS)].join(", ");
    throw new ArithmeticError(`There is no variable "${name}" in ${quote(this.#text)}; there are ${known}.`);
  }

  #call(name: string): Quantity {
    const fn = FUNCTIONS.get(name);
    if (fn === undefined) {
      throw new ArithmeticError(
        `There is no function "${name}"; there are ${[...FUNCTIONS.keys()].join(", ")}.`,
      );
    }
    const values: Quantity[] = [];
    if (this.#take(")") === undefined) {
      do values.push(this.#sum());
      while (this.#take(",") !== undefined);
      this.#expect(")");
    }
    const flat = fn.takesLists ? values.flat() : values.map((value) => this.#number(value, name));
    if (flat.length < fn.min || flat.length > fn.max)
      throw new ArithmeticError(`${name} takes ${fn.takes}, but got ${flat.length}.`);
    return this.#finite(fn.run(flat), name);
  }

  #number(value: Quantity, what: string): number {
    if (typeof value === "number") return value;
    throw new ArithmeticError(
      `${what} needs numbers, but got a list; use sum, avg, min, max or count on lists.`,
    );
  }

  #finite(value: number, what: string): number {
    if (Number.isFinite(value)) return value;
    throw new ArithmeticError(
      `"${what}" in ${quote(this.#text)} gives no number: the result is too large, or not defined.`,
    );
  }

  #unexpected(expected: string): ArithmeticError {
    const got = this.#word === "" ? "the end" : `"${this.#word}"`;
    return new ArithmeticError(
      `Expected ${expected}, but found ${got} at character ${this.#from + 1} of ${quote(this.#text)}.`,
    );
  }
}
