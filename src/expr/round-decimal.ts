/**
 * Rounds the shortest decimal that stands for `value`, half away from zero. 1.005 is a little less than that in binary,
 * but 1.005 is what was written and what will be shown, so that is what is rounded.
 */
export function roundDecimal(value: number, digits: number): number {
  const [mantissa = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  // |value| is `all` times ten to the power of `scale`.
  const scale = Number(exponent) - fraction.length;
  const dropped = -scale - digits;
  if (dropped <= 0) return value;
  if (dropped > all.length) return 0;
  const cut = all.length - dropped;
  const kept = BigInt(all.slice(0, cut)) + (all.charAt(cut) >= "5" ? 1n : 0n);
  const rounded = Number(`${kept}e${-digits}`);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}
