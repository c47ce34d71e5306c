import { isList, isObject, type Json } from "../base/json.ts";
import type { TypeName } from "../ir/signature.ts";

/** Is the value of the declared type? Null is a variable that has no value, which every type allows. */
export function fitsType(value: Json, typeName: TypeName): boolean {
  if (value === null || typeName === "any") return true;
  if (typeName === "list") return isList(value);
  if (typeName === "object") return isObject(value);
  return typeof value === (typeName === "file" ? "string" : typeName);
}
