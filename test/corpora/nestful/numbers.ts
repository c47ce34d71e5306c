/* Functions of NESTFUL that take and give numbers, by the meanings in its `functions.json`. */

export const numbers = {
  add: (a: number, b: number) => a + b,
  subtract: (a: number, b: number) => a - b,
  multiply: (a: number, b: number) => a * b,
  divide,
  speed: divide,
  inverse: (x: number) => divide(1, x),
  negate: (x: number) => -x,
  power: (a: number, b: number) => a ** b,
  floor: Math.floor,
  reminder: (a: number, b: number) => ((a % b) + b) % b,
  lcm: (a: number, b: number) => Math.floor(Math.abs(a * b) / gcd(a, b)),
  factorial,
  int_factorial: (n: number) => (n < 0 ? 0 : factorial(n)),
  tail_recur: factorial,
  sqrt: integerRoot,
  integer_square_root: integerRoot,
  max_number: (x: number, y: number) => Math.max(x, y),

  circle_area: (radius: number) => Math.PI * radius ** 2,
  circle_perimeter: (radius: number) => 2 * Math.PI * radius,
  square_area: (side: number) => side * side,
  square_edge_by_area: (area: number) => Math.sqrt(area),
  square_perimeter: (side: number) => 4 * side,

  best_round: (n: number) => smallestPowerOfTwo(n),
  bit_length: (n: number) => (n === 0 ? 0 : n.toString(2).length),
  calculate_label: (value: number, threshold: number) => (value < threshold ? 0 : 1),
  check_integer: (value: unknown) =>
    Number.isInteger(value) ? Math.min(2_147_483_647, Math.max(-2_147_483_648, value as number)) : null,
  convert_coordinate_to_tile_coordinates: (x: number, y: number) => [
    Math.floor(x / 1000),
    Math.floor(y / 1000),
  ],
  convert_decibel_to_linear: fromDecibel,
  dB_to_linear: fromDecibel,
  convert_radian_to_degree: (radian: number) => (radian * 180) / Math.PI,
  divide_without_div_operator: (dividend: number, divisor: number) => [
    Math.floor(divide(dividend, divisor)),
    dividend % divisor,
  ],
  get_n_term_of_fibonacci_sequence: fibonacci,
  is_positive: (x: number) => x > 0,
  level: (x: number, level: number) => Math.ceil(x / level) * level,
  log_sum_product: (x: number, y: number) => (x > 0 && y > 0 ? Math.log10(x) + Math.log10(y) : null),
  midi_to_piano: (note: number) => Math.trunc(note) - 21,
  modular_exponentiation: (a: number, b: number, c: number) => Number(BigInt(a) ** BigInt(b) % BigInt(c)),
  special_formula: (x: number, y: number) => Math.atan(x / y),
  within_tolerance: (actual: number, expected: number, tolerance: number) =>
    Math.abs(actual - expected) <= tolerance * expected,
};

function divide(a: number, b: number): number {
  if (b === 0) throw new Error("division by zero");
  return a / b;
}

function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

function factorial(n: number): number {
  if (!Number.isInteger(n) || n < 0) throw new Error(`${n} has no factorial`);
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}

function integerRoot(n: number): number {
  if (n < 0) throw new Error(`${n} has no real square root`);
  let root = Math.floor(Math.sqrt(n));
  while (root * root > n) root--;
  while ((root + 1) * (root + 1) <= n) root++;
  return root;
}

function smallestPowerOfTwo(n: number): number {
  let power = 1;
  while (power < n) power *= 2;
  return power;
}

function fromDecibel(decibel: number): number {
  return 10 ** (decibel / 20);
}

function fibonacci(term: number): number {
  let [a, b] = [0, 1];
  for (let i = 1; i < term; i++) [a, b] = [b, a + b];
  return a;
}
