import { createEngine, type Json, type JsonObject } from "../index.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB } from "./config.ts";
import type { Console } from "./console.ts";
import { counted } from "./counted.ts";
import { readAssignments, readValue } from "./key-values.ts";
import { findStore, openDriver, storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { valueLines } from "./value-text.ts";

const ACTIONS = ["put", "find", "remove"] as const;

export const command: Command = {
  operands: `${ACTIONS.join("|")} NAME [JSON|K=V…]`,
  about: [
    "The documents behind defined context variables. put adds one: a JSON object, or its fields as k=v; one with an id takes the",
    "place of the one that has that id. find shows, and remove removes, those that have the given fields.",
  ].join("\n"),
  options: [
    { name: "all", kind: "flag", about: "remove every document of the collection" },
    { name: "json", kind: "flag", about: "print a list, or a count, and nothing else on standard output" },
    DB,
  ],
  run: collection,
};

async function collection(parsed: Parsed, console: Console): Promise<ExitCode> {
  const [given, name, ...rest] = parsed.operands;
  const action = ACTIONS.find((one) => one === given);
  if (action === undefined) throw new UsageError(`What? It is one of ${ACTIONS.join(", ")}.`);
  if (name === undefined) throw new UsageError("Which collection?");
  const fields = readFields(rest);
  if (action === "put") return put(name, fields, parsed, console);
  if (action === "remove" && rest.length === 0 && !parsed.flag("all")) {
    throw new UsageError(
      `Which documents? Name fields they have, as k=v, or say --all for every document of ${name}.`,
    );
  }
  const driver = (await findStore(parsed, console))?.driver;
  const engine = driver && (await createEngine({ store: driver }));
  if (action === "find") show((await engine?.collection(name).find(fields)) ?? [], parsed, console);
  else {
    const count = (await engine?.collection(name).remove(fields)) ?? 0;
    console.out(parsed.flag("json") ? String(count) : `Removed ${counted(count, "document")} from ${name}.`);
  }
  await engine?.close();
  return EXIT.ok;
}

async function put(name: string, document: JsonObject, parsed: Parsed, console: Console): Promise<ExitCode> {
  if (Object.keys(document).length === 0)
    throw new UsageError("Which document? Give a JSON object, or fields as k=v.");
  const engine = await createEngine({ store: await openDriver(storeFile(parsed, console)) });
  await engine.collection(name).put(document);
  await engine.close();
  console.out(parsed.flag("json") ? "1" : `Put ${counted(1, "document")} into ${name}.`);
  return EXIT.ok;
}

/** One JSON object, or k=v. */
function readFields(operands: readonly string[]): JsonObject {
  const [first, second] = operands;
  const value = first === undefined || second !== undefined ? undefined : readValue(first);
  if (isObject(value)) return value;
  return readAssignments(operands, "A document");
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(documents: readonly JsonObject[], parsed: Parsed, console: Console): void {
  if (parsed.flag("json")) console.out(JSON.stringify(documents, null, 2));
  else if (documents.length > 0)
    console.out(documents.map((document) => valueLines(document).join("\n")).join("\n\n"));
  else console.err("There are none.");
}
