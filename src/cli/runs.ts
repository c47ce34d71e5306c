import type { RunRecord } from "../drivers/driver.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB } from "./config.ts";
import type { Console } from "./console.ts";
import { formatDuration } from "./duration.ts";
import { findStore } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { statusPiece } from "./step-lines.ts";
import { lineWidth, type Piece, renderLine, type StyledLine } from "./styled-line.ts";

const STATUSES = ["running", "waiting", "completed", "failed", "cancelled", "partial_success"] as const;
const LIMIT = 100;

export const command: Command = {
  operands: "",
  about:
    "Lists the runs in the store, the newest first. Runs whose process is gone are marked: sequitur resume goes on with them.",
  options: [
    { name: "status", kind: "value", choices: STATUSES, about: "only runs with this status" },
    { name: "limit", kind: "value", value: "N", about: `at most so many; ${LIMIT}, if not given` },
    { name: "json", kind: "flag", about: "print a list and nothing else on standard output" },
    DB,
  ],
  run: runs,
};

async function runs(parsed: Parsed, console: Console): Promise<ExitCode> {
  const status = STATUSES.find((name) => name === parsed.value("status"));
  const limit = Number(parsed.value("limit") ?? LIMIT);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError("--limit is a number from 1.");
  const store = await findStore(parsed, console);
  const records = store?.driver.list({ ...(status && { status }), limit }) ?? [];
  const left = new Set(store?.driver.orphans() ?? []);
  store?.driver.close();
  const isLeft = (record: RunRecord) => record.status === "running" && left.has(record.id);
  if (parsed.flag("json")) {
    console.out(
      JSON.stringify(
        records.map((record) => jsonOf(record, isLeft(record))),
        null,
        2,
      ),
    );
  } else if (records.length === 0) {
    console.out(
      status === undefined ? "There are no runs yet. sequitur run FILE starts one." : `No run is ${status}.`,
    );
  } else {
    const rows = records.map((record) => rowOf(record, isLeft(record)));
    const lines = records.length === 1 ? table(rows) : [...table(rows), [["dim", summary(records)] as Piece]];
    console.out(lines.map((line) => renderLine(line, console.outColor)).join("\n"));
  }
  return EXIT.ok;
}

/** Runs by status, and how long those took that have ended. */
function summary(records: readonly RunRecord[]): string {
  const counts = new Map<string, number>();
  for (const { status } of records) counts.set(status, (counts.get(status) ?? 0) + 1);
  const times = records.flatMap((record) => {
    return record.finishedAt === undefined ? [] : [record.finishedAt - record.startedAt];
  });
  times.sort((a, b) => a - b);
  const middle = times[times.length >> 1];
  const took =
    middle === undefined
      ? ""
      : ` · half took up to ${formatDuration(middle)}, all up to ${formatDuration(times.at(-1) ?? middle)}`;
  return `${records.length} runs: ${[...counts].map(([status, count]) => `${count} ${status}`).join(", ")}${took}`;
}

function jsonOf(record: RunRecord, interrupted: boolean): unknown {
  const { id, name, dialect, status, startedAt, finishedAt } = record;
  return {
    id,
    name: name ?? null,
    dialect,
    status,
    ...(interrupted && { interrupted }),
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: finishedAt === undefined ? null : new Date(finishedAt).toISOString(),
  };
}

function rowOf(
  { id, name, dialect, status, startedAt, finishedAt }: RunRecord,
  interrupted: boolean,
): Piece[] {
  const ago = `${formatDuration(Date.now() - startedAt)} ago`;
  const took = finishedAt === undefined ? "" : `took ${formatDuration(finishedAt - startedAt)}`;
  const note: Piece = interrupted ? ["yellow", `interrupted: sequitur resume ${id}`] : ["dim", took];
  return [id, statusPiece(status), name ?? `(${dialect})`, ["dim", ago], note];
}

/** Columns as wide as what stands in them. */
function table(rows: readonly (readonly Piece[])[]): StyledLine[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => lineWidth([row[column] ?? ""]))),
  );
  return rows.map((row) =>
    row.flatMap((piece, column): Piece[] => [
      piece,
      " ".repeat((widths[column] ?? 0) - lineWidth([piece]) + 2),
    ]),
  );
}
