/* References at run time: an object that remembers the way to it. */
import { SequiturError } from "../base/error.ts";
import { type Path, printPath } from "../expr/path.ts";
import type { Ref, Text } from "./reference-types.ts";

const REFERENCE = Symbol("reference");

/** `root` is what stands before the path: `john.result`, `context`. */
export function reference<T>(root: string, path: Path = []): Ref<T> {
  const written = `{{${root}${printPath(path)}}}`;
  return new Proxy(Object.create(null) as Ref<T>, {
    get: (_target, key) => {
      if (key === REFERENCE) return written;
      if (key === Symbol.toPrimitive) throw notText(written);
      if (typeof key === "symbol") return undefined;
      return reference(root, [...path, /^(0|[1-9]\d*)$/.test(key) ? Number(key) : key]);
    },
  });
}

function notText(written: string): SequiturError {
  const message = `A reference (${written}) is no text yet. In a longer text, write text\`… \${it} …\`.`;
  return new SequiturError("REFERENCE_AS_TEXT", message);
}

/** How the plan writes it; undefined for what is no reference. */
export function writtenReference(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [REFERENCE]?: string })[REFERENCE];
}

const TEXTS = new WeakSet<object>();

/** Text with references in it: `` text`Dear ${john.result.name}, …` ``. */
export function text(strings: TemplateStringsArray, ...values: readonly unknown[]): Text {
  let template = literal(strings[0] ?? "");
  for (const [i, value] of values.entries()) {
    const plain = typeof value === "string" ? value : JSON.stringify(value);
    template += (writtenReference(value) ?? literal(plain)) + literal(strings[i + 1] ?? "");
  }
  const made = Object.freeze({ template }) as Text;
  TEXTS.add(made);
  return made;
}

export function isText(value: object): value is Text {
  return TEXTS.has(value);
}

/** Text that means itself, whatever it looks like: `{{` that nobody meant as a reference is none. */
export function literal(plain: string): string {
  return plain.replace(/(\\*)\{\{/g, (_, slashes: string) => `${slashes}${slashes}\\{{`);
}

/** For a value that may be missing, where you know that it is not: the run fails there if it is. */
export function sure<T>(value: Ref<T>): Ref<NonNullable<T>> {
  return value as unknown as Ref<NonNullable<T>>;
}
