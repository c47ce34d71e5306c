/*
 * Who has a run: a process, named so that others on the same machine can tell whether it still lives, even when its number has
 * been given to another one since, or the machine has been started again.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { randomBits } from "../chance.ts";

const UNKNOWN = "?";
const BOOT = told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
const PID_NAMESPACE = told(() => readlinkSync("/proc/self/ns/pid"));

/** `machine boot namespace pid start chance`; the last one tells engines of one process apart. */
export function newOwner(): string {
  const { pid } = process;
  const chance = randomBits().toString(36) + randomBits().toString(36);
  return [hostname(), BOOT, PID_NAMESPACE, pid, startOf(pid), chance].join(" ");
}

/** True where the owner is a process of this machine that is gone. Of other machines only their lease can tell. */
export function isGone(owner: string): boolean {
  const [machine, boot, namespace, pid, start] = owner.split(" ");
  if (machine !== hostname()) return false;
  // A database in WAL mode lives on one machine: whoever had a run before it was started again is gone.
  if (isKnown(boot) && isKnown(BOOT) && boot !== BOOT) return true;
  // Numbers of another container's processes mean nothing here.
  if (namespace !== PID_NAMESPACE) return false;
  if (!isAlive(Number(pid))) return true;
  const now = startOf(Number(pid));
  return isKnown(start) && isKnown(now) && now !== start;
}

function isKnown(part: string | undefined): boolean {
  return part !== undefined && part !== UNKNOWN;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The time a process began, in clock ticks since boot. */
function startOf(pid: number): string {
  return told(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  });
}

/** Not every system tells. */
function told(read: () => string | undefined): string {
  try {
    return read() ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
