import { ToolError } from "../tool.ts";

/** The arguments cannot be carried out, now or later. */
export function refuse(code: string, message: string): ToolError {
  return new ToolError(message, { code, retryable: false });
}
