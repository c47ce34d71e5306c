/*
 * The read model, made again from Restate's journals: an entry for each action and, in the order in which they came, one for
 * each answer. Answers hold events as they were handed to the core, so that folding them gives what was told before.
 */
import { setTimeout } from "node:timers/promises";
import { SequiturError } from "../../base/error.ts";
import { advance, isOver } from "../../core/advance.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Driver } from "../driver.ts";
import { type BlobStore, unpack } from "./blobs.ts";
import { cancelledInRestate, inOrder } from "./given-events.ts";
import type { Caller } from "./services.ts";
import { type Packed, RUN_SERVICE, type RunInput, stepName } from "./wire.ts";

export interface RebuildParts {
  readonly adminUrl: string;
  readonly caller: Caller;
  readonly model: Driver;
  readonly blobs: BlobStore;
  readonly log: (message: string) => void;
}

/** Tells the read model of every run that Restate has a journal of; gives how many. */
export async function rebuild(parts: RebuildParts): Promise<number> {
  const { adminUrl, log } = parts;
  const runs = await query<{ id: string; key: string }>(
    adminUrl,
    `SELECT id, target_service_key AS key FROM sys_invocation WHERE target_service_name = '${RUN_SERVICE}' AND target_handler_name = 'run'`,
  );
  let count = 0;
  for (const { id, key } of runs) {
    try {
      await rebuildRun(id, parts);
      count++;
    } catch (error) {
      log(`The run ${key} cannot be rebuilt: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return count;
}

/** One entry of Restate's journal, as far as it matters here. */
interface Entry {
  readonly Command?: Readonly<Record<string, CommandEntry | undefined>>;
  readonly Notification?: {
    readonly Completion?: Readonly<Record<string, CompletionEntry | undefined>>;
    /** The only one that a run listens to is that it is cancelled. */
    readonly Signal?: unknown;
  };
}

interface CommandEntry {
  readonly name?: string;
  readonly completion_id?: number;
  readonly payload?: readonly number[];
}

interface CompletionEntry {
  readonly completion_id: number;
  readonly result?: { readonly Success?: readonly number[] };
}

async function rebuildRun(
  invocation: string,
  { adminUrl, caller, model, blobs }: RebuildParts,
): Promise<void> {
  const rows = await query<{ entry_json: string }>(
    adminUrl,
    `SELECT entry_json FROM sys_journal WHERE id = '${invocation}' ORDER BY index`,
  );
  const [input, ...entries] = rows.map(({ entry_json }) => JSON.parse(entry_json) as Entry);
  const { source, first, more = [] } = parsed<RunInput>(input?.Command?.Input?.payload);
  const opened = await caller.open(source, first);
  const { state } = opened;
  const events: RunEvent[] = [];
  const calls = new Map<string, number>();
  const calledOff = new Set<number>();
  const handle = (event: RunEvent): void => {
    if (isOver(state) && event.kind !== "RunResumed") return;
    const timed = inOrder(event, state);
    events.push(timed);
    for (const command of advance(state, timed)) {
      if (command.kind === "StartStep") calls.set(stepName(first.runId, command), command.call);
      if (command.kind === "AbortStep") calledOff.add(command.call);
    }
  };
  for (const event of [first, ...more]) handle(event);
  const names = new Map<number, string>();
  for (const { Command, Notification } of entries) {
    for (const { completion_id, name } of Object.values(Command ?? {}).filter(isThere))
      if (completion_id !== undefined) names.set(completion_id, name ?? "");
    const { Run, Call, GetPromise, Sleep } = Notification?.Completion ?? {};
    const name = names.get((Run ?? Sleep)?.completion_id ?? -1) ?? "";
    // The run did not wait for these any more.
    const isLate = Run !== undefined && calledOff.has(calls.get(name) ?? -1);
    const answer = (Run ?? Call)?.result?.Success;
    if (answer !== undefined && !isLate)
      for (const event of await unpack(parsed<Packed>(answer), blobs)) handle(event);
    if (GetPromise?.result?.Success !== undefined) handle(parsed<RunEvent>(GetPromise.result.Success));
    if (Notification?.Signal !== undefined) handle(cancelledInRestate(state));
    if (Sleep !== undefined) handle({ kind: "TimerFired", at: state.timers.get(name) ?? state.now, name });
  }
  model.mirror?.({ record: opened.record(), source }, 0, events);
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function parsed<T>(bytes: readonly number[] | undefined): T {
  if (bytes === undefined) throw new SequiturError("JOURNAL_GONE", "Restate has no journal of it any more.");
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as T;
}

const TRIES = 20;
const PAUSE_MS = 500;

/** A server that has only just started answers calls before it answers questions. */
async function query<Row>(adminUrl: string, sql: string): Promise<Row[]> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(new URL("/query", adminUrl), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query: sql }),
    });
    if (response.ok) return ((await response.json()) as { rows: Row[] }).rows;
    if (tries === TRIES)
      throw new SequiturError("RESTATE_REFUSED", `Restate at ${adminUrl} refused: ${await response.text()}`);
    await setTimeout(PAUSE_MS);
  }
}
