import { failure, type StepError } from "../core/step-error.ts";
import { FileAccessError } from "../files/file-access-error.ts";
import type { RunFiles } from "../files/granted-files.ts";

export type FileContents = { readonly text: string } | { readonly error: StepError };

/** How many files of one request are read at once. */
const AT_ONCE = 16;

/** The contents for references that mean them, in order. What cannot be read is an error in its place; nothing is thrown. */
export async function readFiles(files: RunFiles, paths: readonly string[]): Promise<FileContents[]> {
  const results: FileContents[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    results.push(...(await Promise.all(paths.slice(at, at + AT_ONCE).map((path) => readOne(files, path)))));
  }
  return results;
}

async function readOne(files: RunFiles, path: string): Promise<FileContents> {
  try {
    return { text: await files.readText(path) };
  } catch (error) {
    const message = error instanceof FileAccessError ? error.message : "The file could not be read.";
    // The reference could not be resolved; that its reason is access is for the message to say.
    return { error: failure("RuntimeResolutionError", message) };
  }
}

export const NO_STORE =
  "This engine has no file store: give createEngine({ files: { root: DIR } }), or --files DIR on the command line.";

const refuse = async (): Promise<never> => {
  throw new FileAccessError(NO_STORE);
};

/** The files of an engine without a file store. */
export const noFiles: RunFiles = {
  readText: refuse,
  readBytes: refuse,
  write: refuse,
  list: refuse,
  describe: refuse,
};
