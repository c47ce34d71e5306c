import { isList, isObject, type Json } from "../../../src/base/json.ts";

/** The corpus's own rule: numbers to nine digits, after rounding where the row says so; everything else exactly. */
export function agrees(value: Json, gold: Json, decimals: number | undefined): boolean {
  if (typeof value === "number" && typeof gold === "number") {
    const rounded = decimals === undefined ? value : Number(value.toFixed(decimals));
    return Math.abs(rounded - gold) <= 1e-9 * Math.max(1, Math.abs(gold));
  }
  if (isList(value) && isList(gold)) {
    return value.length === gold.length && value.every((item, i) => agrees(item, gold[i] as Json, decimals));
  }
  if (isObject(value) && isObject(gold)) {
    const keys = Object.keys(gold);
    return (
      keys.length === Object.keys(value).length &&
      keys.every(
        (key) => Object.hasOwn(value, key) && agrees(value[key] as Json, gold[key] as Json, decimals),
      )
    );
  }
  return value === gold;
}
