import { quote } from "../../base/describe.ts";
import { isList, type Json } from "../../base/json.ts";
import { explainMissing, isPathProblem, type Path, parsePath, walk } from "../../expr/path.ts";
import type { CoreAgent } from "./core-agent.ts";
import { filterItems } from "./filter-items.ts";
import { refuse } from "./refuse.ts";

interface Params {
  readonly value?: Json;
  readonly text?: string | null;
  readonly path?: string | null;
  readonly filter?: string | null;
  readonly required?: boolean | null;
}

export const jsonQuery: CoreAgent = {
  name: "json_query",
  description:
    "Takes a part out of a value by a path, and keeps the items of a list for which a condition holds.",
  sideEffects: false,
  arguments: [
    { name: "value", type_name: "any", description: "What is looked into.", required: false },
    {
      name: "text",
      type_name: "string",
      description: "JSON text instead of a value, such as the contents of a file.",
      required: false,
    },
    {
      name: "path",
      type_name: "string",
      description: 'Such as "users[0].name", "users[*].email", "items.length". Without it: the whole value.',
      required: false,
    },
    {
      name: "filter",
      type_name: "string",
      description: `A condition over "item", such as "item.age >= 18 and item.active". The path must lead to a list then.`,
      required: false,
    },
    {
      name: "required",
      type_name: "boolean",
      description: "true: fail where the path leads nowhere.",
      required: false,
      default_value: false,
    },
  ],
  responses: [
    {
      name: "result",
      type_name: "any",
      description: "What was found; null where there is nothing.",
      required: false,
    },
    { name: "found", type_name: "boolean", description: "Whether the path led somewhere." },
    {
      name: "count",
      type_name: "number",
      description: "The length of a list that was found; 1 for anything else, 0 for nothing.",
    },
  ],
  tool:
    ({ clock }) =>
    ({ value, text, path, filter, required }: Params) => {
      const whole = text === undefined || text === null ? (value ?? null) : parsed(text);
      const segments = pathOf(path ?? "");
      const found = walk(whole, segments);
      if (found === undefined) {
        if (required === true)
          throw refuse("NOT_FOUND", `${quote(path ?? "")}: ${explainMissing(whole, segments)}.`);
        return { result: null, found: false, count: 0 };
      }
      const result = filter ? filterItems(found, filter, clock.now()) : found;
      return { result, found: true, count: isList(result) ? result.length : 1 };
    },
};

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw refuse(
      "INVALID_JSON",
      `"text" is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** As after a reference's name; the first dot may be left out. */
function pathOf(text: string): Path {
  const full = text === "" || text.startsWith(".") || text.startsWith("[") ? text : `.${text}`;
  const path = parsePath(full, 0, full.length);
  if (!isPathProblem(path)) return path;
  throw refuse("INVALID_PATH", `${quote(text)} is not a path: ${path.message}.`);
}
