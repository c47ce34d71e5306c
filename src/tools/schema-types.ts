/* The TypeScript type that a JSON Schema, written as a literal, describes; `any` where that cannot be told. */
import type { JsonObject } from "../base/json.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a schema does not say can be anything
type Anything = any;

export type FromSchema<S> = string extends keyof S
  ? Anything
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly enum: readonly (infer E)[] }
      ? E
      : S extends { readonly anyOf: readonly (infer P)[] }
        ? FromSchema<P>
        : S extends { readonly type: infer T }
          ? T extends readonly (infer One)[]
            ? Typed<One, S>
            : Typed<T, S>
          : Anything;

type Typed<T, S> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? S extends { readonly items: infer I }
            ? FromSchema<I>[]
            : Anything[]
          : T extends "object"
            ? FromObject<S>
            : Anything;

type FromObject<S> = S extends { readonly properties: infer P }
  ? Flat<
      { [K in keyof P & RequiredOf<S>]: FromSchema<P[K]> } & {
        [K in Exclude<keyof P, RequiredOf<S>>]?: FromSchema<P[K]>;
      }
    >
  : Record<string, Anything>;

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
type Flat<T> = { [K in keyof T]: T[K] };

/** What a plan builder needs to know of tools: `plan<ToolTypes<typeof tools>>()`. */
export type ToolTypes<Tools> = {
  [Name in keyof Tools]: { input: InputOf<Tools[Name]>; output: OutputOf<Tools[Name]> };
};

type InputOf<T> = T extends { readonly input?: infer S extends JsonObject | undefined }
  ? FromSchema<NonNullable<S>>
  : Anything;
type OutputOf<T> = T extends { readonly output?: infer S extends JsonObject | undefined }
  ? FromSchema<NonNullable<S>>
  : Anything;
