import type { IssuedToken, TokenRegistry } from "../server/token-registry.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB } from "./config.ts";
import type { Console } from "./console.ts";
import { parseDuration } from "./duration.ts";
import { storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";

const LIFETIME = "30d";

export const command: Command = {
  operands: "issue|list|revoke [ID|NAME]",
  about: [
    "Tokens for sequitur serve. issue prints a new one, which is shown this once: clients send it as",
    "Authorization: Bearer TOKEN. revoke takes the id or the name, and works at once. Tokens belong to a store (--db).",
    "Scopes: runs:read, runs:write, plans:run:<pattern>, files:/<prefix>, admin (docs/server.md).",
  ].join("\n"),
  options: [
    {
      name: "name",
      kind: "value",
      value: "NAME",
      about: "of issue: who it is for; shown with the runs it starts",
    },
    { name: "scope", kind: "list", value: "SCOPE", about: "of issue: what it allows" },
    {
      name: "expires",
      kind: "value",
      value: "30d",
      about: `of issue: how long it is good for; ${LIFETIME}, if not given`,
    },
    { name: "json", kind: "flag", about: "print JSON" },
    DB,
  ],
  run: token,
};

async function token(parsed: Parsed, console: Console): Promise<ExitCode> {
  const [action, ...operands] = parsed.operands;
  const run =
    action !== undefined && Object.hasOwn(ACTIONS, action)
      ? ACTIONS[action as keyof typeof ACTIONS]
      : undefined;
  if (run === undefined) throw new UsageError("What of tokens? issue, list or revoke.");
  const { TokenRegistry } = await import("../server/token-registry.ts");
  return run(new TokenRegistry(storeFile(parsed, console)), operands, parsed, console);
}

type Action = (
  registry: TokenRegistry,
  operands: readonly string[],
  parsed: Parsed,
  console: Console,
) => Promise<ExitCode>;

const ACTIONS = { issue, list, revoke } satisfies Record<string, Action>;

async function issue(
  registry: TokenRegistry,
  _operands: readonly string[],
  parsed: Parsed,
  console: Console,
): Promise<ExitCode> {
  const { scopeProblem } = await import("../server/access.ts");
  const subject = parsed.value("name");
  const scopes = parsed.list("scope");
  const expires = parsed.value("expires") ?? LIFETIME;
  const lifetimeMs = parseDuration(expires);
  if (subject === undefined) throw new UsageError("Who is it for? --name NAME.");
  if (!/^[\w.@-]{1,100}$/.test(subject) || subject === "local") {
    throw new UsageError("A name is made of letters, digits, _ . @ and -; local is the server's own.");
  }
  if (scopes.length === 0) throw new UsageError("What does it allow? --scope SCOPE, as often as needed.");
  if (lifetimeMs === undefined || lifetimeMs <= 0)
    throw new UsageError(`--expires is a time such as 12h or 30d, not "${expires}".`);
  const problem = scopes.map(scopeProblem).find((found) => found !== undefined);
  if (problem !== undefined) throw new UsageError(problem);
  const { text, token: issued } = await registry.issue({ subject, scopes }, lifetimeMs);
  console.out(parsed.flag("json") ? JSON.stringify({ token: text, ...shown(issued) }, null, 2) : text);
  return EXIT.ok;
}

async function list(
  registry: TokenRegistry,
  _operands: readonly string[],
  parsed: Parsed,
  console: Console,
): Promise<ExitCode> {
  const tokens = registry.list().map(shown);
  if (parsed.flag("json")) console.out(JSON.stringify(tokens, null, 2));
  else if (tokens.length === 0) console.out("There are no tokens.");
  for (const { id, name, scopes, expiresAt, revokedAt } of parsed.flag("json") ? [] : tokens) {
    const state = revokedAt === undefined ? `until ${expiresAt}` : `revoked ${revokedAt}`;
    console.out(`${id}  ${name}  ${scopes.join(" ")}  ${state}`);
  }
  return EXIT.ok;
}

async function revoke(
  registry: TokenRegistry,
  operands: readonly string[],
  _parsed: Parsed,
  console: Console,
): Promise<ExitCode> {
  const [which] = operands;
  if (which === undefined)
    throw new UsageError("Which token? Its id, or its name: sequitur token list shows them.");
  if (!registry.revoke(which)) throw new UsageError(`There is no token "${which}" that could be revoked.`);
  console.out(`${which} is revoked.`);
  return EXIT.ok;
}

function shown({ id, subject, scopes, issuedAt, expiresAt, revokedAt }: IssuedToken) {
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    id,
    name: subject,
    scopes,
    issuedAt: iso(issuedAt),
    expiresAt: iso(expiresAt),
    ...(revokedAt !== undefined && { revokedAt: iso(revokedAt) }),
  };
}
