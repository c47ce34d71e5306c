import { RareSet } from "../base/rare.ts";
import type { Command } from "./commands.ts";
import type { Frame, RunState } from "./state.ts";

const NO_COMMANDS: readonly Command[] = [];

/**
 * The handling of one event: the commands so far, and what is still to be looked at. A run has one of these and uses it for
 * event after event.
 */
export class Turn {
  readonly state: RunState;
  #commands: readonly Command[] = NO_COMMANDS;
  /** Frames in which something has failed, and which may have come to rest. */
  readonly troubled = new RareSet<Frame>();
  /** Steps whose every need has settled, and frames (step -1) whose every step has. Lists, no recursion: chains are long. */
  readonly #frames: Frame[] = [];
  readonly #steps: number[] = [];
  /** How much of the lists is filled: emptying a list by its length costs more than all the rest of a turn. */
  #filled = 0;

  constructor(state: RunState) {
    this.state = state;
  }

  begin(): void {
    this.#commands = NO_COMMANDS;
    this.#filled = 0;
    if (this.troubled.size > 0) this.troubled.clear();
  }

  get commands(): readonly Command[] {
    return this.#commands;
  }

  /** Most events lead to one command: a list of one is made as such, since a list that grows makes room for many. */
  add(command: Command): void {
    if (this.#commands.length === 0) this.#commands = [command];
    else (this.#commands as Command[]).push(command);
  }

  /** Something is to be looked at before the turn is over. */
  get hasWork(): boolean {
    return this.#filled > 0 || this.troubled.size > 0;
  }

  startTimer(name: string, atMs: number): void {
    this.state.timers.set(name, atMs);
    this.add({ kind: "StartTimer", name, atMs });
  }

  considerLater(frame: Frame, step: number): void {
    this.#frames[this.#filled] = frame;
    this.#steps[this.#filled++] = step;
  }

  finishLater(frame: Frame): void {
    this.considerLater(frame, -1);
  }

  /** Hands over what was put in, in that order, until nothing is left or the visitor has had enough. */
  work(visit: (turn: Turn, frame: Frame, step: number) => boolean): void {
    for (let at = 0; at < this.#filled; at++) {
      if (!visit(this, this.#frames[at] as Frame, this.#steps[at] as number)) break;
    }
    this.#filled = 0;
  }
}
