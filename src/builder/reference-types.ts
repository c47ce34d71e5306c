/* References as TypeScript sees them: each knows the type of the value it stands for, and its properties are references, too. */

/** Says of what type the value will be. There at compile time only. */
declare const TYPE: unique symbol;

export interface RefTo<T> {
  readonly [TYPE]: T;
}

/** Text with references in it, made by `` text`…` ``. */
export interface Text {
  readonly [TYPE]: string;
  /** As it stands in the plan. */
  readonly template: string;
}

/** A reference to a value of type T. What nobody declared can be anything, and fits everywhere, as in the checker. */
export type Ref<T> = unknown extends T ? Anything : RefTo<T> & Below<NonNullable<T>, MissingOf<T>>;

// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it
type Anything = any;
type MissingOf<T> = null extends T ? null : undefined extends T ? null : never;

/** `N` is null where what lies above may be missing, so that what lies below may be, too. */
type Below<T, N> = T extends readonly (infer Item)[]
  ? ListRef<Item, N>
  : T extends object
    ? { readonly [K in keyof T]-?: Ref<OrNull<T[K]> | N> }
    : unknown;

/** Items that can be named without TypeScript asking whether they are there. */
type SmallIndex = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type ListRef<Item, N> = { readonly [K in SmallIndex]: Ref<Item | N> } & {
  readonly [index: number]: Ref<Item | N>;
  readonly first: Ref<Item | null>;
  readonly last: Ref<Item | null>;
  readonly length: Ref<number | N>;
  /** Every item: `people["*"].email` is the list of their addresses. */
  readonly "*": Each<Item>;
};

type Each<T> = RefTo<NonNullable<T>[]> &
  (NonNullable<T> extends readonly (infer Item)[]
    ? { readonly [index: number]: Each<Item>; readonly "*": Each<Item> }
    : NonNullable<T> extends object
      ? { readonly [K in keyof NonNullable<T>]-?: Each<NonNullable<T>[K]> }
      : unknown);

type OrNull<T> = undefined extends T ? Exclude<T, undefined> | null : T;

/** What may be given where a T is wanted: the value, a reference to one, or a value with references in it. */
export type Value<T> = unknown extends T
  ? unknown
  :
      | T
      | RefTo<T>
      | (string extends T ? Text : never)
      | (T extends readonly (infer Item)[]
          ? readonly Value<Item>[]
          : T extends object
            ? { readonly [K in keyof T]: Value<T[K]> }
            : never);

/** What `sequitur types` writes, and what `ToolTypes` makes of tools: by name, what each takes and gives. */
export type InputOf<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly input: infer I }
  ? I
  : unknown;
export type OutputOf<Tools, Name extends keyof Tools> = Tools[Name] extends { readonly output: infer O }
  ? O
  : unknown;
