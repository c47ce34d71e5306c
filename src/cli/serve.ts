import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Limits } from "../server/limits.ts";
import { clusterOptions, RESTATE } from "./cluster.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { type Environment, loadEnvironment, SECRETS, secretsOf } from "./environment.ts";
import { HOST, portOf, portOption, untilStopped } from "./listening.ts";
import { engineFor } from "./open-engine.ts";
import { openDriver, storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";

const PORT = 4_747;
const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

export const command: Command = {
  operands: "",
  about: [
    "Serves GraphQL at /graphql, the web application at /, health at /healthz and /readyz, and metrics at /metrics. Runs that",
    "were left in the middle go on. The address that is printed holds a token: open it in a browser. Any other host than this",
    "machine needs tokens (sequitur token issue). Ctrl-C lets steps end for a while; the rest is resumed at the next start.",
  ].join("\n"),
  options: [
    portOption(PORT),
    HOST,
    {
      name: "origin",
      kind: "list",
      value: "URL",
      about: "an address under which others reach the server, as behind a proxy",
    },
    DB,
    RESTATE,
    TOOLS,
    AGENTS,
    FILES,
    CONTEXT,
    SECRETS,
    {
      name: "limits",
      kind: "value",
      value: "FILE",
      about: "other limits than the usual ones (docs/server.md)",
    },
    {
      name: "log",
      kind: "value",
      choices: LEVELS,
      about: "what is logged, as JSON on standard error; info, if not given",
    },
  ],
  run: serve,
};

async function serve(parsed: Parsed, console: Console): Promise<ExitCode> {
  const where = address(parsed);
  // Loaded here, so that asking for help, and every other command, does not wait for it.
  const [{ startServer }, { RunLogs }, { TokenRegistry }, { DEFAULT_LIMITS }, { pino }] = await Promise.all([
    import("../server/server.ts"),
    import("../server/run-logs.ts"),
    import("../server/token-registry.ts"),
    import("../server/limits.ts"),
    import("pino"),
  ]);
  const limits = { ...DEFAULT_LIMITS, ...(await readLimits(parsed, console, DEFAULT_LIMITS)) };
  const environment = await loadEnvironment(parsed, console);
  const log = pino(
    { level: parsed.value("log") ?? "info", base: null },
    pino.destination({ fd: 2, sync: true }),
  );
  const db = storeFile(parsed, console);
  const registry = new TokenRegistry(db);
  const { cluster } = await clusterOptions(parsed);
  const logs = new RunLogs();
  const engine = await engineFor(environment, await openDriver(db), {
    ...(await secretsOf(parsed, console)),
    ...(cluster && { cluster }),
    stepsMax: limits.stepsMax,
    itemsMax: limits.itemsMax,
    log: ({ runId, stepId, message, data }) => {
      log.info({ runId, stepId, data }, message);
      logs.add(runId, { at: new Date().toISOString(), step: stepId, message, data });
    },
  });
  try {
    const server = await startServer({
      engine,
      registry,
      log,
      logs,
      ...where,
      limits,
      hasFiles: environment.config.files !== undefined && cluster === undefined,
      ...contextOf(environment),
    });
    const recovered = await server.recover();
    log.info({ url: server.url, recovered }, "ready");
    console.out(await server.startUrl());
    await untilStopped(() => server.close());
    return EXIT.ok;
  } finally {
    await engine.close();
  }
}

function contextOf({ contextVariables }: Environment): { readonly contextVariables?: string } {
  return contextVariables === undefined ? {} : { contextVariables };
}

function address(parsed: Parsed): { host?: string; port: number; origins: readonly string[] } {
  const port = portOf(parsed, "port") ?? PORT;
  const host = parsed.value("host");
  const origins = parsed.list("origin");
  for (const origin of origins) {
    if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol)) {
      throw new UsageError(`--origin is an address such as https://plans.example.org, not "${origin}".`);
    }
  }
  return { port, ...(host !== undefined && { host }), origins };
}

async function readLimits(parsed: Parsed, { folder }: Console, known: Limits): Promise<Partial<Limits>> {
  const file = parsed.value("limits");
  if (file === undefined) return {};
  const text = await readFile(resolve(folder, file), "utf8").catch((error: Error) => {
    throw new UsageError(`The limits cannot be read: ${error.message}`);
  });
  let limits: unknown;
  try {
    limits = JSON.parse(text);
  } catch {
    throw new UsageError(`The limits in ${file} are not JSON.`);
  }
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (!Object.hasOwn(known, name)) {
      throw new UsageError(`There is no limit "${name}". Limits: ${Object.keys(known).join(", ")}.`);
    }
    if (!Number.isInteger(value) || value < 0)
      throw new UsageError(`The limit "${name}" must be a whole number from 0.`);
  }
  return limits as Partial<Limits>;
}
