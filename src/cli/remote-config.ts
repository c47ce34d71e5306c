/* The keys of `sequitur.config.json` that are not paths. What a server's or an API's entry may say is checked where it is used. */
import { resolve } from "node:path";
import { UsageError } from "./command.ts";

export const REMOTE_KEYS = ["mcpServers", "openapi", "http"] as const;
export type RemoteKey = (typeof REMOTE_KEYS)[number];

type Entry = Readonly<Record<string, unknown>>;

/** Paths in an entry are meant from the file's folder. */
export function readRemoteSetting(key: RemoteKey, value: unknown, folder: string): unknown {
  if (!isEntry(value)) throw new UsageError(`"${key}" in sequitur.config.json must be an object.`);
  if (key === "http") return checkedHttp(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      isEntry(entry) ? withPaths(key, entry, folder) : entry,
    ]),
  );
}

function withPaths(key: RemoteKey, entry: Entry, folder: string): Entry {
  if (key === "mcpServers") {
    if (typeof entry.command !== "string") return entry;
    return { ...entry, cwd: resolve(folder, typeof entry.cwd === "string" ? entry.cwd : ".") };
  }
  const { document } = entry;
  const isPath = typeof document === "string" && document !== "" && !/^https?:\/\//.test(document);
  return isPath ? { ...entry, document: resolve(folder, document) } : entry;
}

const HTTP: Readonly<Record<string, (value: unknown) => boolean>> = {
  allow: (value) => Array.isArray(value) && value.every((host) => typeof host === "string"),
  allowPrivate: (value) => typeof value === "boolean",
  responseBytesMax: (value) => typeof value === "number" && value > 0,
  timeoutMsMax: (value) => typeof value === "number" && value > 0,
};

function checkedHttp(value: Entry): Entry {
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(HTTP, key) && HTTP[key]?.(item) === true) continue;
    const form = `{ "allow": ["api.example.com"], "allowPrivate": false, "responseBytesMax": 10485760, "timeoutMsMax": 300000 }`;
    throw new UsageError(
      `"http.${key}" in sequitur.config.json cannot be used. The form is ${form}; all keys may be left out.`,
    );
  }
  return value;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
