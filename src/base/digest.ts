/**
 * Sixteen hexadecimal digits that are the same for equal texts, and hardly ever for different ones. Somebody could make them so:
 * whoever finds two equal digests has to compare the texts, too. (To load the hashes of Node.js takes a tenth of a short run.)
 */
export function digest(text: string): string {
  let a = 0x243f6a88 ^ text.length;
  let b = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x85ebca6b);
    b = Math.imul(b ^ c, 0xc2b2ae35) ^ (a >>> 15);
  }
  a = mix(a ^ (b >>> 11));
  b = mix(b ^ (a >>> 7));
  return hex(a) + hex(b);
}

/** Every bit of the number has its say in every bit of the result. */
function mix(number: number): number {
  let n = number;
  n = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  n = Math.imul(n ^ (n >>> 13), 0xc2b2ae35);
  return n ^ (n >>> 16);
}

function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, "0");
}
