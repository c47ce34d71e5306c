/*
 * The program: what every plan becomes, whatever language it was written in. From here on nothing knows about languages.
 *
 * I1  blocks[0] is the plan; every composite agent is one more block, shared by all that call it.
 * I2  Steps of a block are numbered as written; references and edges speak of these numbers.
 * I3  A program exists only when no error was found: its graph has no cycle and every number in it is in range.
 */
import type { Json } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Place } from "../source/place.ts";
import type { Condition } from "./condition.ts";
import type { ContextDeclarations } from "./context-declarations.ts";
import type { Graph } from "./graph.ts";
import type { Signature } from "./signature.ts";
import type { Template } from "./template.ts";
import type { Transform } from "./transform.ts";

export interface Program {
  readonly version: 1;
  readonly dialect: DialectName;
  readonly name: string | undefined;
  readonly requestId: string | undefined;
  readonly blocks: readonly [Block, ...Block[]];
  readonly questions: readonly Question[];
  readonly context: ContextDeclarations | undefined;
  readonly origin: Origin;
  /** References to files that are more than a lookup, with what they mean. */
  readonly files: ReadonlyMap<Reference, FileMeaning>;
  /** Arguments may hold secrets. */
  readonly namesSecrets: boolean;
}

/** What a program was compiled from: enough to compile it again in another process. */
export interface Origin {
  readonly plan: Json;
  readonly file: string | undefined;
  readonly dialect: DialectName | undefined;
  /** The definitions that the plan uses, by path. */
  readonly agents: Readonly<Record<string, Json>>;
  /** Texts of files that the plan names, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly contextVariables: Json | undefined;
}

/** What a reference to a file stands for where it does not just pass the path on. */
export type FileMeaning = "contents" | "path" | "file_name" | "parent_directory";

/** For people and for choosing the shape of a result; the scheduler never looks at it. */
export type DialectName = "agent" | "steps" | "actions";

/** Steps that are scheduled together: a plan, or the inside of a composite agent. */
export interface Block {
  /** The agent's path; empty for a plan that has none. */
  readonly name: string;
  readonly signature: Signature | undefined;
  readonly steps: readonly Step[];
  readonly graph: Graph;
  /** The response map. */
  readonly response: Template | undefined;
  readonly rules: Rules;
  readonly place: Place;
  /** Its steps refer to results of steps and to answers, and to nothing else, and name no secrets. */
  readonly isPlain?: boolean;
}

export interface Step {
  readonly index: number;
  readonly id: string;
  readonly place: Place;
  readonly intent: string | undefined;
  readonly call: Call;
  readonly arguments: Template;
  readonly conditions: Condition | undefined;
  readonly fanOut: FanOut | undefined;
  /** The step's own; those of the called agent's definition are in its signature and lie closer to it. */
  readonly transformArguments: Transform | undefined;
  readonly transformResults: Transform | undefined;
  /** The steps this one waits for, each once for each mode. */
  readonly needs: readonly Need[];
  readonly policy: Policy;
  readonly repeat: Repeat | undefined;
  readonly requiresConfirmation: boolean;
}

export type Call =
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly agent: string;
      readonly signature: Signature | undefined;
    }
  /** An agent whose definition is not at hand; only a check that was given no agents has these. */
  | { readonly kind: "unknown"; readonly agent: string; readonly signature: undefined }
  | { readonly kind: "block"; readonly block: number; readonly agent: string; readonly signature: Signature };

/**
 * Why a step waits for another one:
 *   data       it uses the other's result
 *   outcome    it looks at how the other ended
 *   handles    it looks at how the other ended in its conditions: it is a handler of the other's failure
 *   succeeded  it wants the other to have succeeded
 *   settled    it wants the other to have ended, however that was
 *   order      the plan says so and nothing flows
 */
export type NeedMode = "data" | "outcome" | "handles" | "succeeded" | "settled" | "order";

export interface Need {
  readonly step: number;
  readonly mode: NeedMode;
}

export interface FanOut {
  readonly over: Template;
  readonly argument: string;
  readonly concurrencyMax: number | undefined;
  readonly onError: "fail" | "collect";
}

export interface Repeat {
  readonly until: Condition;
  readonly turnsMax: number;
}

export interface Policy {
  readonly retries: number;
  readonly backoff: Backoff;
  readonly timeoutMs: number | undefined;
  readonly optional: boolean;
  /** Undefined: as the tool says. */
  readonly placement?: Placement | undefined;
}

/** Where a cluster calls a tool: by the worker that carries out the run, or by any worker, for what is heavy. */
export type Placement = "inline" | "anywhere";

export interface Backoff {
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
  readonly jitter: boolean;
}

export const DEFAULT_BACKOFF: Backoff = { baseMs: 100, factor: 2, capMs: 10_000, jitter: true };
export const DEFAULT_POLICY: Policy = {
  retries: 0,
  backoff: DEFAULT_BACKOFF,
  timeoutMs: undefined,
  optional: false,
};

/** Where the languages differ in what a run does. */
export interface Rules {
  /** A step that needs one that failed: does it end as `blocked`, or fail itself? */
  readonly failedNeed: "block" | "fail";
  /** What a reference to a failed optional step gives: null, or the same as any failed step. */
  readonly failedOptional: "null" | "failed";
  /** A null that comes from a skipped step, as the whole of a required argument, skips this step, too. */
  readonly nullSkips: boolean;
  /** What a path that leads nowhere is called in the error's message. */
  readonly missing: "reference" | "data";
}

/** Something a person is asked before the run goes on. */
export interface Question {
  readonly name: string;
  readonly stepIds: readonly string[];
  readonly schema: Json | undefined;
  readonly description: string | undefined;
}
