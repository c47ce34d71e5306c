/*
 * Which journals this version reads. Every version reads the journals of all earlier ones; what a newer one has written is
 * refused, since an event that is passed over would change what the others mean.
 */
import { SequiturError } from "../base/error.ts";
import type { RunEvent, RunStarted } from "./events.ts";

/** Written into the first event of every journal; one more whenever older versions could not read what is written. */
export const JOURNAL_VERSION = 1;

const KINDS: Readonly<Record<RunEvent["kind"], true>> = {
  RunStarted: true,
  StepSucceeded: true,
  StepFailed: true,
  StepSuspended: true,
  FilesRead: true,
  TimerFired: true,
  InputProvided: true,
  ConfirmationGiven: true,
  TextEmitted: true,
  CustomEmitted: true,
  ContextSet: true,
  CancelRequested: true,
  RunResumed: true,
};

/** The first event of a journal, if this version may go on reading. */
export function firstOf(runId: string, event: RunEvent | undefined): RunStarted {
  if (event?.kind !== "RunStarted") {
    throw new SequiturError("EMPTY_JOURNAL", `The run "${runId}" has no journal that begins with its start.`);
  }
  const { journal } = event;
  if (journal <= JOURNAL_VERSION) return event;
  throw new SequiturError(
    "NEWER_JOURNAL",
    `The run "${runId}" was recorded by a newer version of Sequitur (journal ${journal}; this one reads up to ${JOURNAL_VERSION}). Upgrade to go on with it; nothing has been changed.`,
  );
}

/** An event of the journal, if this version knows its kind. */
export function known(runId: string, event: RunEvent): RunEvent {
  if (Object.hasOwn(KINDS, event.kind)) return event;
  throw new SequiturError(
    "UNKNOWN_EVENT",
    `The journal of the run "${runId}" holds an event of a kind that this version of Sequitur does not know: "${String(event.kind)}". Was it written by a newer version? Nothing has been changed.`,
  );
}
