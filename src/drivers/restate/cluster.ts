import { setTimeout } from "node:timers/promises";
import { connect, HttpCallError } from "@restatedev/restate-sdk-clients";
import { SequiturError } from "../../base/error.ts";
import type { RunStarted } from "../../core/events.ts";
import { type Cluster, type ClusterEvent, lifeOf } from "../cluster.ts";
import { RUN_SERVICE, type RunInput, type RunOutput, workflowKey } from "./wire.ts";

type RunWorkflow = {
  run: (ctx: unknown, input: RunInput) => Promise<RunOutput>;
  tell: (ctx: unknown, event: ClusterEvent) => Promise<void>;
};

export interface RestateClusterOptions {
  /** Where Restate takes calls: `http://127.0.0.1:8080`. */
  readonly url: string;
}

/** Runs go to the workers of a Restate server. */
export function restateCluster({ url }: RestateClusterOptions): Cluster {
  const ingress = connect({ url });
  const clientOf = (runId: string, life: number) =>
    ingress.workflowClient<RunWorkflow>({ name: RUN_SERVICE }, workflowKey(runId, life));
  const submit = async (life: number, input: RunInput): Promise<boolean> => {
    const client = clientOf(input.first.runId, life);
    for (let waits = 0; ; waits++) {
      try {
        return (await client.workflowSubmit(input)).status === "Accepted";
      } catch (error) {
        if (!isUnknownService(error) || waits === WAITS_MAX) throw explained(error, url);
        await setTimeout(WAIT_MS);
      }
    }
  };
  return {
    name: "Restate",
    start: (source, first) => submit(0, { source, first }),
    async send(runId, life, event) {
      await Promise.resolve(clientOf(runId, life).tell(event)).catch((error: unknown) => {
        throw explained(error, url);
      });
    },
    reopen(source, [begin, ...events], resumed) {
      const more = [...events, resumed];
      return submit(lifeOf(more), { source, first: begin as RunStarted, more });
    },
  };
}

/** The servers of a cluster hear of a new worker one after the other. */
const WAIT_MS = 200;
const WAITS_MAX = 15;

function isUnknownService(error: unknown): boolean {
  return error instanceof HttpCallError && error.status === 404;
}

function explained(cause: unknown, url: string): SequiturError {
  if (!(cause instanceof HttpCallError)) {
    const message = `Restate does not answer at ${url}. Is the server running? It takes runs at its ingress port, which is 8080 if not set otherwise.`;
    return new SequiturError("RESTATE_UNREACHABLE", message, { cause });
  }
  if (isUnknownService(cause)) {
    const message = `Restate at ${url} knows no workers of Sequitur. Start one: sequitur worker --restate ${url}`;
    return new SequiturError("NO_WORKERS", message, { cause });
  }
  if (cause.status === 409)
    return new SequiturError("ALREADY_ANSWERED", "This has been answered already.", { cause });
  return new SequiturError("RESTATE_REFUSED", `Restate at ${url} refused: ${cause.message}`, { cause });
}
