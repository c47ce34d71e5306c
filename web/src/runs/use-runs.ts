/* The list of runs, kept up to date: changes come by subscription, the progress of those that run is asked for. */
import { useCallback, useEffect, useRef, useState } from "react";
import { noteConnection } from "../data/connection.ts";
import { ask } from "../data/graphql.ts";
import { subscribe } from "../data/subscription.ts";

export interface StepCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly running: number;
  readonly waiting: number;
}

export interface RunLine {
  readonly id: string;
  readonly plan: string | null;
  readonly dialect: string;
  readonly status: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly progress: StepCounts | null;
}

export interface RunFilters {
  readonly status: string;
  readonly search: string;
  /** Started at most so many hours ago; empty for all. */
  readonly hours: string;
}

const LINE =
  "id plan dialect status startedAt finishedAt progress { total completed failed notRun running waiting }";
const RUNS = `query Runs($after: String, $filter: RunFilter) {
  runs(first: 50, after: $after, filter: $filter) { nodes { ${LINE} } pageInfo { hasNextPage endCursor } }
}`;
const CHANGES = "subscription Changes { runsChanged { missed runs { id } } }";
/** Changes come in bursts: they are looked at together. */
const GATHER_MS = 250;
const PROGRESS_MS = 1_000;

interface Page {
  readonly runs: {
    readonly nodes: readonly RunLine[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

export interface RunsState {
  readonly runs: readonly RunLine[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

export function useRuns(filters: RunFilters): RunsState {
  const [state, setState] = useState<{
    readonly pages: readonly Page[];
    readonly key: string;
    readonly error?: unknown;
  }>({
    pages: [],
    key: "",
  });
  const key = JSON.stringify(filters);
  const pages = useRef(1);
  const turn = useRef(0);
  /** All pages that are shown, from the newest on. */
  const load = useCallback(async () => {
    const mine = ++turn.current;
    try {
      const loaded: Page[] = [];
      for (let after: string | null = null; loaded.length < pages.current; ) {
        const page: Page = await ask<Page>(RUNS, { after, filter: filterOf(JSON.parse(key) as RunFilters) });
        loaded.push(page);
        after = page.runs.pageInfo.endCursor;
        if (!page.runs.pageInfo.hasNextPage) break;
      }
      if (mine === turn.current) setState({ pages: loaded, key });
    } catch (error) {
      if (mine === turn.current) setState((before) => ({ ...before, key, error }));
    }
  }, [key]);
  useEffect(() => {
    pages.current = 1;
    void load();
  }, [load]);
  useChanges(load);
  const runs = state.pages.flatMap((page) => page.runs.nodes);
  const isAnyRunning = runs.some(({ status }) => status === "running");
  useEffect(() => {
    if (!isAnyRunning) return;
    const timer = setInterval(() => void load(), PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isAnyRunning, load]);
  const isEmpty = state.pages.length === 0;
  return {
    runs: isEmpty ? undefined : runs,
    error: isEmpty ? state.error : undefined,
    hasMore: state.pages.at(-1)?.runs.pageInfo.hasNextPage === true,
    loadMore: () => {
      pages.current++;
      void load();
    },
    reload: () => void load(),
  };
}

function useChanges(load: () => Promise<void>): void {
  useEffect(() => {
    const stream = {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasLost = false;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void load();
      }, GATHER_MS);
    };
    const stop = subscribe({
      query: CHANGES,
      onData: soon,
      onConnection: (isLost) => {
        noteConnection(stream, isLost);
        // What happened meanwhile was told to nobody.
        if (wasLost && !isLost) soon();
        wasLost = isLost;
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [load]);
}

function filterOf({ status, search, hours }: RunFilters): object {
  const from = Number(hours) > 0 ? new Date(Date.now() - Number(hours) * 3_600_000).toISOString() : undefined;
  return {
    ...(status !== "" && { status }),
    ...(search !== "" && { search }),
    ...(from !== undefined && { startedFrom: from }),
  };
}
