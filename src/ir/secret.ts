/*
 * Secrets: `{ "$secret": "NAME" }` in a plan's arguments stands for a value that only the called tool gets to see.
 *
 * I1  Only what the compiler read in a plan is a secret. The marker is recognized by its identity, which nothing that came
 *     from a tool, a person or a client can have: data that looks like a marker is data.
 * I2  Everything that is recorded or shown holds the marker, never the value: the value is put in while the tool is called.
 */
import { getOwn, hasOwn, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { Place } from "../source/place.ts";
import type { Program } from "./program.ts";
import type { Template } from "./template.ts";

const KEY = "$secret";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const markers = new WeakSet<object>();

/** The name that a marker of a plan stands for; undefined for everything else. */
export function secretName(value: Json): string | undefined {
  return isObject(value) && markers.has(value) ? (value[KEY] as string) : undefined;
}

/** What an object of a plan with the key `$secret` becomes; undefined for any other object. */
export function readSecret(object: JsonObject, place: Place): Template | undefined {
  if (!hasOwn(object, KEY)) return undefined;
  const name = getOwn(object, KEY);
  if (typeof name !== "string" || !NAME.test(name) || Object.keys(object).length > 1) {
    return { kind: "secret", name: undefined, marker: object, place };
  }
  const marker = Object.freeze({ [KEY]: name });
  markers.add(marker);
  return { kind: "secret", name, marker, place };
}

export type SecretTemplate = Template & { readonly kind: "secret" };

export function forEachSecret(template: Template | undefined, visit: (secret: SecretTemplate) => void): void {
  if (template?.kind === "secret") visit(template);
  else if (template?.kind === "list") for (const item of template.items) forEachSecret(item, visit);
  else if (template?.kind === "object") for (const value of template.values) forEachSecret(value, visit);
}

/** Every secret that the arguments of a program's steps name. */
export function forEachArgumentSecret(program: Program, visit: (secret: SecretTemplate) => void): void {
  for (const { steps } of program.blocks) {
    for (const step of steps) {
      forEachSecret(step.arguments, visit);
      for (const { value } of transformEntries(step.transformArguments)) {
        if (value.kind === "template") forEachSecret(value.template, visit);
      }
    }
  }
}

function transformEntries(transform: Program["blocks"][number]["steps"][number]["transformArguments"]) {
  return transform === undefined ? [] : [...transform.variables, ...transform.outputs];
}
