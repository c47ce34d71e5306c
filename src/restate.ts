/* The door `sequitur/restate`: plans on a Restate cluster. Only here, and behind it, is Restate's SDK loaded. */
import { join } from "node:path";
import { openStore, type SqliteStore } from "./drivers/open-store.ts";
import { type BlobStore, folderBlobs } from "./drivers/restate/blobs.ts";
import { Feed } from "./drivers/restate/feed.ts";
import { rebuild } from "./drivers/restate/rebuild.ts";
import { adminUrlOf, registerPatiently } from "./drivers/restate/registration.ts";
import { listen } from "./drivers/restate/worker-server.ts";
import type { EngineOptions } from "./engine/options.ts";
import { createWorkerHost } from "./engine/worker-host.ts";

export type { Cluster } from "./drivers/cluster.ts";
export type { BlobStore } from "./drivers/restate/blobs.ts";
export { type RestateClusterOptions, restateCluster } from "./drivers/restate/cluster.ts";

export interface WorkerOptions extends Omit<EngineOptions, "store" | "cluster"> {
  /** Where Restate takes calls: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Its administration; port 9070 of the same host, if not given. */
  readonly adminUrl?: string;
  /** The read model: where runs are seen by the command line, GraphQL and the web application. */
  readonly store: SqliteStore;
  /** 9080, if not given; 0 takes a free one. Workers of one machine and version can share a port. */
  readonly port?: number;
  readonly host?: string;
  /** How Restate reaches the workers, where that is not this machine's own address: a load balancer's, for several machines. */
  readonly workerUrl?: string;
  /** What is larger than 1 MiB; a folder `blobs` beside the read model, if not given. All workers need the same. */
  readonly blobs?: BlobStore | string;
  /** First tells the read model of every run that Restate has a journal of: for one that was lost, or begun later. */
  readonly rebuilds?: boolean;
  readonly onProblem?: (message: string) => void;
  /** For tests: how long to sleep for so much time of the run's clock. */
  readonly sleepMs?: (ms: number) => number;
}

export interface Worker {
  /** As Restate knows it. */
  readonly url: string;
  /** Takes nothing more, and lets calls end for so long; Restate gives the rest to other workers. */
  close(graceMs?: number): Promise<void>;
}

const PORT = 9_080;
const GRACE_MS = 10_000;

/** Carries out runs for Restate, until it is closed. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { host = "127.0.0.1", port = PORT, url, onProblem: log = () => {}, sleepMs } = options;
  // What is lost of the read model in a power cut comes again from the journals.
  const store = await openStore({ durability: "relaxed", ...options.store }, options.clock);
  const { blobs = join(options.store.sqlite, "..", "blobs") } = options;
  const { store: _, ...engineOptions } = options;
  const caller = await createWorkerHost(engineOptions, store);
  const parts = {
    caller,
    feed: new Feed(store, log),
    blobs: typeof blobs === "string" ? folderBlobs(blobs) : blobs,
    log,
    ...(sleepMs && { sleepMs }),
  };
  const adminUrl = options.adminUrl ?? adminUrlOf(url);
  if (options.rebuilds === true) await rebuild({ ...parts, adminUrl, model: store });
  const server = await listen(parts, port, host);
  const workerUrl = options.workerUrl ?? `http://${host}:${server.port}`;
  const close = async (graceMs = GRACE_MS): Promise<void> => {
    await server.close(graceMs);
    store.close();
  };
  try {
    await registerPatiently(adminUrl, workerUrl, log);
  } catch (error) {
    await close(0);
    throw error;
  }
  return { url: workerUrl, close };
}
