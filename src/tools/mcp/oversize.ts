import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { LongLine } from "./bounded-lines.ts";

/** The code of the error that stands in for an answer which was too large to be read. */
export const TOO_LARGE = -32_099;

/**
 * What to tell the call whose answer was too large to be read. Its number stands at the beginning or at the end of the
 * message, whichever way the server writes it; undefined where it does not.
 */
export function tooLarge({ head, tail, bytes }: LongLine, bytesMax: number): JSONRPCMessage | undefined {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  if (id === undefined) return undefined;
  const message = `The answer has ${bytes} bytes; ${bytesMax} are read (messageBytesMax).`;
  return { jsonrpc: "2.0", id: Number(id), error: { code: TOO_LARGE, message } };
}
