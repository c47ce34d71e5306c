import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/*
 * Who has a run: a process, named so that others on the same machine can tell whether it still lives, even when its number has
 * been given to another one since.
 */
const separator = "\u0001";

/** `host, pid, when it began`; engines of one process are told apart by a number. */
let engines = 0;
export function newOwner(): string {
  engines++;
  return [hostname(), process.pid, startOf(process.pid) ?? "?", engines].join(separator);
}

/** True where the owner is a process of this machine that is gone. Of other machines only their lease can tell. */
export function isGone(owner: string): boolean {
  const [host, pid, start] = owner.split(separator);
  if (host !== hostname() || pid === undefined) return false;
  const number = Number(pid);
  if (!isAlive(number)) return true;
  const now = startOf(number);
  return now !== undefined && start !== "?" && now !== start;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The time a process began, in clock ticks since boot; undefined where the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
