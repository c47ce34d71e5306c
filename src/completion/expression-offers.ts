/* Transforms: functions, the names that an expression sees, and the keys below them. */

import { signatureOf } from "../expr/functions/function.ts";
import { isPathProblem, parsePath, WILDCARD } from "../expr/path.ts";
import { ANY, describeType, type Type, typeOfPath } from "../ir/type.ts";
import type { TypeScope } from "../ir/type-flow.ts";
import { transformsOf } from "../ir/uses.ts";
import type { Offer } from "./completion.ts";
import { keyOffers, type PartOfReference, referenceOffers } from "./reference-offers.ts";
import type { Scene } from "./scene.ts";

export function expressionOffers(
  before: string,
  scene: Scene,
  where: "arguments" | "results",
): PartOfReference {
  const scope = scopeOf(scene, where);
  const reference = /REF:([^\s,(){}'"=]*)$/.exec(before);
  if (reference !== null) return referenceOffers(reference[1] ?? "", scene, scope, where);
  const word = /([\p{L}_][\p{L}\p{N}_]*)((?:\.[\p{L}\p{N}_*]+|\[[\d*]+\])*)\.([\p{L}\p{N}_]*)$/u.exec(before);
  if (word !== null) return below(word, before, scope);
  const typed = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(before)?.[0] ?? "";
  const functions = [...scene.functions.values()].map((fn): Offer => {
    return {
      label: fn.name,
      kind: "function",
      detail: signatureOf(fn),
      insert: `${fn.name}()`,
      caret: fn.name.length + 1,
    };
  });
  const names = [...scope.names].map(
    ([label, type]): Offer => ({ label, kind: "key", detail: describeType(type) }),
  );
  const items: Offer[] =
    collectionOf(before, scope) === undefined ? [] : [{ label: "item", kind: "key", detail: "each item" }];
  const refer: Offer = { label: "REF:", kind: "reference", detail: "another step, or an argument" };
  return { offers: [...items, ...names, ...functions, refer], typed };
}

/** The keys of a name's value; `item` is an element of the list that the call around it works on. */
function below(
  [, name = "", path = "", typed = ""]: RegExpExecArray,
  before: string,
  scope: TypeScope,
): PartOfReference {
  const base = name === "item" ? (collectionOf(before, scope)?.of ?? ANY) : (scope.names.get(name) ?? ANY);
  return { offers: keyOffers(typeAt(base, path), false), typed };
}

function typeAt(base: Type, text: string): Type {
  const path = parsePath(text, 0, text.length);
  if (isPathProblem(path)) return ANY;
  const found = typeOfPath(base, path);
  if (!("type" in found)) return ANY;
  return path.includes(WILDCARD) ? (found.type.of ?? ANY) : found.type;
}

/** The type of the first argument of the innermost call that is still open. */
function collectionOf(before: string, scope: TypeScope): Type | undefined {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const c = before[at];
    if (c === ")") depth++;
    else if (c === "(" && depth-- === 0) {
      const first = /^\s*([\p{L}_][\p{L}\p{N}_]*)((?:\.[\p{L}\p{N}_*]+|\[[\d*]+\])*)\s*,/u.exec(
        before.slice(at + 1),
      );
      return first === null ? undefined : typeAt(scope.names.get(first[1] ?? "") ?? ANY, first[2] ?? "");
    }
  }
  return undefined;
}

function scopeOf({ program, types, block, step }: Scene, where: "arguments" | "results"): TypeScope {
  const owner = step ?? block.signature;
  const transform = where === "arguments" ? owner?.transformArguments : owner?.transformResults;
  const use = transformsOf(program, types).find((one) => one.transform === transform);
  return use?.scope ?? types.scopeOf(block);
}
