/* The parameters that many functions share, under the names that the language fixes. */
import type { Parameter } from "./function.ts";

export const ARRAY: Parameter = { name: "array", kind: "value", type: "list" };

export const ITEM_PATH: Parameter = { name: "item_path", kind: "item", type: "any", optional: true };

export const KEY_PATH: Parameter = { name: "key_path", kind: "item", type: "any" };

export const OPTIONAL_KEY_PATH: Parameter = { ...KEY_PATH, optional: true };

export const TEXT: Parameter = { name: "text", kind: "value", type: "string" };

export const SEPARATOR: Parameter = { name: "separator", kind: "value", type: "string", optional: true };

export const OBJ: Parameter = { name: "obj", kind: "value", type: "object" };
