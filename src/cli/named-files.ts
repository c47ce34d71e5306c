/* Files and folders that the user has named. */
import { readFileSync, statSync } from "node:fs";
import { UsageError } from "./command.ts";

export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${(error as Error).message}`);
  }
}

/** What cannot be looked at is none; why, whoever reads it will say. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
