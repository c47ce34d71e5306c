import { readFileSync } from "node:fs";
import { UsageError } from "./command.ts";

/** The text of a file that the user has named. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${(error as Error).message}`);
  }
}
