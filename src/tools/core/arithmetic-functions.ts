import { roundDecimal } from "../../expr/round-decimal.ts";

/** A function of the `math` agent. Results that are no finite number are refused by whoever calls it. */
export interface ArithmeticFunction {
  /** For messages. */
  readonly takes: string;
  readonly min: number;
  readonly max: number;
  /** Lists are spread into the numbers they hold. */
  readonly takesLists: boolean;
  readonly run: (numbers: readonly number[]) => number;
}

type Entry = readonly [string, ArithmeticFunction];

const one = (name: string, run: (x: number) => number): Entry => [
  name,
  { takes: "one number", min: 1, max: 1, takesLists: false, run: ([x = Number.NaN]) => run(x) },
];

const two = (name: string, run: (x: number, y: number) => number): Entry => [
  name,
  {
    takes: "two numbers",
    min: 2,
    max: 2,
    takesLists: false,
    run: ([x = Number.NaN, y = Number.NaN]) => run(x, y),
  },
];

const many = (name: string, min: number, run: (numbers: readonly number[]) => number): Entry => [
  name,
  {
    takes: min === 0 ? "numbers or lists" : "at least one number",
    min,
    max: Number.POSITIVE_INFINITY,
    takesLists: true,
    run,
  },
];

const LOG = { takes: "a number and a base (or use ln, log2, log10)", min: 2, max: 2, takesLists: false };

const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0);

export const FUNCTIONS: ReadonlyMap<string, ArithmeticFunction> = new Map<string, ArithmeticFunction>([
  one("abs", Math.abs),
  one("sign", Math.sign),
  one("floor", Math.floor),
  one("ceil", Math.ceil),
  one("trunc", Math.trunc),
  ["round", { takes: "a number and, if you like, digits", min: 1, max: 2, takesLists: false, run: round }],
  one("sqrt", Math.sqrt),
  one("cbrt", Math.cbrt),
  one("exp", Math.exp),
  one("ln", Math.log),
  // Without a base, half of the world reads it as ln and the other half as log10.
  ["log", { ...LOG, run: ([x = Number.NaN, base = Number.NaN]) => Math.log(x) / Math.log(base) }],
  one("log2", Math.log2),
  one("log10", Math.log10),
  one("sin", Math.sin),
  one("cos", Math.cos),
  one("tan", Math.tan),
  one("asin", Math.asin),
  one("acos", Math.acos),
  one("atan", Math.atan),
  two("atan2", Math.atan2),
  two("pow", (x, y) => x ** y),
  two("mod", (x, y) => ((x % y) + y) % y),
  many("hypot", 1, (numbers) => numbers.reduce((length, x) => Math.hypot(length, x), 0)),
  many("min", 1, (numbers) => numbers.reduce((least, x) => Math.min(least, x))),
  many("max", 1, (numbers) => numbers.reduce((most, x) => Math.max(most, x))),
  many("sum", 0, sum),
  many("avg", 1, (numbers) => sum(numbers) / numbers.length),
  many("count", 0, (numbers) => numbers.length),
]);

function round([x = Number.NaN, digits = 0]: readonly number[]): number {
  return Number.isInteger(digits) && Math.abs(digits) <= 15 ? roundDecimal(x, digits) : Number.NaN;
}
