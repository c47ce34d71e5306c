import type { CoreAgent } from "./core-agent.ts";

interface Params {
  readonly file_path: string;
  readonly encoding?: "utf8" | "base64" | null;
}

export const readFile: CoreAgent = {
  name: "read_file",
  description: "Reads a file of the file store, with the run's token.",
  sideEffects: false,
  arguments: [
    { name: "file_path", type_name: "file", description: "The file, as a path in the file store." },
    {
      name: "encoding",
      type_name: "string",
      description: "utf8: the contents as text. base64: any contents, encoded.",
      required: false,
      default_value: "utf8",
      enum: ["utf8", "base64"],
    },
  ],
  responses: [
    { name: "content", type_name: "string", description: "The contents." },
    { name: "file", type_name: "file", description: "The file itself, to be passed on." },
    { name: "size_bytes", type_name: "number", description: "The length of the file." },
  ],
  tool:
    () =>
    async ({ file_path, encoding }: Params, { files }) => {
      if (encoding === "base64") {
        const bytes = await files.readBytes(file_path);
        return { content: base64(bytes), file: file_path, size_bytes: bytes.length };
      }
      const content = await files.readText(file_path);
      return { content, file: file_path, size_bytes: new TextEncoder().encode(content).length };
    },
};

const CHUNK = 0x2000;

/** In parts: one call takes only so many characters. */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
