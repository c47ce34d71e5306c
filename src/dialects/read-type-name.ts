import { TYPE_NAMES, type TypeName } from "../ir/signature.ts";
import { editFix } from "../source/findings.ts";
import { keysOf, pointerOf } from "../source/place.ts";
import type { Shape } from "./shape.ts";

/** The type of a field or a variable; a type that isn't there is reported and taken for `any`. */
export function readTypeName(shape: Shape, key: string): TypeName {
  const name = shape.string(key);
  if (name === undefined) return "any";
  if ((TYPE_NAMES as readonly string[]).includes(name)) return name as TypeName;
  const said = shape.findings.suggest(name, TYPE_NAMES);
  const near = said.near ?? OTHER_NAMES.get(name.toLowerCase());
  const pointer = pointerOf(keysOf(shape.at(key)));
  const fix =
    near === undefined ? undefined : editFix(`use "${near}"`, { op: "replace", pointer, value: near });
  shape.findings.report("unknown-type", shape.at(key), { ...said, near }, fix);
  return "any";
}

/** What other languages call the types. */
const OTHER_NAMES = new Map<string, TypeName>([
  ["str", "string"],
  ["text", "string"],
  ["int", "number"],
  ["integer", "number"],
  ["float", "number"],
  ["double", "number"],
  ["bool", "boolean"],
  ["array", "list"],
  ["dict", "object"],
  ["map", "object"],
]);
