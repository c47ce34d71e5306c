/** How much of everything one server takes. All of them can be set with `serve --limits FILE`. */
export interface Limits {
  /** Of one request. */
  readonly bodyBytesMax: number;
  /** Characters of one query, and the lexical tokens in it. */
  readonly queryLengthMax: number;
  readonly queryTokensMax: number;
  readonly queryDepthMax: number;
  /** Fields, each counted as often as the lists around it can be long. */
  readonly queryCostMax: number;
  readonly aliasesMax: number;
  /** Of one page of a list. */
  readonly pageMax: number;
  /** Levels of one JSON value that a client sends. */
  readonly jsonDepthMax: number;
  readonly stepsMax: number;
  /** Items of one fan-out. */
  readonly itemsMax: number;
  /** Runs under way at once, for one token and altogether; more of them wait in the queue. */
  readonly runsPerTokenMax: number;
  readonly runsMax: number;
  readonly queueMax: number;
  /** Runs that have not ended, those that wait for people included, for one token. */
  readonly openRunsPerTokenMax: number;
  readonly subscriptionsPerTokenMax: number;
  readonly subscriptionsMax: number;
  /** Time to send a request, from its first byte to its last. */
  readonly requestMs: number;
  /** Time that `executePlan` waits for the run to end. */
  readonly executeMs: number;
  /** A stream that cannot be written to for so long is closed; one that can ends after its lifetime, to be taken up again. */
  readonly streamIdleMs: number;
  readonly streamMs: number;
  /** Time that steps have to end when the server stops. */
  readonly drainMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytesMax: 4 * 1024 * 1024,
  queryLengthMax: 16_384,
  queryTokensMax: 4_000,
  queryDepthMax: 15,
  queryCostMax: 20_000,
  aliasesMax: 30,
  pageMax: 1_000,
  jsonDepthMax: 200,
  stepsMax: 10_000,
  itemsMax: 100_000,
  runsPerTokenMax: 100,
  runsMax: 1_000,
  queueMax: 1_000,
  openRunsPerTokenMax: 10_000,
  subscriptionsPerTokenMax: 100,
  subscriptionsMax: 1_000,
  requestMs: 30_000,
  executeMs: 300_000,
  streamIdleMs: 60_000,
  streamMs: 60 * 60 * 1000,
  drainMs: 10_000,
};
