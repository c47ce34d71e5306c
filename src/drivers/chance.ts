/** 32 bits of chance: to tell things apart, not to keep a secret. */
export function randomBits(): number {
  return Math.floor(Math.random() * 4_294_967_296);
}
