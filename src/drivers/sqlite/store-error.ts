import { SequiturError } from "../../base/error.ts";

/** What SQLite or the file system says: its words, a code of ours, and what helps. */
const WORDS: readonly (readonly [RegExp, string, string])[] = [
  [
    /disk is full|ENOSPC|EDQUOT/i,
    "STORE_FULL",
    "The disk is full. Make room and resume the run: everything recorded so far is safe.",
  ],
  [
    /readonly|read-only|EROFS/i,
    "STORE_READ_ONLY",
    "The file, or its folder, cannot be written to. What is in it can be read, but no run can be carried out on it.",
  ],
  [
    /locked|busy/i,
    "STORE_LOCKED",
    "Another process has kept it locked for too long. Is a transaction left open somewhere, as in a sqlite3 shell?",
  ],
  [
    /malformed|not a database|corrupt/i,
    "STORE_DAMAGED",
    "It is damaged, or is no database at all. Nothing has been changed in it. Move it away to begin anew; `sqlite3 FILE .recover` saves what can be read.",
  ],
  [/not open|has been finalized/i, "STORE_CLOSED", "It has been closed."],
  [
    /unable to open|no such file|EACCES|EPERM|ENOENT|ENOTDIR|EISDIR|EEXIST/i,
    "STORE_UNREADABLE",
    "It cannot be opened. Is the path right, and may you read and write there?",
  ],
  [
    /too big|Invalid string length/i,
    "EVENT_TOO_LARGE",
    "A result is too large to be recorded. Let the tool write it to a file and give its path.",
  ],
];

export function storeError(error: unknown, file: string): SequiturError {
  if (error instanceof SequiturError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [, code, help] = WORDS.find(([pattern]) => pattern.test(message)) ?? [
    undefined,
    "STORE_FAILED",
    message,
  ];
  return new SequiturError(code, `The database "${file}": ${help}`, { cause: error });
}
