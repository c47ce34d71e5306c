import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { refuse } from "../core/refuse.ts";

/** Not asked for, but some servers compress whatever is asked for. */
const DECODERS: Readonly<Record<string, (() => NodeJS.ReadWriteStream) | undefined>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body, decompressed. What counts is its size afterwards: a small body can hold a large one. */
export async function readBody(
  message: IncomingMessage,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const encoding = (message.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const decoder = DECODERS[encoding];
  if (encoding !== "identity" && encoding !== "" && decoder === undefined) {
    message.destroy();
    throw refuse("INVALID_RESPONSE", `The response is encoded as "${encoding}", which cannot be read.`);
  }
  const source: Readable = decoder === undefined ? message : decoded(message, decoder());
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source) {
      const bytes = chunk as Uint8Array;
      length += bytes.length;
      if (length > bytesMax) {
        throw refuse(
          "HTTP_TOO_LARGE",
          `The response has more than ${bytesMax} bytes (http.responseBytesMax).`,
        );
      }
      chunks.push(bytes);
    }
  } finally {
    message.destroy();
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks, length);
}

/** Errors of the source end the decoded stream, too. */
function decoded(message: IncomingMessage, decoder: NodeJS.ReadWriteStream): Readable {
  message.on("error", (error) => (decoder as unknown as Readable).destroy(error));
  return message.pipe(decoder) as unknown as Readable;
}
