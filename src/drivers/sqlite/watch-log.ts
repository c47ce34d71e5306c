import { watch } from "node:fs";

/** How often to look where the system cannot say that a file has changed. */
const POLL_MS = 500;

/**
 * Calls back when something is written to a database, by whomever: every commit goes through its log. The system tells us, so
 * that nothing ticks while nothing happens. Does not keep the process alive.
 */
export function watchLog(file: string, onWrite: () => void): () => void {
  let stop: () => void;
  const poll = (): void => {
    const timer = setInterval(onWrite, POLL_MS).unref();
    stop = () => clearInterval(timer);
  };
  try {
    const watcher = watch(`${file}-wal`, { persistent: false }, onWrite);
    stop = () => watcher.close();
    watcher.on("error", () => {
      watcher.close();
      poll();
    });
  } catch {
    // Too many files are watched, or the file system knows no notifications.
    poll();
  }
  return () => stop();
}
