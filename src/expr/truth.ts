import type { Json } from "../base/json.ts";
import { isList } from "../base/json.ts";

/**
 * What a value says where a condition is taken: null, false, 0, "" and [] say no; everything else, {} included, says
 * yes. So `filter(files, item.tags)` keeps the files that have tags.
 */
export function isTrue(value: Json): boolean {
  if (isList(value)) return value.length > 0;
  return value !== null && value !== false && value !== 0 && value !== "";
}
