import type * as Readline from "node:readline";
import type { Screen } from "./console.ts";

/** Reads lines that a person types. What is typed ahead waits for the next question. */
export class LineReader {
  readonly #screen: Screen;
  readonly #interface: Readline.Interface;
  readonly #lines: string[] = [];
  #isClosed = false;
  #wake: () => void = () => {};

  /** `onInterrupt`: Ctrl-C, which a terminal that reads lines does not turn into a signal. */
  constructor(screen: Screen, onInterrupt: () => void) {
    this.#screen = screen;
    const output = screen.stream === "out" ? process.stdout : process.stderr;
    // Loaded when somebody is asked: a run that asks nothing starts faster without it.
    const { createInterface } = process.getBuiltinModule("node:readline") as typeof Readline;
    this.#interface = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    this.#interface.on("line", (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#interface.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
    this.#interface.on("SIGINT", () => {
      onInterrupt();
      this.#interface.close();
    });
  }

  /** The next line; undefined at the end of the input (Ctrl-D) and after Ctrl-C. */
  async ask(prompt: string): Promise<string | undefined> {
    if (this.#isClosed) return this.#lines.shift();
    this.#interface.setPrompt(prompt);
    this.#interface.prompt();
    while (this.#lines.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const line = this.#lines.shift();
    if (line === undefined) this.#screen.write("\n");
    return line;
  }

  close(): void {
    this.#interface.close();
  }
}
