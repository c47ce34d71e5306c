import { setTimeout } from "node:timers/promises";
import { SequiturError } from "../../base/error.ts";

/** Restate's own port for such things, on the host of the address that runs are started at. */
export function adminUrlOf(url: string): string {
  const admin = new URL(url);
  admin.port = "9070";
  return admin.origin;
}

/**
 * Tells Restate where workers are. New runs go to the address that was registered last; runs under way stay with the one that
 * they began at, so that a new version, at an address of its own, does not meet them.
 */
export async function register(adminUrl: string, workerUrl: string): Promise<void> {
  const response = await fetch(new URL("/deployments", adminUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: workerUrl }),
  }).catch((cause: unknown) => {
    const message = `Restate does not answer at ${adminUrl}. Is the server running? Its administration is reached at --admin URL.`;
    throw new SequiturError("RESTATE_UNREACHABLE", message, { cause });
  });
  if (response.ok) return;
  throw new SequiturError(
    "NOT_REGISTERED",
    `Restate at ${adminUrl} did not take the workers at ${workerUrl}: ${await response.text()}`,
  );
}

const TRIES = 60;
const PAUSE_MS = 500;

/** Server and workers may be started together, and after a power cut they come back in any order. */
export async function registerPatiently(
  adminUrl: string,
  workerUrl: string,
  log: (message: string) => void,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await register(adminUrl, workerUrl);
      return;
    } catch (error) {
      const isAway = error instanceof SequiturError && error.code === "RESTATE_UNREACHABLE";
      if (!isAway || tries === TRIES) throw error;
      if (tries === 1) log(`${error.message} Trying again for ${(TRIES * PAUSE_MS) / 1_000} seconds.`);
      await setTimeout(PAUSE_MS);
    }
  }
}
