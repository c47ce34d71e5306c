/*
 * Keeps a run's events, and tells the page no more than it shows: the page stays quick however long the run is, and however
 * large its values.
 */
import type { Outline } from "../../../../src/compiler.ts";
import { ApiError } from "../../data/graphql.ts";
import { subscribe } from "../../data/subscription.ts";
import type { NodeState } from "../../graph/graph-model.ts";
import { Answerer } from "./answers.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { isInItem, type RunEvent } from "./run-event.ts";
import { RunHistory } from "./run-history.ts";
import type { StepModel } from "./run-model.ts";

const HISTORY = `subscription History($id: ID!, $after: Int) {
  runHistory(id: $id, after: $after) { seq kind at step data }
}`;

/** So often, at most, the page is told how the run stands. */
const TELL_MS = 80;
/** While a long history is being read it is told how far that has come, which it need not know so exactly. */
const TELL_READING_MS = 1_000;
const PAGE_FULL = 1_000;

let history: RunHistory | undefined;
let answerer: Answerer | undefined;
let stop: () => void = () => {};
let runId = "";
let telling: { readonly timer: ReturnType<typeof setTimeout>; readonly ms: number } | undefined;

const tell = (message: FromWorker): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "open") open(data.runId, data.plan as Outline);
  else if (data.kind === "follow") follow();
  else if (data.kind === "seek") seek(data.seq);
  else void answer(data);
};

function open(id: string, plan: Outline): void {
  runId = id;
  history = new RunHistory(plan);
  answerer = new Answerer(id, history);
  follow();
}

function follow(): void {
  stop();
  const known = history;
  if (known === undefined) return;
  let wasOver = known.isOver;
  stop = subscribe<{ runHistory: readonly RunEvent[] }>({
    query: HISTORY,
    variables: () => ({ id: runId, after: known.last }),
    onData: ({ runHistory }) => {
      wasOver = false;
      known.add(runHistory);
      tellSoon(runHistory.length < PAGE_FULL ? TELL_MS : TELL_READING_MS);
    },
    isOver: () => known.isOver && !wasOver,
    onConnection: (isLost) => tell({ kind: "connection", isLost }),
    onError: (error) =>
      tell({ kind: "error", message: error.message, code: error instanceof ApiError ? error.code : "" }),
  });
}

function seek(seq: number | undefined): void {
  if (history === undefined) return;
  const isAnew = history.seek(seq);
  if (isAnew) for (const id of history.model.steps.keys()) history.model.changed.add(id);
  tellNow(isAnew);
}

function tellSoon(ms: number): void {
  if (telling !== undefined && ms >= telling.ms) return;
  clearTimeout(telling?.timer);
  const timer = setTimeout(() => {
    telling = undefined;
    tellNow(false);
  }, ms);
  telling = { timer, ms };
}

function tellNow(isAnew: boolean): void {
  if (history === undefined) return;
  const { model, last, target } = history;
  const states: [string, NodeState][] = [];
  for (const id of model.changed) if (!isInItem(id)) states.push([id, stateOf(model.step(id))]);
  model.changed.clear();
  const { seq, status, error, startedAt, finishedAt, now } = model;
  const isFollowing = target === undefined;
  const overview = { seq, last, isFollowing, status, error, startedAt, finishedAt, now };
  tell({ kind: "overview", overview, states, isAnew });
}

function stateOf({ status, attempts, items }: StepModel): NodeState {
  return { status, attempts: attempts.length, ...(items !== undefined && { items: { ...items } }) };
}

async function answer({ id, question }: Extract<ToWorker, { kind: "ask" }>): Promise<void> {
  try {
    tell({ kind: "answer", id, value: await answerer?.answer(question) });
  } catch (error) {
    tell({
      kind: "answer",
      id,
      value: undefined,
      problem: error instanceof Error ? error.message : String(error),
    });
  }
}
