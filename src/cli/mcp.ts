import type { Workplace } from "../mcp/plan-tool.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { type Environment, loadEnvironment, SECRETS, secretsOf } from "./environment.ts";
import { HOST, portOf, untilStopped } from "./listening.ts";
import { engineFor, fileTokenFor } from "./open-engine.ts";
import { openDriver, storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { ownVersion } from "./own-version.ts";

const TOKEN = "SEQUITUR_MCP_TOKEN";
const HERE = ["127.0.0.1", "localhost", "::1"];

export const command: Command = {
  operands: "",
  about: [
    "Serves plans to models over MCP: list_tools, check_plan, run_plan, get_run, provide_inputs, cancel_run, and every agent as",
    "a tool of its own. On standard input and output, as clients start it; with --http at http://127.0.0.1:PORT/mcp, and",
    `with a token where the environment variable ${TOKEN} holds one. Any other host than this machine needs it.`,
  ].join("\n"),
  options: [
    { name: "http", kind: "value", value: "PORT", about: "serve HTTP instead; 0 takes a free port" },
    HOST,
    DB,
    TOOLS,
    AGENTS,
    FILES,
    CONTEXT,
    SECRETS,
  ],
  run: serveMcp,
};

async function serveMcp(parsed: Parsed, console: Console): Promise<ExitCode> {
  const address = addressOf(parsed, console);
  // Standard output is the protocol's: what tools print goes elsewhere.
  const restore = address === undefined ? keepOutputClean(console) : () => {};
  try {
    const environment = await loadEnvironment(parsed, console);
    const driver = await openDriver(storeFile(parsed, console));
    const engine = await engineFor(environment, driver, await secretsOf(parsed, console));
    try {
      const workplace: Workplace = {
        engine,
        fileToken: async () => (environment.config.files === undefined ? undefined : fileTokenFor(engine)),
        contextVariables: environment.contextVariables,
      };
      await serve(workplace, address, environment, console);
      return EXIT.ok;
    } finally {
      await engine.close();
    }
  } finally {
    restore();
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

function addressOf(parsed: Parsed, { env }: Console): Address | undefined {
  const port = portOf(parsed, "http");
  const host = parsed.value("host") ?? "127.0.0.1";
  if (port === undefined) {
    if (parsed.value("host") !== undefined) throw new UsageError("--host needs --http PORT.");
    return undefined;
  }
  const token = env[TOKEN] === "" ? undefined : env[TOKEN];
  if (!HERE.includes(host) && token === undefined)
    throw new UsageError(
      `Others than this machine may call ${host}: set ${TOKEN} to a secret that they send.`,
    );
  return { host, port, token };
}

async function serve(
  workplace: Workplace,
  address: Address | undefined,
  { remote }: Environment,
  console: Console,
): Promise<void> {
  const version = await ownVersion();
  if (address === undefined) {
    const { serveStdio } = await import("../mcp/stdio.ts");
    await Promise.race([serveStdio(workplace, version), untilStopped(async () => {})]);
    return;
  }
  if (address.token !== undefined) remote?.secrets.keep(TOKEN, address.token);
  const { serveHttp } = await import("../mcp/http.ts");
  const served = await serveHttp(workplace, version, address);
  console.out(served.url);
  await untilStopped(() => served.close());
}

/** What tools say with `console.log` goes to standard error. Not by `divert`: the protocol writes to the stream, too. */
function keepOutputClean({ err }: Console): () => void {
  const { log, info, debug } = globalThis.console;
  const say = (...words: unknown[]): void => err(words.map(String).join(" "));
  Object.assign(globalThis.console, { log: say, info: say, debug: say });
  return () => void Object.assign(globalThis.console, { log, info, debug });
}
