/*
 * The state of a run. `advance` alone writes to it.
 *
 * I1  Steps of a frame have the numbers of the block's steps; a step is settled once, and never changes after that (except
 *     when a failed run is resumed).
 * I2  `waits` of a frame has, for each pending step, the number of steps it waits for that have not settled.
 * I3  `calls` holds exactly the calls that are under way or between attempts.
 * I4  Work for one event is proportional to what the event changes: no scan over steps, no copy of state.
 */
import type { Json, JsonObject } from "../base/json.ts";
import { RareMap, RareSet } from "../base/rare.ts";
import { Slots } from "../base/slots.ts";
import type { ContextStore } from "../context/context-store.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import type { Block, Program, Step } from "../ir/program.ts";
import type { Field, Signature } from "../ir/signature.ts";
import type { FilesRead } from "./events.ts";
import { FanOutState } from "./fan-out-state.ts";
import { ReadyQueue } from "./ready-queue.ts";
import type { Scope } from "./resolve.ts";
import type { StepError } from "./step-error.ts";
import { Turn } from "./turn.ts";
import type { Usage } from "./usage.ts";

export type StepStatus =
  | "pending"
  | "ready"
  | "running"
  | "waiting"
  | "completed"
  | "failed"
  | "skipped"
  | "blocked"
  | "cancelled";

export type RunStatus = "running" | "waiting" | "completed" | "failed" | "cancelled" | "partial_success";

/** How a step ended that has no result: with an error, or why it was skipped, blocked or cancelled. */
export interface Ending {
  readonly error?: StepError;
  readonly reason?: string;
}

export const NO_TROUBLE: Ending = {};

/** There is one for each step of each run: what few steps need is behind one field, not one for each. */
export class StepState {
  status: StepStatus = "pending";
  /** The result; undefined until there is one. */
  value: Json | undefined = undefined;
  ending: Ending = NO_TROUBLE;
  /** What it was called with; undefined where that can be worked out again (see `argumentsOf`). */
  arguments: JsonObject | undefined = undefined;
  /** When it was started and when it ended, as `tick` of the run counts; 0 for not yet. */
  startTick = 0;
  endTick = 0;
  attempts = 0;
  /** The items of a fan-out, or the frame of a composite's last attempt. */
  inner: FanOutState | Frame | undefined = undefined;
  /** Who handles its failure. */
  handlers: Handlers | undefined = undefined;

  get error(): StepError | undefined {
    return this.ending.error;
  }

  /** Why it was skipped, blocked or cancelled. */
  get reason(): string | undefined {
    return this.ending.reason;
  }

  get fanOut(): FanOutState | undefined {
    return this.inner instanceof FanOutState ? this.inner : undefined;
  }

  get frame(): Frame | undefined {
    return this.inner instanceof Frame ? this.inner : undefined;
  }
}

/** The handlers of a failed step. */
export interface Handlers {
  /** Those that have not settled. */
  open: number;
  /** One of them has completed. */
  done: boolean;
}

/** One run of a block: the plan itself, or one call of a composite agent. */
export class Frame {
  readonly block: Block;
  /** Those of the plan come with its first event. */
  arguments: JsonObject;
  /** The call that this frame carries out; undefined for the plan. */
  call: Call | undefined;
  /** `outer.` or `outer.x[3].`: what ids of its steps begin with. */
  readonly prefix: string;
  /** How many calls of composites that can come to call themselves are above it. */
  readonly depth: number;
  /** How many calls lie between it and the plan. */
  readonly level: number;
  readonly steps: StepState[];
  readonly waits: Int32Array;
  /** Steps that have not settled. */
  left: number;
  /** Every step that has settled has completed: no step need look at how those it waits for ended. */
  isSound = true;
  /** Failures that are neither handled nor given up on. */
  undecided = 0;
  /** The first failure that nobody handled, and the step that failed. */
  failure: StepError | undefined = undefined;
  culprit = -1;
  /** Steps that may start only once every failure has been handled. */
  held: number[] = [];
  /** Steps under way: running, waiting, between attempts, or queued. */
  active = 0;
  /** Those of them that wait for a person. */
  readonly asking = new RareSet<number>();
  /** Steps to which a person has said yes. */
  readonly confirmed = new RareSet<number>();
  /** Steps that failed before the run was resumed: what they had finished inside is used again. */
  readonly resumed = new RareSet<number>();
  /** Steps that handlers of a failure wait for. */
  wanted: Uint8Array | undefined = undefined;
  /** See `frameScope`. */
  scope: Scope | undefined = undefined;
  closed = false;
  /** Given up: nobody waits for what it comes to. */
  abandoned = false;

  constructor(block: Block, args: JsonObject, call: Call | undefined, prefix: string, depth: number) {
    this.block = block;
    this.arguments = args;
    this.call = call;
    this.prefix = prefix;
    this.depth = depth;
    this.level = call === undefined ? 0 : call.frame.level + 1;
    this.waits = block.graph.waitsFor.slice();
    const n = block.steps.length;
    this.steps = new Array<StepState>(n);
    for (let i = 0; i < n; i++) this.steps[i] = new StepState();
    this.left = n;
  }
}

/** One call of a tool or a composite, over all its attempts. */
export class Call {
  readonly id: number;
  readonly frame: Frame;
  readonly step: Step;
  /** The item of a fan-out; -1 for a step that does not fan out. */
  readonly item: number;
  attempt = 1;
  /** The tool has been started and has not answered. */
  running = false;
  /** Of a composite, as `tick` of the run counts. */
  startTick = 0;
  /** What a suspended call gives once its time has come. */
  suspended: Json | undefined = undefined;
  /** Somebody waits for it. */
  isOpen = true;
  /** How often it has been called before, of a step that repeats, and what it gave. */
  turn = 0;
  previous: Json | undefined = undefined;
  arguments: JsonObject | undefined = undefined;

  constructor(id: number, frame: Frame, step: Step, item: number) {
    this.id = id;
    this.frame = frame;
    this.step = step;
    this.item = item;
  }
}

/** Validates arguments or responses against a signature: everything that is wrong. Pure; brought by the engine. */
export interface Validator {
  arguments(signature: Signature, value: JsonObject, isRequired: IsRequired): readonly string[];
  response(signature: Signature, value: Json, isRequired: IsRequired): readonly string[];
}

/** Is field number `index`, which has `required_conditions`, required for this value? */
export type IsRequired = (fields: readonly Field[], index: number, value: JsonObject) => boolean;

/** What a run is given besides its events: all of it pure, and the same in every process. */
export interface RunSetup {
  readonly program: Program;
  readonly functions: FunctionTable;
  readonly validator: Validator;
  readonly context: ContextStore;
  /** Calls under way at once. */
  readonly concurrencyMax: number;
  readonly depthMax: number;
  /** Items of one fan-out. */
  readonly itemsMax: number;
}

/** A run that has not started is a new one of these: its first event is `RunStarted`. */
export class RunState {
  readonly setup: RunSetup;
  readonly program: Program;
  /** What `advance` is working with. */
  readonly turn: Turn;
  readonly root: Frame;
  /** What a reference means does not change while the run goes on: it has no context variables and reads no files. */
  readonly isSteady: boolean;
  runId = "";
  seed = 0;
  mode: "stop" | "continue" = "stop";
  eager = false;
  status: RunStatus = "running";
  /** The time of the event that is being handled. */
  now = 0;
  /** The same in milliseconds since the run's start, from 1 on: a small number, where a time would take an object of its own. */
  tick = 0;
  startedAt = 0;
  finishedAt = 0;
  readonly inputs = new RareMap<string, Json>();
  /** Names of questions without an answer. */
  readonly openInputs = new RareSet<string>();
  /** Steps of the plan that wait for an answer while others run. */
  waitingForInputs: number[] = [];
  /** Steps that wait for a yes or no, by id. */
  readonly confirmations = new RareMap<string, { readonly frame: Frame; readonly step: Step }>();
  readonly calls = new Slots<Call>();
  readonly reads = new RareMap<number, PendingRead>();
  nextRead = 0;
  readonly ready = new ReadyQueue();
  /** Tools that have been started and have not answered. */
  running = 0;
  /** Calls that wait for a time: suspended tools, and attempts that are to come. */
  suspended = 0;
  retrying = 0;
  /** Timers that have been started and have not fired, with their times. */
  readonly timers = new RareMap<string, number>();
  nextCall = 0;
  /** What models took, by the id of the step. */
  readonly usage = new RareMap<string, Usage>();
  response: Json | undefined = undefined;
  error: StepError | undefined = undefined;
  cancelReason: string | undefined = undefined;

  constructor(setup: RunSetup) {
    this.setup = setup;
    this.program = setup.program;
    this.turn = new Turn(this);
    this.isSteady = setup.context.isEmpty && setup.program.files.size === 0;
    this.root = new Frame(setup.program.blocks[0], NO_ARGUMENTS, undefined, "", 0);
  }
}

const NO_ARGUMENTS: JsonObject = {};

/** The time of a tick; 0 for none. */
export function timeOf({ startedAt }: RunState, tick: number): number {
  return tick === 0 ? 0 : startedAt + tick - 1;
}

/** Something that waits for the contents of files. */
export interface PendingRead {
  readonly paths: readonly string[];
  readonly resume: (turn: Turn, files: FilesRead["files"]) => void;
}

export function isSettled(status: StepStatus): boolean {
  return status !== "pending" && !isActive(status);
}

/** Under way. */
export function isActive(status: StepStatus): boolean {
  return status === "running" || status === "ready" || status === "waiting";
}

export function newRun(setup: RunSetup): RunState {
  return new RunState(setup);
}
