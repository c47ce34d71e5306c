/* A server, a worker of this process and an engine that starts runs on them, put away when the tests are over. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type EngineOptions } from "../../src/index.ts";
import { restateCluster, startWorker, type Worker, type WorkerOptions } from "../../src/restate.ts";
import { type RestateServer, type ServerOptions, startRestate } from "./server.ts";

export interface ClusterStage {
  readonly server: RestateServer;
  readonly folder: string;
  readonly store: { readonly sqlite: string };
  /** Everything that workers have complained of. */
  readonly problems: string[];
  worker(options?: Partial<WorkerOptions>): Promise<Worker>;
  engine(options?: EngineOptions): Promise<Engine>;
  close(): Promise<void>;
}

export async function openCluster(options: ServerOptions = {}): Promise<ClusterStage> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-cluster-"));
  const server = await startRestate(options);
  const store = { sqlite: join(folder, "runs.db") };
  const problems: string[] = [];
  const workers: Worker[] = [];
  const engines: Engine[] = [];
  return {
    server,
    folder,
    store,
    problems,
    async worker(more = {}) {
      const { url, adminUrl } = server;
      const onProblem = (message: string): void => void problems.push(message);
      const worker = await startWorker({ url, adminUrl, port: 0, onProblem, store, ...more });
      workers.push(worker);
      return worker;
    },
    async engine(more = {}) {
      const engine = await createEngine({ store, cluster: restateCluster(server), ...more });
      engines.push(engine);
      return engine;
    },
    async close() {
      for (const engine of engines) await engine.close();
      for (const worker of workers) await worker.close(0);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The invocations of one kind, as Restate tells of them. */
export async function invocations(
  { adminUrl }: RestateServer,
  service: string,
): Promise<{ readonly id: string; readonly status: string; readonly journal_size: number }[]> {
  const query = `SELECT id, status, journal_size, pinned_deployment_id FROM sys_invocation WHERE target_service_name = '${service}' AND target_handler_name <> 'tell'`;
  for (;;) {
    const response = await fetch(`${adminUrl}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query }),
    });
    const answer = (await response.json()) as {
      rows?: { id: string; status: string; journal_size: number }[];
    };
    // A server that has only just started answers calls before it answers questions.
    if (answer.rows !== undefined) return answer.rows;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until something is so; the test's own limit ends it where it never is. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}
