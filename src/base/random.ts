/** A number in [0, 1) that depends on the given integers alone: the same seed gives the same "chance" in any process. */
export function seededUnit(seed: number, ...salts: readonly number[]): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (const salt of salts) {
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) ^ Math.imul(salt + 0x7f4a7c15, 0x297a2d39);
  }
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  h ^= h >>> 15;
  return (h >>> 0) / 4_294_967_296;
}
