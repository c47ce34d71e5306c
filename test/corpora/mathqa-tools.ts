/* The operations of MathQA, by the meanings in its `operations.json`. */
import type { Tool } from "../../src/tools/tool.ts";

type Operation = (a: number, b: number, c: number) => number;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide,
  speed: divide,
  inverse: (a) => divide(1, a),
  negate: (a) => -a,
  power: (a, b) => a ** b,
  sqrt: (a) => Math.sqrt(a),
  log: (a) => Math.log(a),
  floor: (a) => Math.floor(a),
  reminder: (a, b) => ((a % b) + b) % b,
  max: (a, b) => Math.max(a, b),
  gcd,
  lcm: (a, b) => Math.abs(a * b) / gcd(a, b),
  factorial: (a) => falling(whole(a), a),
  permutation: (a, b) => falling(whole(a), whole(b)),
  choose: (a, b) => Math.round(falling(whole(a), whole(b)) / falling(b, b)),
  rectangle_area: (a, b) => a * b,
  rectangle_perimeter: (a, b) => 2 * (a + b),
  square_area: (a) => a ** 2,
  square_perimeter: (a) => 4 * a,
  square_edge_by_area: (a) => Math.sqrt(a),
  circle_area: (a) => Math.PI * a ** 2,
  circumface: (a) => 2 * Math.PI * a,
  rhombus_area: (a, b) => (a * b) / 2,
  volume_cube: (a) => a ** 3,
  volume_rectangular_prism: (a, b, c) => a * b * c,
  surface_cube: (a) => 6 * a ** 2,
  surface_sphere: (a) => 4 * Math.PI * a ** 2,
};

export const OPERATION_NAMES: readonly string[] = Object.keys(OPERATIONS);

/** Tools that take `{ a, b?, c? }` and return the bare number. */
export const mathqaTools: Readonly<Record<string, Tool>> = Object.fromEntries(
  Object.entries(OPERATIONS).map(([name, operation]) => [
    name,
    ({ a, b, c }: { a: number; b: number; c: number }) => operation(a, b, c),
  ]),
);

function divide(a: number, b: number): number {
  if (b === 0) throw new Error("division by zero");
  return a / b;
}

function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

function whole(n: number): number {
  if (!Number.isInteger(n) || n < 0) throw new Error(`${n} is not a whole number from 0`);
  return n;
}

/** n · (n-1) · … with k factors. */
function falling(n: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i++) product *= n - i;
  return product;
}
