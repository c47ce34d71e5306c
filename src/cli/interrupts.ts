import { EXIT } from "./command.ts";

/** Ctrl-C: the first one asks for the end, the second one is the end. */
export class Interrupts {
  readonly #onFirst: () => void;
  count = 0;

  constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
    process.on("SIGINT", this.interrupt);
    process.on("SIGTERM", this.#terminate);
  }

  readonly interrupt = (): void => {
    this.count++;
    if (this.count === 1) this.#onFirst();
    else process.exit(EXIT.cancelled);
  };

  /** As without a handler, except that the terminal is put in order. The run can be resumed. */
  readonly #terminate = (): void => process.exit(128 + 15);

  close(): void {
    process.off("SIGINT", this.interrupt);
    process.off("SIGTERM", this.#terminate);
  }
}
