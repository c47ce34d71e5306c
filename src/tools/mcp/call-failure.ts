import type { ToolContext } from "../tool.ts";
import { ToolError } from "../tool.ts";
import { type Connection, messageOf } from "./connection.ts";
import { TOO_LARGE } from "./oversize.ts";

const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;
/** The request itself is at fault: the same one fails again. */
const REQUEST_IS_WRONG = [-32_600, -32_601, -32_602];

/** What a failed call tells the plan: a code, a sentence, and whether another attempt makes sense. */
export function failureOf(
  error: unknown,
  server: string,
  connection: Connection,
  { signal }: ToolContext,
): unknown {
  if (error instanceof ToolError) return error;
  if (signal.aborted) return signal.reason ?? error;
  const code = error instanceof Error && "code" in error ? Number(error.code) : Number.NaN;
  const message = connection.explain(messageOf(error).replace(/^MCP error -?\d+: /, ""));
  if (code === TOO_LARGE || message.includes("messageBytesMax"))
    return new ToolError(message, { code: "RESULT_TOO_LARGE", retryable: false });
  if (code === REQUEST_TIMEOUT)
    return new ToolError(`${server} did not answer in time.`, { code: "TIMEOUT" });
  if (code === CONNECTION_CLOSED || connection.isGone || error instanceof TypeError)
    return new ToolError(`The server ${server} ended during the call. ${message}`, { code: "SERVER_GONE" });
  if (code === 401 || code === 403)
    return new ToolError(`The server ${server} refuses us (${code}): check its token or headers.`, {
      code: `HTTP_${code}`,
      retryable: false,
    });
  return new ToolError(message, {
    code: Number.isNaN(code) ? "MCP" : `MCP_${Math.abs(code)}`,
    retryable: !REQUEST_IS_WRONG.includes(code),
  });
}
