/* What an engine's runs reach of the world besides tools. Loaded when it is needed: most runs read no file and call no host. */
import type { Clock } from "../base/clock.ts";
import type { FileStore, FileStoreOptions } from "../files/file-store.ts";
import type { CoreServices, HttpClient } from "../tools/core/core-agent.ts";
import type { HttpOptions } from "../tools/http/client.ts";

export interface ServiceOptions {
  /** The folder behind file references and the file agents. */
  readonly files?: FileStoreOptions;
  /** Which hosts `http_request` may call; none unless given. */
  readonly http?: HttpOptions;
}

/** The models come from the engine, which has the keys. */
export interface EngineServices extends Omit<CoreServices, "models" | "fits"> {
  readonly files: FileStore | undefined;
}

/** Refuses options that cannot be used, at once. */
export async function openServices(options: ServiceOptions, clock: Clock): Promise<EngineServices> {
  const { files, http } = options;
  return {
    clock,
    files: files && (await (await import("../files/file-store.ts")).FileStore.open(files, clock)),
    http: http === undefined ? lateHttpClient : await openHttp(http),
  };
}

async function openHttp(options: HttpOptions): Promise<HttpClient> {
  return (await import("../tools/http/client.ts")).httpClient(options);
}

const lateHttpClient: HttpClient = {
  send: async (request) => (await openHttp({})).send(request),
};
