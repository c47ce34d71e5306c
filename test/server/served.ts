/* A server in this process, on a free port of this machine, with a store of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createEngine, type Engine, type EngineOptions, type Json } from "../../src/index.ts";
import { type SequiturServer, type ServerOptions, startServer } from "../../src/server/server.ts";
import { TokenRegistry } from "../../src/server/token-registry.ts";

const HOUR_MS = 3_600_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly errors: any[] | undefined;
  readonly text: string;
}

export interface AskOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Served {
  readonly engine: Engine;
  readonly server: SequiturServer;
  readonly registry: TokenRegistry;
  readonly folder: string;
  readonly logged: string[];
  readonly admin: string;

  constructor(parts: Pick<Served, "engine" | "server" | "registry" | "folder" | "logged" | "admin">) {
    this.engine = parts.engine;
    this.server = parts.server;
    this.registry = parts.registry;
    this.folder = parts.folder;
    this.logged = parts.logged;
    this.admin = parts.admin;
  }

  get db(): string {
    return join(this.folder, "runs.db");
  }

  get graphql(): string {
    return `${this.server.url}graphql`;
  }

  async token(subject: string, ...scopes: readonly string[]): Promise<string> {
    return (await this.registry.issue({ subject, scopes }, HOUR_MS)).text;
  }

  /** Asks as a client does, over HTTP; with every scope, unless told otherwise. */
  async ask(
    query: string,
    variables: Json = {},
    { token = this.admin, headers = {} }: AskOptions = {},
  ): Promise<Answer> {
    const response = await fetch(this.graphql, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    });
    return answerOf(response);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: { data?: unknown; errors?: unknown[] } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not everything is JSON, and some tests look at the text.
  }
  return { status: response.status, headers: response.headers, data: body.data, errors: body.errors, text };
}

export async function serve(
  engineOptions: EngineOptions = {},
  serverOptions: Partial<ServerOptions> = {},
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-server-"));
  const db = join(folder, "runs.db");
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const engine = await createEngine({
    store: { sqlite: db, durability: "relaxed" },
    log: ({ runId, stepId, message, data }) => log.info({ runId, stepId, data }, message),
    ...engineOptions,
  });
  const registry = new TokenRegistry(db);
  const limits = { drainMs: 200, ...serverOptions.limits };
  const server = await startServer({ engine, registry, log, port: 0, ...serverOptions, limits });
  await server.recover();
  const admin = (await registry.issue({ subject: "tester", scopes: ["admin"] }, HOUR_MS)).text;
  return new Served({ engine, server, registry, folder, logged, admin });
}
