/* Numbers that measurements have shown to matter (docs/scale-out.md). */

/** Calls that one invocation has under way; the others wait their turn, first in, first out. */
export const WINDOW = 64;

/** From so many waiting steps on, they are handed to other workers, so many together, so many times at once. */
export const BATCH_FROM = 100;
export const BATCH_SIZE = 250;
export const BATCHES_MAX = 8;

/** A run that waits for others for so long gives its place back; it is replayed when there is news. */
export const INACTIVITY_MS = 1_000;
/** A call that takes longer than this is given up and made again: longer than anything but a mistake. */
export const ABORT_MS = 6 * 60 * 60 * 1_000;

/** How long Restate remembers runs that have ended, and their journals. */
export const RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;

/** Tools fail by events, never by throwing: what fails here is the blob store. */
export const RUN_ONCE = { maxRetryAttempts: 20, initialRetryInterval: 50, maxRetryInterval: 2_000 };

/** A worker that is gone is asked again soon; what fails for hours is paused, for a person to look at. */
export const RETRY_POLICY = {
  initialInterval: 50,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 1_000,
  onMaxAttempts: "pause",
} as const;
