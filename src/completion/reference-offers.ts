/* References: their roots (steps, arguments, the context, questions), and the keys below them by the types that flow. */
import { isPathProblem, parsePath, WILDCARD } from "../expr/path.ts";
import type { Root } from "../expr/reference.ts";
import type { DialectName, Step } from "../ir/program.ts";
import { attributesOf, describeType, type Type, typeOfPath } from "../ir/type.ts";
import type { TypeScope } from "../ir/type-flow.ts";
import type { Offer } from "./completion.ts";
import type { Scene } from "./scene.ts";

/** Where a reference is being written, and what has been typed of the part at the cursor. */
export interface PartOfReference {
  readonly offers: readonly Offer[];
  readonly typed: string;
}

interface Marks {
  readonly open: string;
  readonly close: string;
}

export const MARKS: Readonly<Record<DialectName, Marks>> = {
  agent: { open: "REF:", close: "" },
  steps: { open: "${", close: "}" },
  actions: { open: "{{", close: "}}" },
};

/** How a result begins: `find.result`, `step[0].data`, `find`. */
function rootText(step: Step, dialect: DialectName): string {
  if (dialect === "steps") return `step[${step.index}].data`;
  if (dialect === "actions") return `${step.id}.result`;
  return step.fanOut === undefined ? step.id : `${step.id}.response`;
}

/** The inside of the reference that the text before the cursor has opened and not closed. */
export function insideOf(before: string, dialect: DialectName): string | undefined {
  const { open, close } = MARKS[dialect];
  if (dialect === "agent") return before.startsWith(open) ? before.slice(open.length) : undefined;
  const at = before.lastIndexOf(open);
  if (at < 0 || before.includes(close, at + open.length)) return undefined;
  return before.slice(at + open.length).trimStart();
}

/** Everything that a reference can begin with here. */
export function rootOffers(scene: Scene, where: string): Offer[] {
  const { block, step: own, dialect, contextNames } = scene;
  const near = block.steps.filter((other) => other !== own && other.id !== "");
  const steps = dialect === "steps" && own !== undefined ? near.slice(0, own.index) : near;
  const offers: Offer[] = steps.map((step) => ({
    label: rootText(step, dialect),
    kind: "step",
    detail: step.call.kind === "tool" ? step.call.tool : step.call.agent,
  }));
  for (const { name, typeName } of block.signature?.arguments ?? []) {
    offers.push({ label: `arguments.${name}`, kind: "argument", detail: typeName });
  }
  for (const name of contextNames)
    offers.push({ label: `context.${name}`, kind: "key", detail: "context variable" });
  if (where === "results") offers.push({ label: "response", kind: "key", detail: "what the agent returned" });
  if (own?.repeat !== undefined)
    offers.push({ label: "self.previous", kind: "key", detail: "the turn before" });
  if (dialect === "actions" && where === "arguments") offers.push(...questionOffers(scene));
  return offers;
}

function questionOffers({ questions }: Scene): Offer[] {
  const known: Offer[] = questions.map(({ name }) => ({
    label: `PLACEHOLDER_${name}`,
    kind: "placeholder",
    detail: "asks a person",
  }));
  return [
    ...known,
    { label: "PLACEHOLDER_…", kind: "placeholder", detail: "asks a person", insert: "PLACEHOLDER_" },
  ];
}

/** What can follow the inside of a reference as far as it is written. */
export function referenceOffers(
  inside: string,
  scene: Scene,
  scope: TypeScope,
  where: string,
): PartOfReference {
  const found = rootOf(inside, scene);
  if (found === undefined) return { offers: rootOffers(scene, where), typed: inside };
  const rest = inside.slice(found.length);
  const part = /^(.*)([.[])([^.[\]]*)$/s.exec(rest);
  if (part === null) return { offers: rest === "" ? rootOffers(scene, where) : [], typed: inside };
  const [, head = "", separator, typed = ""] = part;
  if (found.kind === "unfinished") return { offers: separator === "." ? found.next : [], typed };
  const path = parsePath(head, 0, head.length);
  if (isPathProblem(path)) return { offers: [], typed };
  const base = scene.types.root({ root: found.root, path: [], text: "" }, scope);
  const known = typeOfPath(base, path);
  if (!("type" in known)) return { offers: [], typed };
  const type = path.includes(WILDCARD) ? (known.type.of ?? known.type) : known.type;
  const outcomes = head === "" && found.outcomes ? OUTCOMES : [];
  return { offers: [...keyOffers(type, separator === "["), ...outcomes], typed };
}

const OUTCOMES: readonly Offer[] = [
  { label: "status", kind: "key", detail: "how the step ended" },
  { label: "error", kind: "key", detail: "what went wrong" },
  { label: "error_message", kind: "key", detail: "what went wrong, in words" },
];

type FoundRoot =
  | { readonly kind: "root"; readonly length: number; readonly root: Root; readonly outcomes: boolean }
  /** The name of a step, without the word that must follow it. */
  | { readonly kind: "unfinished"; readonly length: number; readonly next: readonly Offer[] };

/** The root that a reference begins with, where it has come that far. */
function rootOf(inside: string, { block, dialect }: Scene): FoundRoot | undefined {
  const name = /^(?:step\[\d+\]|[\p{L}\p{N}\p{M}_-]+)(?=[.[]|$)/u.exec(inside)?.[0] ?? "";
  const plain = (root: Root): FoundRoot => ({ kind: "root", length: name.length, root, outcomes: false });
  if (inside.length === name.length) return undefined;
  if (name === "arguments") return plain({ kind: "arguments" });
  if (name === "context") return undefined;
  if (name === "response" && dialect === "agent") return plain({ kind: "response" });
  const step = block.steps.find((one) =>
    dialect === "steps" ? `step[${one.index}]` === name : one.id === name,
  );
  if (step === undefined) return undefined;
  const word = dialect === "steps" ? "data" : dialect === "actions" ? "result" : step.fanOut && "response";
  const root: Root = { kind: "result", step: step.index };
  if (word === undefined) return { kind: "root", length: name.length, root, outcomes: true };
  const full = `${name}.${word}`;
  if (inside.startsWith(full) && /^[.[]/.test(inside.slice(full.length))) {
    return { kind: "root", length: full.length, root, outcomes: false };
  }
  const outcomes = dialect === "agent" ? OUTCOMES : [];
  return {
    kind: "unfinished",
    length: name.length,
    next: [{ label: word, kind: "key", detail: "what the step returned" }, ...outcomes],
  };
}

/** What can follow a value of this type. */
export function keyOffers(type: Type, inBrackets: boolean): Offer[] {
  const every: Offer = { label: "*", kind: "key", detail: "each item", ...(inBrackets && { insert: "*]" }) };
  if (inBrackets)
    return type.kind === "object"
      ? []
      : [{ label: "0", kind: "key", detail: "the first item", insert: "0]" }, every];
  const keys = attributesOf(type).map((label): Offer => {
    const field = type.fields?.get(label);
    return { label, kind: "key", detail: field && describeType(field.type) };
  });
  return type.kind === "list" ? [...keys, every] : keys;
}
