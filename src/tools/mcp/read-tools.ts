/* From a server's list of tools to tools of plans. What a server says of itself is data: it is cut, checked, and believed only where that makes things safer. */
import { quote } from "../../base/describe.ts";
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import { tameSchema } from "../foreign-schema.ts";

export interface ListedTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string | undefined;
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  /** undefined: the server does not say. */
  readonly readOnly: boolean | undefined;
  readonly destructive: boolean;
  /** Calling it twice does no more than calling it once. */
  readonly repeatable: boolean;
}

export const TOOLS_MAX = 1_000;
const DESCRIPTION_CHARACTERS_MAX = 2_000;
const NAME = /^[A-Za-z0-9_./-]{1,128}$/;

type Report = (message: string) => void;
type SchemaProblem = (schema: JsonObject) => Promise<string | undefined>;

/** The tools that can be used; the rest is reported. */
export async function readTools(
  listed: readonly unknown[],
  report: Report,
  schemaProblem: SchemaProblem,
): Promise<ListedTool[]> {
  const tools = new Map<string, ListedTool>();
  if (listed.length > TOOLS_MAX)
    report(`It lists more than ${TOOLS_MAX} tools; those after the first ${TOOLS_MAX} are left out.`);
  for (const entry of listed.slice(0, TOOLS_MAX)) {
    const name = isObject(entry) ? entry.name : undefined;
    if (!isObject(entry) || typeof name !== "string" || !NAME.test(name)) {
      report(
        `It lists a tool without a usable name (${typeof name === "string" ? quote(name) : typeof name}), which is left out.`,
      );
    } else if (tools.has(name)) {
      report(`It lists two tools called ${quote(name)}; the first one counts.`);
    } else {
      tools.set(name, await readTool(name, entry, report, schemaProblem));
    }
  }
  return [...tools.values()];
}

async function readTool(
  name: string,
  entry: JsonObject,
  report: Report,
  schemaProblem: SchemaProblem,
): Promise<ListedTool> {
  const hints = isObject(entry.annotations) ? entry.annotations : {};
  const readOnly = typeof hints.readOnlyHint === "boolean" ? hints.readOnlyHint : undefined;
  const schema = async (key: "inputSchema" | "outputSchema"): Promise<JsonObject | undefined> => {
    const given = entry[key];
    if (given === undefined) return undefined;
    const tamed = tameSchema(given);
    const problem = typeof tamed === "string" ? tamed : await schemaProblem(tamed);
    if (problem === undefined && typeof tamed !== "string") return tamed;
    report(`The ${key} of ${quote(name)} is not used: ${problem}.`);
    return undefined;
  };
  return {
    name,
    description: descriptionOf(entry),
    input: await schema("inputSchema"),
    output: await schema("outputSchema"),
    readOnly,
    destructive: readOnly !== true && hints.destructiveHint === true,
    repeatable: readOnly === true || hints.idempotentHint === true,
  };
}

function descriptionOf({ description, title }: JsonObject): string | undefined {
  const text: Json | undefined = description ?? title;
  if (typeof text !== "string" || text === "") return undefined;
  // Control characters, and those that nobody sees.
  const clean = text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
    "",
  );
  return clean.length > DESCRIPTION_CHARACTERS_MAX ? `${clean.slice(0, DESCRIPTION_CHARACTERS_MAX)}…` : clean;
}
