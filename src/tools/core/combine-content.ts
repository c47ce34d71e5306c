import { describe } from "../../base/describe.ts";
import { isList, isObject, type Json } from "../../base/json.ts";
import type { CoreAgent } from "./core-agent.ts";
import { refuse } from "./refuse.ts";

interface Params {
  readonly parts?: readonly Json[] | null;
  readonly files?: readonly Json[] | null;
  readonly separator?: string | null;
  readonly file_names?: boolean | null;
}

export const combineContent: CoreAgent = {
  name: "combine_content",
  description: "Joins texts, lists and the contents of files into one text.",
  sideEffects: false,
  arguments: [
    {
      name: "parts",
      type_name: "list",
      description:
        "In order: text as it is, a list item by item, null left out, anything else as JSON. A file reference in it is the file's contents.",
      required: false,
      default_value: [],
    },
    {
      name: "files",
      type_name: "list",
      description: "Paths in the file store, such as list_directory gives; their contents follow the parts.",
      required: false,
      default_value: [],
    },
    {
      name: "separator",
      type_name: "string",
      description: "What stands between two parts.",
      required: false,
      default_value: "\n\n",
    },
    {
      name: "file_names",
      type_name: "boolean",
      description: "A line with its path above the contents of each file.",
      required: false,
      default_value: false,
    },
  ],
  responses: [
    { name: "content", type_name: "string", description: "The combined text." },
    { name: "count", type_name: "number", description: "How many parts it has." },
  ],
  tool:
    () =>
    async ({ parts, files: paths, separator, file_names }: Params, { files }) => {
      const texts = textsOf(parts ?? []);
      for (const path of (paths ?? []).filter((item) => item !== null).map(pathOf)) {
        const text = await files.readText(path);
        texts.push(file_names ? `${path}\n${text}` : text);
      }
      return { content: texts.join(separator ?? "\n\n"), count: texts.length };
    },
};

/** A path, or an entry of a listing. */
function pathOf(item: Json): string {
  const path = isObject(item) ? item.path : item;
  if (typeof path === "string") return path;
  throw refuse("INVALID_CONTENT", `An item of "files" must be a path, not ${describe(item)}.`);
}

function textsOf(parts: readonly Json[]): string[] {
  return parts.flatMap((part) => {
    if (part === null) return [];
    if (isList(part)) return textsOf(part);
    return [typeof part === "string" ? part : JSON.stringify(part)];
  });
}
