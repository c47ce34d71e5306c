/* A real Restate server on free loopback ports, in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BINARY = resolve(
  `.cluster/node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);

/** False, and said once, where the server is not installed; an error where it has to be. */
export function hasServer(): boolean {
  if (existsSync(BINARY)) return true;
  const advice = "The Restate server is not installed: npm run cluster:install brings it.";
  if (process.env.REQUIRE_RESTATE === "1") throw new Error(advice);
  process.stdout.write(`${advice} Tests of the cluster are skipped.\n`);
  return false;
}

export interface RestateServer {
  readonly url: string;
  readonly adminUrl: string;
  readonly pid: number | undefined;
  /** As a machine that loses its power. */
  kill(): Promise<void>;
  /** The same server again, on the same ports, with what it has kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Further settings, as the server takes them from its environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startRestate(options: ServerOptions = {}): Promise<RestateServer> {
  const [node = 0] = await freePorts(1);
  return startNode(node, options.settings ?? {});
}

/** Three servers that keep everything twice, so that any one of them may be lost. */
export async function startThreeNodes(): Promise<RestateServer[]> {
  const ports = await freePorts(3);
  const shared = {
    RESTATE_CLUSTER_NAME: "three",
    RESTATE_DEFAULT_REPLICATION: "2",
    RESTATE_METADATA_CLIENT__ADDRESSES: `[${ports.map((port) => `"http://127.0.0.1:${port}/"`).join(",")}]`,
  };
  // One of them makes the cluster; the others join it.
  return Promise.all(
    ports.map((port, i) =>
      startNode(port, {
        ...shared,
        RESTATE_NODE_NAME: `node-${i + 1}`,
        RESTATE_AUTO_PROVISION: String(i === 0),
      }),
    ),
  );
}

async function startNode(node: number, settings: Readonly<Record<string, string>>): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-restate-"));
  const [ingress = 0, admin = 0] = await freePorts(2);
  const env = {
    ...process.env,
    RESTATE_BASE_DIR: folder,
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_NODE_NAME: "one",
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}/`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_DEFAULT_NUM_PARTITIONS: "4",
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "512MB",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_FILTER: "error",
    ...settings,
  };
  const url = `http://127.0.0.1:${ingress}`;
  const adminUrl = `http://127.0.0.1:${admin}`;
  let child = await begin(env, url, adminUrl);
  return {
    url,
    adminUrl,
    get pid() {
      return child.pid;
    },
    kill: () => end(child, "SIGKILL"),
    async restart() {
      child = await begin(env, url, adminUrl);
    },
    async stop() {
      await end(child, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function begin(env: NodeJS.ProcessEnv, url: string, adminUrl: string): Promise<ChildProcess> {
  const child = spawn(BINARY, ["--no-logo"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (said = (said + String(chunk)).slice(-4_000)));
  const isUp = async (): Promise<boolean> => {
    const answers = [`${adminUrl}/health`, `${url}/restate/health`].map((address) =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return (await Promise.all(answers)).every((ok) => ok);
  };
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`The Restate server ended:\n${said}`);
    if (await isUp()) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error(`The Restate server does not come up:\n${said}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
