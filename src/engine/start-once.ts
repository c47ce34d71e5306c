import { SequiturError } from "../base/error.ts";
import { canonicalJson, type Json } from "../base/json.ts";
import type { Once } from "../drivers/driver.ts";
import type { StartOptions } from "./options.ts";

/** Keys are kept for as long as their runs, so they have to be short. */
const KEY_LENGTH_MAX = 500;

/** What a start under an idempotency key asks for; undefined for a start without one. */
export function onceOf(plan: Json, options: StartOptions): Once | undefined {
  const { idempotencyKey: key } = options;
  if (key === undefined) return undefined;
  if (key === "" || key.length > KEY_LENGTH_MAX) {
    const message = `An idempotency key has 1 to ${KEY_LENGTH_MAX} characters; this one has ${key.length}.`;
    throw new SequiturError("INVALID_IDEMPOTENCY_KEY", message);
  }
  const { arguments: args, inputs, contextVariables, context, mode, dialect, deadlineMs } = options;
  const asked = { plan, args, inputs, contextVariables, context, mode, dialect, deadlineMs };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return { key, fingerprint: sha256(canonicalJson(given as Record<string, Json>)) };
}

/** The same key gives the same id, to whomever. */
export function idOfKey({ key }: Once): string {
  return `run_${sha256(key).slice(0, 24)}`;
}

/** The same key for something else is a mistake of the caller, who would take another run for its own. */
export function refuseOtherUse(once: Once, known: { readonly fingerprint: string }): void {
  if (known.fingerprint === once.fingerprint) return;
  throw new SequiturError(
    "IDEMPOTENCY_KEY_REUSED",
    "This idempotency key has started a run of another plan, or with other arguments. Use a new key for a new run.",
  );
}

/** What makes it is loaded when it is first needed, which takes a while. */
function sha256(text: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
