import type { StepError } from "../core/step-error.ts";
import { failure } from "../core/step-error.ts";

/** Reads contents for references that mean them, with the access that the run was given. */
export interface FileReader {
  read(paths: readonly string[]): Promise<({ readonly text: string } | { readonly error: StepError })[]>;
}

/** An engine without a file store. */
export const noFiles: FileReader = {
  async read(paths) {
    const message = "This engine has no file store: give createEngine({ files: { root } }).";
    return paths.map(() => ({ error: failure("FileAccessError", message) }));
  },
};
