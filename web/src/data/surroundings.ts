import { useMemo } from "react";
import type { CompileOptions, Json, JsonObject } from "../../../src/compiler.ts";
import { useQuery } from "./use-query.ts";

export interface ServerTool {
  readonly name: string;
  readonly description: string | null;
  readonly input: JsonObject | null;
  readonly output: JsonObject | null;
  readonly sideEffects: boolean;
  readonly requiresConfirmation: boolean;
}

export interface ServerAgent {
  readonly path: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly definition: Json;
}

const QUERY = `query Surroundings {
  tools { name description input output sideEffects requiresConfirmation }
  agents { path name description definition }
}`;

export interface Surroundings {
  readonly tools: readonly ServerTool[];
  readonly agents: readonly ServerAgent[];
}

/** What plans can call on this server. */
export function useSurroundings() {
  return useQuery<Surroundings>(QUERY);
}

/** What people of this place have made comes before what comes with the server. */
export function ownFirst<T>(all: readonly T[], nameOf: (one: T) => string): T[] {
  const isBuiltIn = (one: T): boolean => /^(sequitur\.core\.|\/agents\/core\/)/.test(nameOf(one));
  return [...all.filter((one) => !isBuiltIn(one)), ...all.filter(isBuiltIn)];
}

/** The same, for the compiler. Where the server has not said yet, nothing is unknown. */
export function useCompileOptions(data: Surroundings | undefined): CompileOptions {
  return useMemo(() => {
    if (data === undefined) return {};
    const tools = ownFirst(data.tools, ({ name }) => name).map(
      ({ name, input, output, description, ...rest }) => [
        name,
        {
          ...rest,
          ...(description !== null && { description }),
          ...(input && { input }),
          ...(output && { output }),
        },
      ],
    );
    const agents = ownFirst(data.agents, ({ path }) => path).filter(({ definition }) => definition !== null);
    return {
      tools: Object.fromEntries(tools) as NonNullable<CompileOptions["tools"]>,
      agents: Object.fromEntries(agents.map(({ path, definition }) => [path, definition])),
    };
  }, [data]);
}
