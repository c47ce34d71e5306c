/*
 * What a call gave, as a value of the plan: structured content as it is; one text as text; anything else as the list of
 * content blocks. Bytes of some size go to the file store where the run may write there, under a name that is made here:
 * nothing that a server says becomes part of a path.
 */
import { quote } from "../../base/describe.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { type ToolContext, ToolError } from "../tool.ts";

/** Smaller ones stay in the value, where a plan can use them at once. */
const INLINE_BYTES_MAX = 32 * 1024;
const BLOCKS_MAX = 1_000;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/gzip": "gz",
  "application/json": "json",
  "text/plain": "txt",
};

export async function valueOfResult(
  result: JsonObject,
  context: ToolContext,
  parseJson: boolean,
): Promise<Json> {
  const blocks = isList(result.content) ? result.content : [];
  if (blocks.length > BLOCKS_MAX)
    throw new ToolError(`The result has ${blocks.length} content blocks; ${BLOCKS_MAX} are read.`, {
      code: "RESULT_TOO_LARGE",
      retryable: false,
    });
  if (result.isError === true) throw new ToolError(errorText(blocks), { code: "MCP_TOOL" });
  if (isObject(result.structuredContent)) return result.structuredContent;
  const [first] = blocks;
  if (first === undefined) return null;
  if (blocks.length === 1 && isObject(first) && first.type === "text" && typeof first.text === "string")
    return parseJson ? parsed(first.text) : first.text;
  const values: Json[] = [];
  for (const [i, block] of blocks.entries())
    if (isObject(block)) values.push(await valueOfBlock(block, i, context));
  return values;
}

/** Only what says it is a structure: `5` or `true` may be meant as text. */
function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function errorText(blocks: readonly Json[]): string {
  const texts = blocks.flatMap((block) =>
    isObject(block) && typeof block.text === "string" ? [block.text] : [],
  );
  const text = texts.join("\n").trim();
  return text === "" ? "The tool failed and did not say why." : text.slice(0, 2_000);
}

async function valueOfBlock(block: JsonObject, index: number, context: ToolContext): Promise<Json> {
  const { type } = block;
  if (type === "text") return { type, text: textOr(block.text) };
  if (type === "image" || type === "audio") {
    return { type, mime_type: textOr(block.mimeType), ...(await bytesOf(block, block.data, index, context)) };
  }
  if (type === "resource" && isObject(block.resource)) {
    const { uri, mimeType, text, blob } = block.resource;
    const about = { type, uri: textOr(uri), mime_type: textOr(mimeType) };
    if (typeof text === "string") return { ...about, text };
    return { ...about, ...(await bytesOf(block.resource, blob, index, context)) };
  }
  if (type === "resource_link")
    return { type, uri: textOr(block.uri), name: textOr(block.name), mime_type: textOr(block.mimeType) };
  return { type: textOr(type) };
}

function textOr(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** `data` (base64) for what is small, `file` for what is not. */
async function bytesOf(
  { mimeType }: JsonObject,
  data: Json | undefined,
  index: number,
  context: ToolContext,
): Promise<JsonObject> {
  if (typeof data !== "string") return {};
  const bytes = Buffer.from(data, "base64");
  if (bytes.length <= INLINE_BYTES_MAX) return { data: bytes.toString("base64"), size_bytes: bytes.length };
  const path = filePath(context, index, typeof mimeType === "string" ? mimeType : "");
  try {
    return { file: await context.files.write(path, bytes), size_bytes: bytes.length };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The result holds ${bytes.length} bytes of ${quote(String(mimeType ?? "data"))}, which belong into a file, but ${why}`;
    throw new ToolError(message, { code: "NO_FILE_STORE", retryable: false });
  }
}

/** The same for every attempt of a call, so that a repeated one replaces its file. */
function filePath({ runId, stepId }: ToolContext, index: number, mimeType: string): string {
  const safe = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 80) || "step";
  return `/mcp/${safe(runId)}/${safe(stepId)}-${index}.${EXTENSIONS[mimeType] ?? "bin"}`;
}
