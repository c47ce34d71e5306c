/* The page's side of the run's worker: what it has been told, for components to listen to, and questions. */
import type { Outline } from "../../../src/compiler.ts";
import { noteConnection } from "../data/connection.ts";
import { askForToken } from "../data/session.ts";
import type { NodeStates } from "../graph/graph-actions.ts";
import type { NodeState } from "../graph/graph-model.ts";
import type { JsonSource } from "../json/json-source.ts";
import type { Answers, FromWorker, NamedValue, Overview, Question, ToWorker } from "./worker/messages.ts";

export class RunClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  readonly #states = new Map<string, NodeState>();
  readonly #listeners = new Set<() => void>();
  #nextId = 1;
  #overview: Overview | undefined;
  #problem: string | undefined;

  constructor(runId: string, plan: Outline) {
    this.#worker = new Worker(new URL("./worker/run-worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    this.#post({ kind: "open", runId, plan });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly overview = (): Overview | undefined => this.#overview;
  readonly problem = (): string | undefined => this.#problem;
  readonly states: NodeStates = {
    get: (id) => this.#states.get(id) ?? (this.#overview === undefined ? undefined : PENDING),
    subscribe: this.subscribe,
  };

  seek(seq: number | undefined): void {
    this.#post({ kind: "seek", seq });
  }

  /** Listens on, after the run has been resumed. */
  follow(): void {
    this.#post({ kind: "follow" });
  }

  ask<Q extends Question>(question: Q): Promise<Answers[Q["kind"]]> {
    const id = this.#nextId++;
    this.#post({ kind: "ask", id, question });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** A value that the worker keeps, for a tree. */
  source({ name, root }: NamedValue): JsonSource {
    return {
      root,
      load: (path, from) => this.ask({ kind: "load", value: name, path, from }),
      search: (text) => this.ask({ kind: "search", value: name, text }),
      text: (path) => this.ask({ kind: "text", value: name, path }),
    };
  }

  close(): void {
    noteConnection(this, false);
    this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    if (message.kind === "answer") this.#settle(message);
    else if (message.kind === "connection") noteConnection(this, message.isLost);
    else {
      if (message.kind === "error") {
        this.#problem = message.message;
        if (message.code === "UNAUTHENTICATED") askForToken();
      } else {
        if (message.isAnew) this.#states.clear();
        for (const [id, state] of message.states) this.#states.set(id, state);
        this.#overview = message.overview;
      }
      for (const listener of this.#listeners) listener();
    }
  }

  #settle({ id, value, problem }: Extract<FromWorker, { kind: "answer" }>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (problem === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(problem));
  }
}

const PENDING: NodeState = { status: "pending" };
