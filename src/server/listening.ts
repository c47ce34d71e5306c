/* Where a server may listen, and what it says where it cannot. */
import { SequiturError } from "../index.ts";
import { isLoopback } from "./gate.ts";
import type { TokenRegistry } from "./token-registry.ts";

/** Others may reach the server only where somebody has decided who, and under which name. */
export function refuseOpenDoors(
  host: string,
  port: number,
  registry: TokenRegistry,
  origins: readonly string[],
): void {
  if (!isLoopback(host) && !registry.hasUsable) {
    throw new SequiturError(
      "NO_TOKENS",
      `A server that others can reach (--host ${host}) needs tokens. Make one first: sequitur token issue --name NAME --scope SCOPE.`,
    );
  }
  if ((host === "0.0.0.0" || host === "::") && origins.length === 0) {
    throw new SequiturError(
      "NO_ORIGIN",
      `Under which address is the server reached? With --host ${host} say so: --origin http://NAME:${port}.`,
    );
  }
}

export function listenError(error: NodeJS.ErrnoException, host: string, port: number): SequiturError {
  const why =
    error.code === "EADDRINUSE"
      ? `Something else listens on ${host}:${port} already. Choose another port: --port ${port + 1}.`
      : `The server cannot listen on ${host}:${port}: ${error.message}.`;
  return new SequiturError("CANNOT_LISTEN", why, { cause: error });
}
