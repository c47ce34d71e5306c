import { useCallback, useEffect, useState } from "react";
import { ask, type Variables } from "./graphql.ts";

export interface Queried<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Asks once, and again when the query, its variables or `reload` say so. Old data stays until there is new. */
export function useQuery<T>(query: string, variables: Variables = {}): Queried<T> {
  const [state, setState] = useState<{ readonly data?: T; readonly error?: unknown }>({});
  const [turn, setTurn] = useState(0);
  const given = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again.
  useEffect(() => {
    const ended = new AbortController();
    ask<T>(query, JSON.parse(given) as Variables, ended.signal).then(
      (data) => setState({ data }),
      (error: unknown) => {
        if (!ended.signal.aborted) setState((before) => ({ ...before, error }));
      },
    );
    return () => ended.abort();
  }, [query, given, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { data: state.data, error: state.error, reload };
}
