/* What the page and its worker say to each other. */

import type { NodeState } from "../../graph/graph-model.ts";
import type { Path, Shown } from "../../json/shown.ts";
import type { ErrorRecord } from "./run-event.ts";
import type { Attempt } from "./run-model.ts";
import type { TimelineRow } from "./timeline.ts";

/** How the run stands at the event that is shown. */
export interface Overview {
  /** The number of the event that is shown, and of the last one there is. */
  readonly seq: number;
  readonly last: number;
  readonly isFollowing: boolean;
  readonly status: string;
  readonly error: ErrorRecord | undefined;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly now: number;
}

export type FromWorker =
  | {
      readonly kind: "overview";
      readonly overview: Overview;
      readonly states: readonly (readonly [string, NodeState])[];
      /** What was told before does not hold any more. */
      readonly isAnew: boolean;
    }
  | { readonly kind: "connection"; readonly isLost: boolean }
  | { readonly kind: "error"; readonly message: string; readonly code: string }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown; readonly problem?: string };

export type ToWorker =
  | { readonly kind: "open"; readonly runId: string; readonly plan: unknown }
  /** Shows the run after event number `seq`; undefined follows it. */
  | { readonly kind: "seek"; readonly seq: number | undefined }
  /** The run goes on after its end. */
  | { readonly kind: "follow" }
  | { readonly kind: "ask"; readonly id: number; readonly question: Question };

export type Question =
  | { readonly kind: "step"; readonly step: string }
  | {
      readonly kind: "items";
      readonly step: string;
      readonly status: string;
      readonly from: number;
      readonly count: number;
    }
  | { readonly kind: "inside"; readonly step: string }
  | { readonly kind: "events"; readonly text: string; readonly from: number; readonly count: number }
  | { readonly kind: "timeline" }
  | { readonly kind: "context" }
  | { readonly kind: "journal" }
  | { readonly kind: "load"; readonly value: ValueName; readonly path: Path; readonly from: number }
  | { readonly kind: "search"; readonly value: ValueName; readonly text: string }
  | { readonly kind: "text"; readonly value: ValueName; readonly path: Path };

/** A value that the worker keeps: a part of an event, or of a step as the server has it. */
export type ValueName =
  | { readonly of: "event"; readonly seq: number; readonly field?: string }
  | { readonly of: "step"; readonly step: string; readonly field: "arguments" | "result" };

export interface NamedValue {
  readonly name: ValueName;
  readonly root: Shown;
}

export interface StepDetail {
  readonly id: string;
  readonly status: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly reason: string | undefined;
  readonly error: ErrorRecord | undefined;
  readonly attempts: readonly Attempt[];
  readonly attemptsCount: number;
  readonly items: NodeState["items"];
  readonly arguments: NamedValue | undefined;
  readonly result: NamedValue | undefined;
  readonly said: readonly {
    readonly seq: number;
    readonly at: string;
    readonly text: string;
    readonly length: number;
  }[];
}

export interface ItemRow {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly durationMs: number | undefined;
  readonly message: string | undefined;
}

export interface EventRow {
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly step: string | null;
}

export interface ContextRow {
  readonly seq: number;
  readonly at: string;
  readonly name: string;
  readonly cause: string;
  readonly value: NamedValue;
}

/** What each question is answered with. */
export interface Answers {
  readonly step: StepDetail;
  readonly items: { readonly total: number; readonly rows: readonly ItemRow[] };
  readonly inside: readonly ItemRow[];
  readonly events: { readonly total: number; readonly rows: readonly EventRow[] };
  readonly timeline: readonly TimelineRow[];
  readonly context: readonly ContextRow[];
  readonly journal: Blob;
  readonly load: Shown;
  readonly search: readonly Path[];
  readonly text: string;
}
