import { randomFillSync } from "node:crypto";

const pool = new Uint32Array(256);
let left = 0;

/** 32 bits of chance. They come from the system a poolful at a time: asking for each would cost as much as a step does. */
export function randomBits(): number {
  if (left === 0) {
    randomFillSync(pool);
    left = pool.length;
  }
  return pool[--left] as number;
}
