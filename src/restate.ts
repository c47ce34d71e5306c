/* The door `sequitur/restate`: plans on a Restate cluster. Only here, and behind it, is Restate's SDK loaded. */
import { dirname, join } from "node:path";
import { SequiturError } from "./base/error.ts";
import { openStore, type SqliteStore } from "./drivers/open-store.ts";
import { type BlobStore, folderBlobs } from "./drivers/restate/blobs.ts";
import { Feed } from "./drivers/restate/feed.ts";
import { collectionsElsewhere, remoteModel, storeModel } from "./drivers/restate/read-model.ts";
import { rebuild } from "./drivers/restate/rebuild.ts";
import { adminUrlOf, registerPatiently } from "./drivers/restate/registration.ts";
import { recordsService, workerServices } from "./drivers/restate/services.ts";
import { listen } from "./drivers/restate/worker-server.ts";
import type { EngineOptions } from "./engine/options.ts";
import { createWorkerHost } from "./engine/worker-host.ts";

export type { Cluster } from "./drivers/cluster.ts";
export type { BlobStore } from "./drivers/restate/blobs.ts";
export { type RestateClusterOptions, restateCluster } from "./drivers/restate/cluster.ts";

/** Where a worker is, and where Restate. */
export interface PlaceOptions {
  /** Where Restate takes calls: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Its administration; port 9070 of the same host, if not given. */
  readonly adminUrl?: string;
  /** 0 takes a free one. Workers of one machine and version can share a port. */
  readonly port?: number;
  readonly host?: string;
  /** How Restate reaches the workers, where that is not this machine's own address: a load balancer's, for several machines. */
  readonly workerUrl?: string;
  readonly onProblem?: (message: string) => void;
}

export interface WorkerOptions extends PlaceOptions, Omit<EngineOptions, "store" | "cluster"> {
  /** Where runs are seen by the command line, GraphQL and the web application; without it, a recorder has it elsewhere. */
  readonly store?: SqliteStore;
  /** What is larger than 1 MiB; a folder `blobs` beside the store, if not given. All workers need the same. */
  readonly blobs?: BlobStore | string;
  /** Tells the store of every run that Restate has a journal of: for one that was lost, or begun later. */
  readonly rebuilds?: boolean;
  /** For tests: how long to sleep for so much time of the run's clock. */
  readonly sleepMs?: (ms: number) => number;
}

export interface RecorderOptions extends PlaceOptions {
  readonly store: SqliteStore;
}

export interface Worker {
  /** As Restate knows it. */
  readonly url: string;
  /** Takes nothing more, and lets calls end for so long; Restate gives the rest to other workers. */
  close(graceMs?: number): Promise<void>;
}

const WORKER_PORT = 9_080;
const RECORDER_PORT = 9_081;
const GRACE_MS = 10_000;

/** Carries out runs for Restate, until it is closed. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, onProblem: log = () => {}, sleepMs, store: place, ...engineOptions } = options;
  const blobs = blobsOf(options);
  const store = place && (await openModel(place, options));
  const caller = await createWorkerHost(engineOptions, store?.collections ?? collectionsElsewhere);
  const feed = new Feed(store === undefined ? remoteModel(url) : storeModel(store), log);
  const services = workerServices({ caller, feed, blobs, log, ...(sleepMs && { sleepMs }) });
  const worker = await serve(services, options, WORKER_PORT, () => store?.close());
  if (options.rebuilds === true && store !== undefined)
    await rebuild({ adminUrl: options.adminUrl ?? adminUrlOf(url), caller, model: store, blobs, log });
  return worker;
}

/** Writes down what workers without a store tell of their runs, until it is closed. */
export async function startRecorder(options: RecorderOptions): Promise<Worker> {
  const store = await openModel(options.store, {});
  return serve([recordsService(store)], options, RECORDER_PORT, () => store.close());
}

async function serve(
  services: Parameters<typeof listen>[0],
  { url, adminUrl = adminUrlOf(url), host = "127.0.0.1", ...options }: PlaceOptions,
  usualPort: number,
  onClosed: () => void,
): Promise<Worker> {
  const { port = usualPort, onProblem = () => {} } = options;
  const server = await listen(services, port, host, onProblem);
  const workerUrl = options.workerUrl ?? `http://${host}:${server.port}`;
  const close = async (graceMs = GRACE_MS): Promise<void> => {
    await server.close(graceMs);
    onClosed();
  };
  try {
    await registerPatiently(adminUrl, workerUrl, onProblem);
  } catch (error) {
    await close(0);
    throw error;
  }
  return { url: workerUrl, close };
}

/** What is lost of the read model in a power cut comes again from the journals. */
function openModel(store: SqliteStore, { clock }: Pick<EngineOptions, "clock">) {
  return openStore({ durability: "relaxed", ...store }, clock);
}

function blobsOf({ blobs, store }: WorkerOptions): BlobStore {
  if (typeof blobs === "object") return blobs;
  if (blobs === undefined && store === undefined)
    throw new SequiturError("INVALID_OPTION", "A worker without a store needs blobs: a folder that all see.");
  return folderBlobs(blobs ?? join(dirname(store?.sqlite ?? ""), "blobs"));
}
