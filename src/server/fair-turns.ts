/*
 * Requests in small helpings. Node accepts one new connection in each turn of its event loop, and handles in the same turn
 * everything that has arrived on the others: where there is much of that, those who come new would wait for very long. So only
 * so many requests begin in one turn; the rest begin in the next ones, the longest waiting first.
 */
const HELPING = 4;

export class FairTurns {
  #begun = 0;
  #isCounting = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when the request may begin, at once where few have begun in this turn. */
  begin(): Promise<void> | undefined {
    this.#count();
    if (this.#begun < HELPING) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(() => {
      this.#isCounting = false;
      const next = this.#waiting.splice(0, HELPING);
      this.#begun = next.length;
      for (const resolve of next) resolve();
      if (next.length > 0) this.#count();
    });
  }
}
