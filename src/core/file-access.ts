/*
 * References that mean a file's contents. The core reads nothing: an evaluation that meets a file it does not have notes the
 * path and goes on with a stand-in; the contents are then asked for, and the evaluation is done again. What was read is in the
 * journal, so that a replay sees the same.
 */
import { isList, type Json } from "../base/json.ts";
import type { FileMeaning } from "../ir/program.ts";
import type { FilesRead } from "./events.ts";
import { failure, type StepError, StepFailure } from "./step-error.ts";
import type { Turn } from "./turn.ts";

export class FileAccess {
  readonly contents = new Map<string, string>();
  readonly wanted = new Set<string>();
}

/** The contents of the file at a path, or of each file of a list; null stays null. */
export function readContents(path: Json | undefined, files: FileAccess | undefined): Json | undefined {
  if (path === undefined || path === null) return path;
  if (isList(path)) return path.map((item) => readContents(item, files) ?? null);
  if (typeof path !== "string") return undefined;
  const text = files?.contents.get(path);
  if (text === undefined) files?.wanted.add(path);
  return text ?? "";
}

export function fileAttribute(path: Json, meaning: Exclude<FileMeaning, "contents">): Json | undefined {
  if (path === null) return null;
  if (isList(path)) return path.map((item) => fileAttribute(item, meaning) ?? null);
  if (typeof path !== "string") return undefined;
  if (meaning === "path") return path;
  const slash = path.lastIndexOf("/");
  if (meaning === "file_name") return path.slice(slash + 1);
  return slash <= 0 ? "/" : path.slice(0, slash);
}

export type Outcome<T> = { readonly value: T } | { readonly error: StepError };

/**
 * Works something out and hands it to `then`, at once or after the files that it needs have been read. Both are given what it
 * is about, so that they need not be closures: this is done for every step.
 */
export function evaluateWithFiles<About, T>(
  turn: Turn,
  about: About,
  evaluate: Evaluate<About, T>,
  then: Then<About, T>,
): void {
  if (turn.state.program.files.size === 0) then(turn, about, attempt(turn, about, undefined, evaluate));
  else evaluateAgain(turn, about, new FileAccess(), evaluate, then);
}

type Evaluate<About, T> = (turn: Turn, about: About, files: FileAccess | undefined) => T;
type Then<About, T> = (turn: Turn, about: About, outcome: Outcome<T>) => void;

function evaluateAgain<About, T>(
  turn: Turn,
  about: About,
  files: FileAccess,
  evaluate: Evaluate<About, T>,
  then: Then<About, T>,
): void {
  files.wanted.clear();
  const outcome = attempt(turn, about, files, evaluate);
  if (files.wanted.size === 0) {
    then(turn, about, outcome);
    return;
  }
  const paths = [...files.wanted];
  const read = turn.state.nextRead++;
  turn.add({ kind: "ReadFiles", read, paths });
  const resume = (later: Turn, results: FilesRead["files"]): void => {
    for (const [i, result] of results.entries()) {
      if ("error" in result) {
        then(later, about, { error: result.error });
        return;
      }
      files.contents.set(paths[i] as string, result.text);
    }
    evaluateAgain(later, about, files, evaluate, then);
  };
  turn.state.reads.set(read, { paths, resume });
}

function attempt<About, T>(
  turn: Turn,
  about: About,
  files: FileAccess | undefined,
  evaluate: Evaluate<About, T>,
): Outcome<T> {
  try {
    return { value: evaluate(turn, about, files) };
  } catch (error) {
    return { error: evaluationError(error) };
  }
}

/** What was thrown while something was worked out, as the failure that it means; anything else is a mistake of ours. */
export function evaluationError(error: unknown): StepError {
  if (error instanceof StepFailure) return error.error;
  if (error instanceof RangeError)
    return failure("RuntimeResolutionError", "The value is too large or too deep.");
  throw error;
}
