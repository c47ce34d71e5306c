/* The events of one run, with the model that has been folded up to the one that is shown. */
import type { Json, Outline } from "../../../../src/compiler.ts";
import type { RunEvent } from "./run-event.ts";
import { RunModel } from "./run-model.ts";

export class RunHistory {
  readonly plan: Outline;
  readonly events: RunEvent[] = [];
  model: RunModel;
  /** The number of the event that is shown; undefined where the run is followed. */
  target: number | undefined;

  constructor(plan: Outline) {
    this.plan = plan;
    this.model = this.#fresh();
  }

  #fresh(): RunModel {
    return new RunModel((id) => stepsInside(this.plan, id));
  }

  get last(): number {
    return this.events.length;
  }

  get isOver(): boolean {
    return this.events.at(-1)?.kind === "RunFinished";
  }

  add(events: readonly RunEvent[]): void {
    // What came twice, after a stream was opened again, is there already.
    for (const event of events) if (event.seq === this.events.length + 1) this.events.push(event);
    this.#catchUp();
  }

  /** Gives whether everything has to be told anew: events are folded forwards only. */
  seek(seq: number | undefined): boolean {
    this.target = seq === undefined || seq >= this.last ? undefined : seq;
    const goesBack = this.model.seq > (this.target ?? this.last);
    if (goesBack) this.model = this.#fresh();
    this.#catchUp();
    return goesBack;
  }

  #catchUp(): void {
    const end = this.target ?? this.last;
    for (let i = this.model.seq; i < end; i++) this.model.apply(this.events[i] as RunEvent);
  }

  /** A part of an event. */
  value(seq: number, field: string | undefined): Json {
    const event = this.events[seq - 1];
    if (event === undefined) return null;
    return field === undefined ? (event as unknown as Json) : (event.data[field] ?? null);
  }
}

/** How many steps there are inside of the step with this id, of whatever item it is. */
function stepsInside(plan: Outline, id: string): number {
  let block = plan.blocks[0];
  for (const part of id.replace(/\[\d+\]/g, "").split(".")) {
    const number: number | undefined = block?.steps.find((step) => step.id === part)?.block;
    block = number === undefined ? undefined : plan.blocks[number];
  }
  return block?.steps.length ?? Number.POSITIVE_INFINITY;
}
