/*
 * Is a journal still the journal of its run? It is folded twice, side by side: both must give the same commands, every answer in
 * it must be one that the commands asked for, and the end must be the one on record. Code that has changed what a plan means
 * shows here before it shows in a run that is resumed.
 */
import { canonicalJson, type Json } from "../base/json.ts";
import { advance } from "../core/advance.ts";
import type { Command } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { RunState } from "../core/state.ts";
import type { RunRecord } from "../drivers/driver.ts";

export interface ReplayReport {
  readonly events: number;
  readonly commands: number;
  /** What does not fit; empty for a journal that leads where it led. */
  readonly problems: readonly string[];
  /** Of the run on record, and of the one that was folded. */
  readonly recorded: string;
  readonly folded: string;
}

/** More than that say nothing new. */
const PROBLEMS_MAX = 10;

export function replayJournal(
  freshState: () => RunState,
  journal: Iterable<RunEvent>,
  record: RunRecord,
): ReplayReport {
  const [state, twin] = [freshState(), freshState()];
  const asked = new Asked();
  const problems: string[] = [];
  const report = (problem: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  let events = 0;
  let commands = 0;
  for (const event of journal) {
    const unasked = asked.problemOf(event);
    if (unasked !== undefined) report(`event ${events} (${event.kind}): ${unasked}`);
    const given = advance(state, event);
    if (textOf(given) !== textOf(advance(twin, event)))
      report(`event ${events} (${event.kind}): two folds gave different commands`);
    for (const command of given) asked.note(command);
    events++;
    commands += given.length;
  }
  const recorded = endOf(record.status, record.finishedAt);
  const folded = endOf(state.status, state.finishedAt > 0 ? state.finishedAt : undefined);
  if (recorded !== folded && !isBehind(record))
    report(`on record the run is ${recorded}, but its journal makes it ${folded}`);
  return { events, commands, problems, recorded, folded };
}

/** The list of runs may lag behind where a process ended in the middle; the next one that recovers puts it right. */
function isBehind({ status }: RunRecord): boolean {
  return status === "running" || status === "waiting";
}

function endOf(status: string, finishedAt: number | undefined): string {
  return finishedAt === undefined ? status : `${status} at ${new Date(finishedAt).toISOString()}`;
}

/** `undefined` has no JSON form, and commands have optional fields. */
function textOf(commands: readonly Command[]): string {
  return canonicalJson(JSON.parse(JSON.stringify(commands)) as Json);
}

/** What the commands so far have asked for, and nobody has answered. */
class Asked {
  readonly #open = new Set<string>();

  note(command: Command): void {
    if (command.kind === "StartStep") this.#open.add(`call ${command.call} attempt ${command.attempt}`);
    else if (command.kind === "StartTimer") this.#open.add(`timer ${command.name}`);
    else if (command.kind === "ReadFiles") this.#open.add(`read ${command.read}`);
  }

  problemOf(event: RunEvent): string | undefined {
    const answers = answeredBy(event);
    if (answers === undefined) return undefined;
    // A step that repeats asks for the same call and attempt again, once it was answered.
    return this.#open.delete(answers) ? undefined : `answers ${answers}, which was not asked for`;
  }
}

function answeredBy(event: RunEvent): string | undefined {
  switch (event.kind) {
    case "StepSucceeded":
    case "StepFailed":
    case "StepSuspended":
      return `call ${event.call} attempt ${event.attempt}`;
    case "TimerFired":
      return `timer ${event.name}`;
    case "FilesRead":
      return `read ${event.read}`;
    default:
      return undefined;
  }
}
