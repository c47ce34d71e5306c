import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Outline } from "../../../src/compiler.ts";
import type { JsonSource } from "../json/json-source.ts";
import { RunClient } from "./run-client.ts";
import type { Answers, NamedValue, Overview, Question } from "./worker/messages.ts";

export function useRunClient(runId: string, plan: Outline | undefined): RunClient | undefined {
  const [client, setClient] = useState<RunClient>();
  useEffect(() => {
    if (plan === undefined) return;
    const opened = new RunClient(runId, plan);
    setClient(opened);
    return () => opened.close();
  }, [runId, plan]);
  return client;
}

const ClientContext = createContext<RunClient | undefined>(undefined);
export const RunProvider = ClientContext.Provider;

export function useClient(): RunClient {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error("There is no run around this part of the page.");
  return client;
}

export function useOverview(client: RunClient): Overview | undefined {
  return useSyncExternalStore(client.subscribe, client.overview);
}

export function useProblem(client: RunClient): string | undefined {
  return useSyncExternalStore(client.subscribe, client.problem);
}

/** The answer at the event that is shown; the one before stays until there is a new one. */
export function useAnswer<Q extends Question>(question: Q): Answers[Q["kind"]] | undefined {
  const client = useClient();
  const seq = useOverview(client)?.seq;
  const [answer, setAnswer] = useState<{ readonly key: string; readonly value: Answers[Q["kind"]] }>();
  const key = JSON.stringify(question);
  useEffect(() => {
    if (seq === undefined) return;
    let isCurrent = true;
    client.ask(JSON.parse(key) as Q).then(
      (value) => isCurrent && setAnswer({ key, value }),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [client, key, seq]);
  return answer?.key === key ? answer.value : undefined;
}

export function useSource(value: NamedValue): JsonSource {
  const client = useClient();
  // A value does not change under its name but by being loaded further: its beginning tells it apart.
  const key = JSON.stringify(value);
  return useMemo(() => client.source(JSON.parse(key) as NamedValue), [client, key]);
}
