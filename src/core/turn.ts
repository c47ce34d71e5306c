import type { Command } from "./commands.ts";
import type { Frame, RunState } from "./state.ts";

/** The handling of one event: the state, the commands so far, and what is still to be looked at. */
export class Turn {
  readonly state: RunState;
  readonly commands: Command[] = [];
  /** Steps whose every need has settled, and frames whose every step has. A list instead of recursion: chains are long. */
  readonly #work: { readonly frame: Frame; readonly step: number }[] = [];
  /** Frames in which something has failed, and which may have come to rest. */
  readonly troubled = new Set<Frame>();

  constructor(state: RunState) {
    this.state = state;
  }

  startTimer(name: string, atMs: number): void {
    this.state.timers.set(name, atMs);
    this.commands.push({ kind: "StartTimer", name, atMs });
  }

  considerLater(frame: Frame, step: number): void {
    this.#work.push({ frame, step });
  }

  finishLater(frame: Frame): void {
    this.#work.push({ frame, step: -1 });
  }

  /** In the order in which they were put in. */
  *work(): Generator<{ readonly frame: Frame; readonly step: number }> {
    for (let head = 0; head < this.#work.length; head++)
      yield this.#work[head] as { frame: Frame; step: number };
    this.#work.length = 0;
  }
}
