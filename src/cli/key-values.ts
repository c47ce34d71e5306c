import { resolve } from "node:path";
import type { Json, JsonObject } from "../compiler.ts";
import { UsageError } from "./command.ts";
import type { Console } from "./console.ts";
import { readText } from "./named-files.ts";
import type { Parsed } from "./options.ts";

/** The object that `--args JSON|@file` and `--arg k=v` make together; the single ones win. */
export async function readObject(
  parsed: Parsed,
  whole: string,
  single: string,
  console: Console,
): Promise<JsonObject> {
  const text = parsed.value(whole);
  const object = text === undefined ? {} : await readJson(`--${whole}`, text, console);
  return { ...object, ...readAssignments(parsed.list(single), `--${single}`) };
}

/** `name=value`, once or several times. `what` is named when one of them is none. */
export function readAssignments(texts: readonly string[], what: string): JsonObject {
  return Object.fromEntries(texts.map((text) => readAssignment(text, what)));
}

function readAssignment(text: string, what: string): [string, Json] {
  const at = text.indexOf("=");
  if (at <= 0) throw new UsageError(`${what} takes name=value, and "${text}" is not of that form.`);
  return [text.slice(0, at), readValue(text.slice(at + 1))];
}

/** JSON where it is JSON, else text. A number with more digits than a number can hold is text: it is an id. */
export function readValue(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    const isWhole = typeof value === "number" && /^-?[1-9]\d*$/.test(text.trim());
    return isWhole && String(value) !== text.trim() ? text : value;
  } catch {
    return text;
  }
}

async function readJson(option: string, text: string, console: Console): Promise<JsonObject> {
  const file = text.startsWith("@") ? text.slice(1) : undefined;
  const json = file === undefined ? text : await readOperand(option, file, console);
  const what = file === undefined ? option : `${option} ${text}`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${what} is not JSON: ${why}. Write ${option} '{"name": "value"}', or ${option} @file.json.`,
    );
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError(`${what} must be a JSON object: ${option} '{"name": "value"}'.`);
}

async function readOperand(option: string, file: string, console: Console): Promise<string> {
  if (file === "-") return console.readStdin();
  return readText(resolve(console.folder, file), `${option} @${file}`);
}
