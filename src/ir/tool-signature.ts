import type { JsonObject } from "../base/json.ts";
import { typeOfSchema } from "./json-schema.ts";
import type { Signature } from "./signature.ts";

/** What a tool says of itself; a bare function says nothing. */
export interface ToolDeclaration {
  readonly description?: string | undefined;
  /** JSON Schemas. */
  readonly input?: JsonObject | undefined;
  readonly output?: JsonObject | undefined;
  readonly sideEffects?: boolean | undefined;
  readonly requiresConfirmation?: boolean | undefined;
}

/** A tool that says nothing takes and gives anything. */
export function toolSignature(
  name: string,
  tool: ToolDeclaration | ((...args: never[]) => unknown),
): Signature {
  const declared: ToolDeclaration = typeof tool === "function" ? {} : tool;
  const output = declared.output && typeOfSchema(declared.output);
  return {
    title: `the tool "${name}"`,
    input: declared.input && typeOfSchema(declared.input),
    output,
    returns: output,
    arguments: undefined,
    responses: undefined,
    inputSchema: declared.input,
    outputSchema: declared.output,
    transformArguments: undefined,
    transformResults: undefined,
    sideEffects: declared.sideEffects,
    requiresConfirmation: declared.requiresConfirmation ?? false,
  };
}
