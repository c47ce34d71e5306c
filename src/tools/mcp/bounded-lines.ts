/** A line that was too long, of which only the ends are known. */
export interface LongLine {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

const ENDS_BYTES = 512;
const NEWLINE = 0x0a;

/** Cuts a stream into lines. A line that is longer than the limit is counted and let go, but for its ends. */
export class BoundedLines {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #length = 0;
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The length of the line that has not ended. */
  get pending(): number {
    return this.#length;
  }

  *push(chunk: Buffer): Generator<string | LongLine> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, end));
      yield this.#take();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#head === undefined && this.#length <= this.#bytesMax) {
      this.#parts.push(part);
      return;
    }
    if (this.#head === undefined) {
      const known = Buffer.concat(this.#parts);
      this.#head = Buffer.concat([known.subarray(0, ENDS_BYTES), part]).subarray(0, ENDS_BYTES);
      this.#parts = [];
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-ENDS_BYTES)]).subarray(-ENDS_BYTES));
  }

  #take(): string | LongLine {
    const line =
      this.#head === undefined
        ? Buffer.concat(this.#parts).toString("utf8").replace(/\r$/, "")
        : { head: this.#head.toString("utf8"), tail: this.#tail.toString("utf8"), bytes: this.#length };
    this.#parts = [];
    this.#length = 0;
    this.#head = undefined;
    this.#tail = Buffer.alloc(0);
    return line;
  }
}
