import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SequiturError } from "../../base/error.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Packed } from "./wire.ts";

/** Keeps what is too large for a journal. What is put under a name never changes: names are made of the contents. */
export interface BlobStore {
  put(name: string, text: string): Promise<void>;
  get(name: string): Promise<string>;
}

/** So many characters of JSON stand in the journal; more of them are kept as a blob. */
const INLINE_MAX = 1_048_576;

/** Blobs as files of a folder that all workers see. */
export function folderBlobs(folder: string): BlobStore {
  return {
    async put(name, text) {
      await mkdir(folder, { recursive: true });
      // Written beside and moved into place, so that nobody reads half of it.
      const beside = join(folder, `.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`);
      await writeFile(beside, text);
      await rename(beside, join(folder, name));
    },
    get: (name) => readFile(join(folder, name), "utf8"),
  };
}

export async function pack(events: readonly RunEvent[], blobs: BlobStore): Promise<Packed> {
  const text = JSON.stringify(events);
  if (text.length <= INLINE_MAX) return { events };
  const blob = createHash("sha256").update(text).digest("hex");
  await blobs.put(blob, text);
  return { blob };
}

export async function unpack(packed: Packed, blobs: BlobStore): Promise<readonly RunEvent[]> {
  if ("events" in packed) return packed.events;
  const text = await blobs.get(packed.blob).catch((cause: unknown) => {
    const message = `The blob ${packed.blob} cannot be read. Do all workers have the same --blobs folder?`;
    throw new SequiturError("BLOB_MISSING", message, { cause });
  });
  return JSON.parse(text) as RunEvent[];
}
