import { EXIT } from "./command.ts";

/** Ctrl-C: the first one asks for the end, the second one is the end. */
export class Interrupts {
  readonly #onFirst: () => void;
  count = 0;

  constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
    process.on("SIGINT", this.interrupt);
  }

  readonly interrupt = (): void => {
    this.count++;
    if (this.count === 1) this.#onFirst();
    else process.exit(EXIT.cancelled);
  };

  close(): void {
    process.off("SIGINT", this.interrupt);
  }
}
