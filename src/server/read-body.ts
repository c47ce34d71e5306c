import type { IncomingMessage } from "node:http";
import type { Limits } from "./limits.ts";

/** The whole body, or the status that says why not: too large (413), too slow (408), or broken off (400). */
export function readBody(
  request: IncomingMessage,
  { bodyBytesMax, requestMs }: Limits,
): Promise<Buffer | 400 | 408 | 413> {
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) return Promise.resolve(413);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (result: Buffer | 400 | 408 | 413): void => {
      clearTimeout(timer);
      request.removeAllListeners("data");
      request.pause();
      resolve(result);
    };
    const timer = setTimeout(() => end(408), requestMs);
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > bodyBytesMax) end(413);
      else chunks.push(chunk);
    });
    request.once("end", () => end(Buffer.concat(chunks)));
    request.once("aborted", () => end(400));
    request.once("error", () => end(400));
  });
}
