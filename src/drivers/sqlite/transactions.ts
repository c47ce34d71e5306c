import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SequiturError } from "../../base/error.ts";

/** Transactions on one connection. One inside another is part of it. */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #explain: (error: unknown) => SequiturError;
  #undo: (() => void)[] | undefined;

  constructor(database: DatabaseSync, explain: (error: unknown) => SequiturError) {
    this.#database = database;
    // At once, so that what is read in a transaction is still true when it is written.
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#explain = explain;
  }

  get isOpen(): boolean {
    return this.#undo !== undefined;
  }

  /** Everything that `work` writes is committed as one, or not at all. */
  together(work: () => void): void {
    if (this.#undo !== undefined) {
      work();
      return;
    }
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      this.#begin.run();
      work();
      this.#commit.run();
    } catch (error) {
      for (const step of undo.reverse()) step();
      this.#rollBack();
      throw this.#explain(error);
    } finally {
      this.#undo = undefined;
    }
  }

  /** What this process remembers of a transaction goes when the transaction does. */
  onRollback(undo: () => void): void {
    this.#undo?.push(undo);
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // The first error says more, and without a commit nothing was written.
    }
  }
}
