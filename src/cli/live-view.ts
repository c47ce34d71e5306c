/*
 * Progress on a terminal: the tree of steps, drawn over itself.
 *
 * I1  Between two calls the cursor stands at the beginning of the line below what was drawn.
 * I2  The cursor is hidden only between `start` and `stop`, and is shown again however the process ends.
 */
import type { StepProgress } from "../index.ts";
import type { Console, Screen } from "./console.ts";
import type { ProgressView } from "./progress-view.ts";
import { isOpen, nameWidthOf, rowLine, rowsOf, type StepRow } from "./step-lines.ts";
import { lineWidth, renderLine, type StyledLine } from "./styled-line.ts";

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const REDRAW_MS = 80;
/** Lines of the terminal that are left free. */
const MARGIN = 2;
/** A tree that is longer than that is printed at the end without what is inside of composites that went well. */
const FINAL_ROWS_MAX = 60;

export class LiveView implements ProgressView {
  readonly #screen: Screen;
  readonly #console: Console;
  #steps: () => readonly StepProgress[] = () => [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #restoreStreams: () => void = () => {};
  #drawn: readonly StyledLine[] = [];
  #tick = 0;

  constructor(screen: Screen, console: Console) {
    this.#screen = screen;
    this.#console = console;
  }

  start(steps: () => readonly StepProgress[]): void {
    this.#steps = steps;
    process.on("exit", this.#showCursor);
    this.#restoreStreams = this.#console.divert((text) => this.#printAbove(text));
    this.#screen.write(HIDE_CURSOR);
    this.#timer = setInterval(() => this.#redraw(), REDRAW_MS);
    this.#redraw();
  }

  /** Leaves the tree as it is now, whole; or takes it away, where it will be drawn again. */
  stop(keep: boolean): void {
    clearInterval(this.#timer);
    this.#restoreStreams();
    this.#draw(keep ? this.#finalLines() : []);
    this.#drawn = [];
    this.#showCursor();
    process.off("exit", this.#showCursor);
  }

  readonly #showCursor = (): void => this.#screen.write(SHOW_CURSOR);

  #redraw(): void {
    this.#tick++;
    const rows = rowsOf(this.#steps(), (step) => step.status === "completed");
    this.#draw(this.#windowOf(rows, Math.max(1, this.#screen.rows - MARGIN)));
  }

  #finalLines(): StyledLine[] {
    const steps = this.#steps();
    const all = rowsOf(steps);
    const rows = all.length <= FINAL_ROWS_MAX ? all : rowsOf(steps, (step) => step.status === "completed");
    return this.#linesOf(rows, rows);
  }

  #linesOf(rows: readonly StepRow[], all: readonly StepRow[]): StyledLine[] {
    const nameWidth = nameWidthOf(all, this.#screen.columns);
    const layout = { nowMs: Date.now(), tick: this.#tick, nameWidth };
    return rows.map((row) => rowLine(row, layout));
  }

  /** As many lines as fit, around what is under way, and counts of those above and below. */
  #windowOf(rows: readonly StepRow[], height: number): StyledLine[] {
    if (rows.length <= height) return this.#linesOf(rows, rows);
    // In a terminal of a few lines there is no room for counts.
    const isTiny = height < 4;
    const room = isTiny ? height : height - 2;
    const active = rows.findIndex(({ step }) => isOpen(step.status));
    const from = Math.max(0, Math.min(active < 0 ? rows.length : active - 1, rows.length - room));
    const below = rows.length - from - room;
    const more = (count: number, where: string): StyledLine[] =>
      count > 0 && !isTiny ? [[["dim", `    … ${count} ${where}`]]] : [];
    return [
      ...more(from, "above"),
      ...this.#linesOf(rows.slice(from, from + room), rows),
      ...more(below, "below"),
    ];
  }

  /** Something else was printed: it belongs above the tree, which follows again below it. */
  #printAbove(text: string): void {
    const lines = this.#drawn;
    this.#draw([]);
    this.#screen.write(text.endsWith("\n") ? text : `${text}\n`);
    this.#draw(lines);
  }

  #draw(lines: readonly StyledLine[]): void {
    const { columns, color } = this.#screen;
    const up = this.#drawn.reduce((height, line) => height + rowsTaken(line, columns), 0);
    // One column stays free: a full line would wrap in some terminals.
    const text = lines.map((line) => `${renderLine(line, color, columns - 1)}${CLEAR_LINE}\n`).join("");
    this.#screen.write(`${up > 0 ? `\u001b[${up}A` : ""}\r${text}${CLEAR_BELOW}`);
    this.#drawn = lines.map((line) => fitted(line, columns - 1));
  }
}

/** A terminal that became narrower has wrapped what was drawn. */
function rowsTaken(line: StyledLine, columns: number): number {
  return Math.max(1, Math.ceil(lineWidth(line) / columns));
}

function fitted(line: StyledLine, columns: number): StyledLine {
  return lineWidth(line) <= columns ? line : [renderLine(line, false, columns)];
}
