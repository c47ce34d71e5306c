/* Engines for plans that start, and for runs that were started before, perhaps by another process. */
import { harmless } from "../compiler.ts";
import type { Driver } from "../drivers/driver.ts";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type Json,
  type JsonObject,
  type Tool,
} from "../index.ts";
import { clusterOptions } from "./cluster.ts";
import { UsageError } from "./command.ts";
import { type Config, type RemoteConfig, readRemoteConfig } from "./config.ts";
import type { Console } from "./console.ts";
import { type Environment, openRemote } from "./environment.ts";
import { loadTools, modulePath, type Tools } from "./load-tools.ts";
import type { RunStore } from "./open-store.ts";
import type { Parsed } from "./options.ts";

/** What a run remembers of its surroundings: `resume` needs nothing but the store. */
function environmentRecord({
  tools,
  toolsFolder,
  agents,
  files,
  context,
  models,
  remote,
}: Config): JsonObject {
  return {
    tools: tools.map((module) => modulePath(module, toolsFolder)),
    ...(agents !== undefined && { agents }),
    ...(files !== undefined && { files }),
    ...(context !== undefined && { context }),
    // Without keys: those are named, and looked up when they are needed.
    ...(models !== undefined && { models: models as unknown as JsonObject }),
    // Not what it says: there may be credentials in it.
    ...(remote.file !== undefined && { config: remote.file }),
  };
}

/** An engine for a plan that is about to start. */
export async function engineFor(
  environment: Environment,
  driver: Driver | "memory",
  more: EngineOptions = {},
): Promise<Engine> {
  return createEngine({
    ...workerOptions(environment),
    ...more,
    store: driver,
    environment: environmentRecord(environment.config),
  });
}

/** What whoever carries out runs needs, wherever they are kept. */
export function workerOptions({
  config,
  tools,
  agents,
  remote,
}: Environment): Pick<
  EngineOptions,
  "log" | "tools" | "agents" | "files" | "models" | "budget" | "remoteTools" | "http"
> {
  return {
    log: printEntry,
    tools: runnable(withoutRemote(tools ?? {})),
    ...(remote !== undefined && { remoteTools: remote }),
    ...(config.remote.http !== undefined && { http: config.remote.http }),
    agents: agents ?? {},
    ...(config.files !== undefined && { files: { root: config.files } }),
    ...(config.models !== undefined && { models: config.models }),
    ...(config.budget !== undefined && { budget: config.budget }),
  };
}

/** What tools log. By the stream itself, so that a tree which is being drawn can move out of the way. */
const printEntry: NonNullable<EngineOptions["log"]> = ({ stepId, message, data }) => {
  const more = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  process.stderr.write(`${harmless(`${stepId === "" ? "" : `${stepId}: `}${message}${more}`)}\n`);
};

/** The tools of a module, as an engine takes them: what cannot be called is refused there. */
function runnable(tools: Tools): Readonly<Record<string, Tool>> {
  return tools as Readonly<Record<string, Tool>>;
}

/** The engine takes those of servers from the servers, since they may change. */
function withoutRemote(tools: Tools): Tools {
  return Object.fromEntries(
    Object.entries(tools).filter(([, tool]) => typeof tool === "function" || !("isRemote" in tool)),
  );
}

export interface RunEngine {
  readonly engine: Engine;
  readonly fileToken: string | undefined;
}

/**
 * An engine for a run that was started before: with the tools and files that it remembers, or with others that the options
 * name. `mustCall: false`: nothing will be called, so that tools which cannot be loaded any more are no obstacle.
 */
export async function engineForRun(
  store: RunStore,
  runId: string,
  parsed: Parsed,
  console: Console,
  mustCall: boolean,
): Promise<RunEngine> {
  const source = store.driver.find(runId)?.source;
  const recorded = recordedEnvironment(source?.environment ?? {});
  const named = parsed.list("tools");
  const modules = named.length > 0 ? named : recorded.tools;
  const tools = await loadTools(modules, console.folder).catch((error: unknown) => {
    if (mustCall || !(error instanceof UsageError)) throw named.length > 0 ? error : withAdvice(error, runId);
    console.err(`${error.message}\nThe run is shown without what its tools declare.`);
    return standIns([source?.plan ?? null, ...Object.values(source?.agents ?? {})]);
  });
  const { cluster } = await clusterOptions(parsed);
  // A cluster's workers have files of their own.
  const root = cluster === undefined ? (parsed.value("files") ?? recorded.files) : undefined;
  const remote: RemoteConfig =
    recorded.config === undefined || !mustCall ? {} : readRemoteConfig(recorded.config);
  const remoteTools = await openRemote(remote, parsed, console);
  const engine = await createEngine({
    log: printEntry,
    ...(remoteTools !== undefined && { remoteTools }),
    ...(remote.http !== undefined && { http: remote.http }),
    ...(cluster && { cluster }),
    tools: runnable(tools),
    store: store.driver,
    ...(recorded.models !== undefined && { models: recorded.models }),
    ...(root !== undefined && mustCall && { files: { root } }),
  });
  const fileToken = root !== undefined && mustCall ? await fileTokenFor(engine) : undefined;
  return { engine, fileToken };
}

/** A run of the command line may do with its folder what its user may. */
export async function fileTokenFor(engine: Engine): Promise<string> {
  return engine.issueFileToken({ read: ["/"], write: ["/"] });
}

function withAdvice(error: unknown, runId: string): unknown {
  if (!(error instanceof UsageError)) return error;
  return new UsageError(
    `${error.message} The run ${runId} was started with it; --tools MODULE names another one.`,
  );
}

interface RecordedEnvironment {
  readonly tools: readonly string[];
  readonly files: string | undefined;
  readonly models: EngineOptions["models"];
  /** The file that names servers and APIs. */
  readonly config: string | undefined;
}

function recordedEnvironment({ tools, files, models, config }: JsonObject): RecordedEnvironment {
  const modules = Array.isArray(tools) ? (tools as readonly Json[]) : [];
  return {
    tools: modules.filter((module) => typeof module === "string"),
    files: typeof files === "string" ? files : undefined,
    models: models as EngineOptions["models"],
    config: typeof config === "string" ? config : undefined,
  };
}

/** A tool for every name that a plan could mean, so that it compiles; none is ever called. */
function standIns(plans: readonly Json[]): Tools {
  const names = new Set<string>();
  const queue: Json[] = plans.map(parsedIfText);
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      if ((key === "tool" || key === "system_event_endpoint") && typeof item === "string") names.add(item);
      queue.push(item as Json);
    }
  }
  return Object.fromEntries([...names].map((name) => [name, () => null]));
}

function parsedIfText(plan: Json): Json {
  if (typeof plan !== "string") return plan;
  try {
    return JSON.parse(plan) as Json;
  } catch {
    return null;
  }
}
