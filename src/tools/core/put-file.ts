import type { Json } from "../../base/json.ts";
import type { CoreAgent } from "./core-agent.ts";
import { refuse } from "./refuse.ts";

interface Params {
  readonly file_path: string;
  readonly content: Json;
  readonly encoding?: "utf8" | "base64" | null;
  readonly overwrite?: boolean | null;
}

export const putFile: CoreAgent = {
  name: "put_file",
  description: "Writes a file of the file store, with the run's token; the folders on the way are made.",
  sideEffects: true,
  arguments: [
    { name: "file_path", type_name: "file", description: "Where to write, as a path in the file store." },
    {
      name: "content",
      type_name: "any",
      description: "Text is written as it is, anything else as JSON.",
    },
    {
      name: "encoding",
      type_name: "string",
      description: "utf8: the content is text. base64: it is decoded first.",
      required: false,
      default_value: "utf8",
      enum: ["utf8", "base64"],
    },
    {
      name: "overwrite",
      type_name: "boolean",
      description: "false: fail where there is a file with other contents.",
      required: false,
      default_value: true,
    },
  ],
  responses: [
    { name: "file", type_name: "file", description: "The file that was written." },
    { name: "size_bytes", type_name: "number", description: "The length of the file." },
  ],
  tool:
    () =>
    async ({ file_path, content, encoding, overwrite }: Params, { files }) => {
      const bytes = encoding === "base64" ? decoded(content) : new TextEncoder().encode(textOf(content));
      const file = await files.write(file_path, bytes, { replace: overwrite ?? true });
      return { file, size_bytes: bytes.length };
    },
};

function textOf(content: Json): string {
  return typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
}

function decoded(content: Json): Uint8Array {
  try {
    if (typeof content === "string")
      return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  } catch {
    // Refused below, with a message that says what was expected.
  }
  throw refuse("INVALID_CONTENT", `With "encoding": "base64", "content" must be base64 text.`);
}
