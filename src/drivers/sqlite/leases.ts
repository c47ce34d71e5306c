/*
 * Which runs are this process's. A lease lasts for a while and is renewed; a process that is gone loses its runs at once, one
 * that is only silent when its leases have run out.
 */
import type { Clock } from "../../base/clock.ts";
import { isGone, newOwner } from "./owner.ts";
import type { Statements } from "./statements.ts";
import type { Transactions } from "./transactions.ts";

/** A process that does not renew its leases for so long has lost its runs. */
export const LEASE_MS = 30_000;

/** A run's row, as far as leases look at it. */
export interface LeasedRow {
  readonly id: string;
  readonly key: number;
  readonly owner: string | null;
  readonly lease_until: number;
}

export class Leases {
  readonly owner = newOwner();
  readonly #sql: Statements;
  readonly #transactions: Transactions;
  readonly #clock: Clock;
  /** Keys of the runs that are ours. */
  readonly #keys = new Map<string, number>();
  /** Runs that are ours no more, although the store could not be told. */
  readonly #leftOver = new Set<string>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(sql: Statements, transactions: Transactions, clock: Clock) {
    this.#sql = sql;
    this.#transactions = transactions;
    this.#clock = clock;
  }

  get until(): number {
    return this.#clock.now() + LEASE_MS;
  }

  keyOf(runId: string): number | undefined {
    return this.#keys.get(runId);
  }

  isFree({ owner, lease_until }: LeasedRow): boolean {
    return owner === null || owner === this.owner || lease_until < this.#clock.now() || isGone(owner);
  }

  /** To be called inside a transaction, of a run that is free. */
  claim(row: LeasedRow): void {
    this.#sql.claim.run(this.owner, this.until, row.key);
    this.take(row.id, row.key);
  }

  /** The row says that the run is ours. */
  take(runId: string, key: number): void {
    this.#keys.set(runId, key);
    this.#leftOver.delete(runId);
    this.#transactions.onRollback(() => this.drop(runId));
    this.#timer ??= this.#renewals();
  }

  /** It is not ours any more, whatever the row says. */
  drop(runId: string): void {
    this.#keys.delete(runId);
    if (this.#keys.size === 0 && this.#leftOver.size === 0) this.stop();
  }

  /** Lets others have the run; where the store cannot be told now, it is told later. */
  release(runId: string): void {
    this.#leftOver.add(runId);
    this.#releaseLeftOver();
    this.drop(runId);
  }

  #releaseLeftOver(): void {
    try {
      for (const runId of this.#leftOver) {
        this.#sql.release.run(runId, this.owner);
        this.#leftOver.delete(runId);
      }
    } catch {
      // The store is locked, full or gone. The next renewal tries again; after a lease's time it is true anyway.
    }
  }

  /** Does not keep the process alive: a process that has nothing else to do has no runs under way. */
  #renewals(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => this.renew(), LEASE_MS / 3);
    timer.unref();
    return timer;
  }

  renew(): void {
    this.#releaseLeftOver();
    try {
      this.#sql.renew.run(this.until, this.owner);
    } catch {
      // The next append will say what is wrong with the store, and until then the lease has time.
    }
    if (this.#keys.size === 0 && this.#leftOver.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
