import type { Json } from "../../base/json.ts";
import type { RunEvent } from "../../core/events.ts";

/** Stands where an event is kept as it is. */
const WHOLE = -1;

/**
 * The journal of one run. Nearly all its events say that a call has succeeded at its first attempt: of those only the result,
 * the call and the time are kept, in lists, so that an event is gone as soon as it has been handled. A long run would otherwise
 * have the garbage collector carry every event it ever had from place to place.
 */
export class Journal {
  readonly #whats: (RunEvent | Json)[] = [];
  readonly #calls: number[] = [];
  readonly #times: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(event: RunEvent): void {
    const i = this.#length++;
    const isUsual = event.kind === "StepSucceeded" && event.attempt === 1;
    this.#whats[i] = isUsual ? event.result : event;
    this.#calls[i] = isUsual ? event.call : WHOLE;
    this.#times[i] = event.at;
  }

  *from(after: number): Generator<RunEvent> {
    for (let i = after; i < this.#length; i++) yield this.#event(i);
  }

  #event(i: number): RunEvent {
    const call = this.#calls[i] as number;
    if (call === WHOLE) return this.#whats[i] as RunEvent;
    const at = this.#times[i] as number;
    return { kind: "StepSucceeded", at, call, attempt: 1, result: this.#whats[i] as Json };
  }
}
