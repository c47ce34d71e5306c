import type { Json, JsonObject } from "../base/json.ts";
import { RareMap } from "../base/rare.ts";
import type { NotCalled } from "./arguments.ts";
import type { ReadyItems } from "./ready-queue.ts";
import type { Frame } from "./state.ts";
import type { StepError } from "./step-error.ts";

/** The items of a step that fans out, and how each of them stands. */
export class FanOutState {
  readonly items: readonly Json[];
  readonly results: Json[];
  readonly states: Uint8Array;
  readonly errors = new RareMap<number, StepError>();
  readonly frames = new RareMap<number, Frame>();
  /** Kept for the first items only: results are what a run keeps of a long fan-out. */
  readonly arguments = new RareMap<number, JsonObject>();
  readonly attempts = new RareMap<number, number>();
  next = 0;
  active = 0;
  left: number;
  /** Its place in the ready queue, and whether it is taken. */
  entry: ReadyItems | undefined = undefined;
  queued = false;
  /** An item has been started. */
  begun = false;
  failure: StepError | undefined = undefined;
  failedFirst = Number.POSITIVE_INFINITY;
  /** Why the step is not called after all, for this item as for every other. */
  refusal: NotCalled | undefined = undefined;

  constructor(items: readonly Json[]) {
    this.items = items;
    this.results = new Array<Json>(items.length);
    this.states = new Uint8Array(items.length);
    this.left = items.length;
  }

  /** Of a run that was resumed: the items that had completed are not called again. */
  takeCompleted(earlier: FanOutState): void {
    for (let i = 0; i < this.items.length; i++) {
      if (earlier.states[i] !== ITEM_COMPLETED) continue;
      this.states[i] = ITEM_COMPLETED;
      this.results[i] = earlier.results[i] as Json;
      this.left--;
    }
    for (const [item, args] of earlier.arguments) this.arguments.set(item, args);
    for (const [item, frame] of earlier.frames) this.frames.set(item, frame);
    this.skipCompleted();
  }

  skipCompleted(): void {
    while (this.next < this.items.length && this.states[this.next] === ITEM_COMPLETED) this.next++;
  }
}

/** So many items of a fan-out keep what they were called with, and what happened inside them. */
export const ITEMS_RECORDED_MAX = 1_000;

/** States of the items of a fan-out. */
export const ITEM_PENDING = 0;
export const ITEM_ACTIVE = 1;
export const ITEM_COMPLETED = 2;
export const ITEM_FAILED = 3;
export const ITEM_CANCELLED = 4;
