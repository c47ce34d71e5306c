/** Milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How cost grows between two sizes: 1 is linear, 2 quadratic. */
export function exponent(small: number, large: number, factor: number): number {
  return Math.log(large / small) / Math.log(factor);
}
