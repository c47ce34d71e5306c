import { isObject, type Json } from "../base/json.ts";
import { agentLibrary } from "../dialects/environment.ts";
import type { Signature } from "../ir/signature.ts";
import { describeType, type Type } from "../ir/type.ts";
import { type Completion, fitting, type Offer, place } from "./completion.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { expressionOffers } from "./expression-offers.ts";
import { insideOf, MARKS, type PartOfReference, referenceOffers, rootOffers } from "./reference-offers.ts";
import { type CompletionOptions, type Scene, sceneOf } from "./scene.ts";
import { skeletons } from "./skeletons.ts";
import { openingOf, type Slot, slotAt } from "./slots.ts";

/** What can be written at the offset of a plan's text, however unfinished the text is. */
export function complete(source: string, offset: number, options: CompletionOptions = {}): Completion[] {
  const cursor = cursorAt(source, offset);
  if (cursor === undefined) return [];
  if (source.trim() === cursor.typed && !cursor.inString) {
    return fitting(skeletons, cursor.typed).map((offer) => place(offer, cursor.from, cursor.to));
  }
  const opening = openingOf(cursor.value, options.dialect);
  const slot = slotAt(opening.slot, cursor.keys);
  if (slot === undefined) return [];
  const scene = sceneOf(cursor, opening, options);
  if (cursor.role === "key") return keys(source, cursor, slot, scene);
  return inString(source, offset, cursor, slot, scene) ?? values(cursor, slot, scene, options);
}

function keys(source: string, cursor: Cursor, slot: Slot, scene: Scene | undefined): Completion[] {
  const offers =
    slot.kind === "object"
      ? fieldOffers(slot.fields)
      : slot.kind === "arguments"
        ? argumentOffers(scene)
        : [];
  const given = valueAtKeys(cursor.value, cursor.keys);
  const missing = offers.filter(({ label }) => !(isObject(given) && Object.hasOwn(given, label)));
  const hasColon = /^\s*:/.test(source.slice(cursor.to, cursor.to + 200));
  return fitting(missing, cursor.typed).map((offer) => {
    const name = JSON.stringify(offer.label);
    if (hasColon) return place({ ...offer, insert: name, caret: undefined }, cursor.from, cursor.to);
    const value = offer.insert ?? "";
    const insert = `${name}: ${value}`;
    return place(
      { ...offer, insert, caret: insert.length - Math.floor(value.length / 2) },
      cursor.from,
      cursor.to,
    );
  });
}

/** Each with an empty value of its kind; the cursor goes into it. */
function fieldOffers(fields: Readonly<Record<string, Slot>>): Offer[] {
  return Object.entries(fields).map(([label, slot]) => ({ label, kind: "field", insert: emptyValue(slot) }));
}

function emptyValue(slot: Slot): string {
  if (slot.kind === "list") return "[]";
  if (slot.kind === "object" || slot.kind === "map" || slot.kind === "arguments") return "{}";
  return slot.kind === "boolean" ? "" : '""';
}

function argumentOffers(scene: Scene | undefined): Offer[] {
  const signature = scene?.step?.call.signature;
  return [...(signature?.input?.fields ?? [])].map(([label, { type, required }]) => {
    const about = descriptionOf(signature, label);
    const detail = `${describeType(type)}${required ? "" : ", optional"}${about === undefined ? "" : ` · ${about}`}`;
    return { label, kind: "argument", detail, insert: emptyOf(type) };
  });
}

function emptyOf({ kind }: Type): string {
  if (kind === "list") return "[]";
  if (kind === "object") return "{}";
  return kind === "string" || kind === "file" || kind === "any" ? '""' : "";
}

function descriptionOf(signature: Signature | undefined, name: string): string | undefined {
  const declared = signature?.arguments?.find((field) => field.name === name)?.description;
  const property = isObject(signature?.inputSchema?.properties)
    ? signature.inputSchema.properties[name]
    : undefined;
  const said = declared ?? (isObject(property) ? property.description : undefined);
  return typeof said === "string" ? said : undefined;
}

/** Inside a string that may hold references or an expression: only the part at the cursor is replaced. */
function inString(
  source: string,
  offset: number,
  cursor: Cursor,
  slot: Slot,
  scene: Scene | undefined,
): Completion[] | undefined {
  if (scene === undefined || !cursor.inString) return undefined;
  const part = partAt(cursor, slot, scene);
  if (part === undefined) return undefined;
  const end = /^[\p{L}\p{N}_-]*/u.exec(source.slice(offset, cursor.to))?.[0].length ?? 0;
  return fitting(part.offers, part.typed).map((offer) => {
    const insert = JSON.stringify(offer.insert ?? offer.label).slice(1, -1);
    return place({ ...offer, insert }, offset - part.typed.length, offset + end);
  });
}

function partAt(cursor: Cursor, slot: Slot, scene: Scene): PartOfReference | undefined {
  if (slot.kind === "expression") return expressionOffers(cursor.typed, scene, slot.in);
  if (slot.kind !== "value") return undefined;
  const inside = insideOf(cursor.typed, scene.dialect);
  return inside === undefined
    ? undefined
    : referenceOffers(inside, scene, scene.types.scopeOf(scene.block), slot.in);
}

/** A value as a whole. */
function values(
  cursor: Cursor,
  slot: Slot,
  scene: Scene | undefined,
  options: CompletionOptions,
): Completion[] {
  const whole = fitting(wholeOffers(cursor, slot, scene, options), cursor.typed);
  return whole.map((offer) => place(offer, cursor.from, cursor.to));
}

function wholeOffers(
  cursor: Cursor,
  slot: Slot,
  scene: Scene | undefined,
  options: CompletionOptions,
): Offer[] {
  switch (slot.kind) {
    case "words":
      return slot.words.map((label) => quoted({ label, kind: "word", detail: slot.what }));
    case "boolean":
      return BOOLEANS;
    case "tool":
      return toolOffers(options);
    case "agent": {
      const library = agentLibrary(options.agents, options.builtIns?.agents);
      return library
        .paths()
        .map((label) => quoted({ label, kind: "agent", detail: aboutAgent(library.find(label)) }));
    }
    case "step":
      return stepOffers(scene);
    case "value":
      return scene === undefined ? [] : [...allowedOffers(cursor, scene), ...wholeReferences(scene, slot.in)];
    default:
      return [];
  }
}

const BOOLEANS: Offer[] = [
  { label: "true", kind: "word" },
  { label: "false", kind: "word" },
];

function quoted(offer: Offer): Offer {
  return { ...offer, insert: JSON.stringify(offer.label) };
}

function toolOffers({ tools, builtIns }: CompletionOptions): Offer[] {
  // What is given comes before what is always there.
  return Object.entries({ ...tools, ...builtIns?.tools, ...tools }).map(([label, tool]) => {
    const detail = typeof tool === "function" ? undefined : tool.description;
    return quoted({ label, kind: "tool", detail });
  });
}

function aboutAgent(definition: Json | undefined): string | undefined {
  return isObject(definition) && typeof definition.description === "string"
    ? definition.description
    : undefined;
}

function stepOffers(scene: Scene | undefined): Offer[] {
  const others = (scene?.block.steps ?? []).filter((step) => step !== scene?.step && step.id !== "");
  if (scene?.dialect !== "steps") return others.map(({ id }) => quoted({ label: id, kind: "step" }));
  const earlier = others.filter((step) => scene.step === undefined || step.index < scene.step.index);
  return earlier.map(({ id, call }) => ({
    label: id,
    kind: "step",
    detail: call.kind === "tool" ? call.tool : call.agent,
  }));
}

/** The values that a declaration allows for the argument at the cursor. */
function allowedOffers({ keys: path }: Cursor, { step }: Scene): Offer[] {
  const type = step?.call.signature?.input?.fields?.get(String(path.at(-1)))?.type;
  if (type?.kind === "boolean") return BOOLEANS;
  return (type?.allowed ?? []).map((value) => ({
    label: String(value),
    kind: "word",
    insert: JSON.stringify(value),
  }));
}

function wholeReferences(scene: Scene, where: string): Offer[] {
  const { open, close } = MARKS[scene.dialect];
  return rootOffers(scene, where).map(({ label, kind, detail, insert = label }) => {
    const needsKey = scene.dialect === "agent" && kind === "step";
    const text = JSON.stringify(`${open}${insert}${needsKey ? "." : ""}${close}`);
    return {
      label: `${open}${label}${close}`,
      kind,
      detail,
      insert: text,
      caret: text.length - close.length - 1,
    };
  });
}

function valueAtKeys(root: Json, path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path)
    value = typeof value === "object" && value !== null ? (value as Record<string, Json>)[key] : undefined;
  return value;
}
