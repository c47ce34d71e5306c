/* Steps as lines: `✓ fetch_data   12 ms`. */
import type { ItemCounts, StepProgress } from "../index.ts";
import { formatDuration } from "./duration.ts";
import { lineWidth, type Piece, type Style, type StyledLine } from "./styled-line.ts";

type Status = StepProgress["status"];

export interface StepRow {
  readonly depth: number;
  readonly step: StepProgress;
}

/** How the lines of a tree are laid out. */
export interface Layout {
  readonly nowMs: number;
  /** Turns the wheel of steps that run. */
  readonly tick: number;
  readonly nameWidth: number;
}

const SYMBOLS: Readonly<Record<Status, readonly [Style, string]>> = {
  pending: ["dim", "·"],
  ready: ["dim", "·"],
  running: ["cyan", "▸"],
  waiting: ["yellow", "◔"],
  completed: ["green", "✓"],
  failed: ["red", "✗"],
  skipped: ["dim", "-"],
  blocked: ["yellow", "⊘"],
  cancelled: ["yellow", "⊘"],
};
const WHEEL = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const TIME_WIDTH = 11;
const BAR_CELLS = 10;

/** A tree of steps, one below the other. What `isFolded` holds for hides what is inside of it. */
export function rowsOf(
  steps: readonly StepProgress[],
  isFolded: (step: StepProgress) => boolean = () => false,
  depth = 0,
): StepRow[] {
  return steps.flatMap((step) => {
    const inside = isFolded(step) ? [] : rowsOf(step.steps, isFolded, depth + 1);
    return [{ depth, step }, ...inside];
  });
}

/** The names get what they need, but never so much that the times do not fit. */
export function nameWidthOf(rows: readonly StepRow[], columns: number): number {
  const wanted = rows.reduce(
    (width, { depth, step }) => Math.max(width, depth * 2 + lineWidth([step.name])),
    0,
  );
  return Math.min(wanted, Math.max(8, columns - TIME_WIDTH - 4));
}

export function rowLine({ depth, step }: StepRow, layout: Layout): StyledLine {
  const indent = depth * 2;
  const time = timeOf(step, layout.nowMs);
  const pad = " ".repeat(Math.max(0, layout.nameWidth - indent - lineWidth([step.name])));
  const notes = notesOf(step);
  const rest: Piece[] =
    time === "" && notes.length === 0 ? [] : [pad, ["dim", time.padStart(TIME_WIDTH)], ...notes];
  const name: Piece = isOpen(step.status) && step.status !== "running" ? ["dim", step.name] : step.name;
  return [" ".repeat(indent + 2), symbolOf(step.status, layout.tick), " ", name, ...rest];
}

/** The same for output that is read later: the whole id, nothing aligned, nothing that moves. */
export function settledLine(step: StepProgress): StyledLine {
  const time = timeOf(step, step.finishedAt);
  return [SYMBOLS[step.status], ` ${step.id}`, ["dim", time === "" ? "" : ` ${time}`], ...notesOf(step)];
}

function symbolOf(status: Status, tick: number): Piece {
  return status === "running" ? ["cyan", WHEEL[tick % WHEEL.length] ?? "▸"] : SYMBOLS[status];
}

export function statusPiece(status: string): Piece {
  const known = Object.hasOwn(SYMBOLS, status) ? SYMBOLS[status as Status] : undefined;
  const [style, symbol] = known ?? ["yellow", "!"];
  return [style, `${symbol} ${status.replace("_", " ")}`];
}

export function isOpen(status: Status): boolean {
  return status === "pending" || status === "ready" || status === "running" || status === "waiting";
}

function timeOf({ status, startedAt, finishedAt }: StepProgress, nowMs: number): string {
  if (startedAt === 0 || status === "pending" || status === "ready") return "";
  return formatDuration((finishedAt > 0 ? finishedAt : nowMs) - startedAt);
}

function notesOf(step: StepProgress): Piece[] {
  const notes: Piece[] = [];
  if (step.items !== undefined) notes.push("  ", ...itemPieces(step.items, isOpen(step.status)));
  const attempts = attemptsOf(step);
  if (attempts !== "") notes.push(["yellow", `  ${attempts}`]);
  if (step.error !== undefined && step.status === "failed") notes.push(["red", `  ${step.error.message}`]);
  else if (step.reason !== undefined) notes.push(["dim", `  ${step.status}: ${step.reason}`]);
  return notes;
}

function attemptsOf({ attempts, attemptsMax, status }: StepProgress): string {
  if (attempts < 2) return "";
  if (attempts > attemptsMax) return `${attempts} calls`;
  return isOpen(status) ? `attempt ${attempts} of ${attemptsMax}` : `${attempts} attempts`;
}

function itemPieces({ total, done, failed }: ItemCounts, open: boolean): Piece[] {
  const count = open || done < total ? `${done}/${total}` : `${total} item${total === 1 ? "" : "s"}`;
  const lost: Piece[] = failed > 0 ? [["red", ` ${failed} failed`]] : [];
  if (!open) return [["dim", count], ...lost];
  const full = total === 0 ? BAR_CELLS : Math.floor((done / total) * BAR_CELLS);
  return [["green", "━".repeat(full)], ["dim", "─".repeat(BAR_CELLS - full)], ` ${count}`, ...lost];
}
