/*
 * The root folder on the host. Everything that touches the disk goes through here.
 *
 * I1  No symbolic link below the root is followed: not the file itself, not a folder on the way to it, not a dangling one.
 * I2  What is opened is what was checked: a file is opened without following links, and is then compared with what stands at its
 *     path, all of whose folders are looked at again. A link that is put there in between is noticed.
 * I3  A write is seen whole or not at all: a new file is written beside the old one, synced, and moved over it.
 * I4  Messages name virtual paths only.
 */
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  stat,
  unlink,
} from "node:fs/promises";
import { join, sep } from "node:path";
import { FileAccessError } from "./file-access-error.ts";
import {
  childOf,
  fileName,
  parentDirectory,
  problemOfSegment,
  ROOT,
  segmentsOf,
  TEMPORARY_PREFIX,
  type VirtualPath,
} from "./virtual-path.ts";

const { O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
/** Absent on Windows, where the checks around opening are all there is. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;
/** So that opening a pipe does not wait for its other end. */
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;

export interface FolderEntry {
  readonly path: VirtualPath;
  readonly kind: "file" | "directory";
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

export class ConfinedFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** The root may itself be reached through links; from there on none is followed. */
  static async open(folder: string): Promise<ConfinedFolder> {
    const root = await realpath(folder).catch(() => undefined);
    if (root === undefined || !(await stat(root)).isDirectory()) {
      throw new FileAccessError(`The root of the file store, "${folder}", is not a folder.`);
    }
    return new ConfinedFolder(root);
  }

  async read(path: VirtualPath, bytesMax: number): Promise<Buffer> {
    await this.#expectFile(path);
    const handle = await open(this.#host(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error) => {
      throw ioError("read", path, error);
    });
    try {
      const opened = await handle.stat();
      await this.#expectSame(path, opened);
      return await readAtMost(handle, opened.size, bytesMax, path);
    } finally {
      await handle.close();
    }
  }

  /** Undefined where there is nothing. */
  async describe(path: VirtualPath): Promise<FolderEntry | undefined> {
    const found = await this.#find(path);
    return found && entryOf(path, found);
  }

  /** Sorted by path. Links, and names that the store has no path for, are not there. */
  async list(folder: VirtualPath, recursive: boolean, entriesMax: number): Promise<FolderEntry[]> {
    const found = await this.#find(folder);
    if (found === undefined) throw new FileAccessError(`There is no folder at ${folder}.`);
    if (!found.isDirectory()) throw new FileAccessError(`${folder} is a file, not a folder.`);
    const entries: FolderEntry[] = [];
    const open = [folder];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const entry of await this.#children(next)) {
        if (entries.length === entriesMax) {
          throw new FileAccessError(
            `${folder} holds more than ${entriesMax} entries; list a folder below it.`,
          );
        }
        entries.push(entry);
        if (recursive && entry.kind === "directory") open.push(entry.path);
      }
    }
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Makes the folders on the way. Without `replace`, a file that is there is left alone and false is given. */
  async write(path: VirtualPath, content: Uint8Array, replace: boolean): Promise<boolean> {
    if (path === ROOT) throw new FileAccessError("/ is the root folder, not a file.");
    const parent = parentDirectory(path);
    await this.#makeFolders(parent);
    const there = await this.#find(path);
    if (there !== undefined && !there.isFile()) throw new FileAccessError(`${path} is a folder, not a file.`);
    if (there !== undefined && !replace) return false;
    const temporary = join(this.#host(parent), TEMPORARY_PREFIX + randomBytes(12).toString("hex"));
    try {
      await writeNew(temporary, content);
      await this.#find(parent);
      return await this.#moveIntoPlace(temporary, path, replace);
    } catch (error) {
      throw error instanceof FileAccessError ? error : ioError("write", path, error);
    } finally {
      await unlink(temporary).catch(() => {});
    }
  }

  async #moveIntoPlace(temporary: string, path: VirtualPath, replace: boolean): Promise<boolean> {
    if (replace) await rename(temporary, this.#host(path));
    else {
      // A second name for the new file: unlike moving, this never replaces what somebody else has put there.
      const taken = await link(temporary, this.#host(path)).then(() => false, isExisting);
      if (taken) return false;
    }
    await syncFolder(this.#host(parentDirectory(path)));
    return true;
  }

  #host(path: VirtualPath): string {
    return path === ROOT ? this.#root : this.#root + sep + segmentsOf(path).join(sep);
  }

  /** What stands at a path, all of whose folders are folders; undefined where there is nothing. */
  async #find(path: VirtualPath): Promise<Stats | undefined> {
    let host = this.#root;
    let found = await lstat(host);
    for (const segment of segmentsOf(path)) {
      if (!found.isDirectory()) return undefined;
      host += sep + segment;
      const next = await lstat(host).catch((error) => {
        if (isMissing(error)) return undefined;
        throw ioError("read", path, error);
      });
      if (next === undefined) return undefined;
      if (next.isSymbolicLink()) throw linkError(path);
      found = next;
    }
    if (!found.isFile() && !found.isDirectory())
      throw new FileAccessError(`${path} is neither a file nor a folder.`);
    return found;
  }

  async #expectFile(path: VirtualPath): Promise<void> {
    const found = await this.#find(path);
    if (found === undefined) throw new FileAccessError(`There is no file at ${path}.`);
    if (!found.isFile()) throw new FileAccessError(`${path} is a folder, not a file.`);
  }

  /** I2 */
  async #expectSame(path: VirtualPath, opened: Stats): Promise<void> {
    const there = await this.#find(path);
    if (there === undefined || !opened.isFile() || there.dev !== opened.dev || there.ino !== opened.ino) {
      throw new FileAccessError(`${path} was changed while it was opened.`, { retryable: true });
    }
  }

  async #children(folder: VirtualPath): Promise<FolderEntry[]> {
    const names = await readdir(this.#host(folder)).catch((error) => {
      throw ioError("list", folder, error);
    });
    const entries: FolderEntry[] = [];
    for (const name of names) {
      if (problemOfSegment(name) !== undefined || name.normalize("NFC") !== name) continue;
      const path = childOf(folder, name);
      const found = await lstat(this.#host(path)).catch(() => undefined);
      if (found?.isFile() || found?.isDirectory()) entries.push(entryOf(path, found));
    }
    return entries;
  }

  async #makeFolders(folder: VirtualPath): Promise<void> {
    let path = ROOT;
    for (const segment of segmentsOf(folder)) {
      path = childOf(path, segment);
      const found = await this.#find(path);
      if (found === undefined) {
        await mkdir(this.#host(path)).catch((error) => {
          if (!isExisting(error)) throw ioError("write", path, error);
        });
        // Somebody else may have put something there first.
        await this.#find(path);
      } else if (!found.isDirectory()) throw new FileAccessError(`${path} is a file, not a folder.`);
    }
  }
}

function entryOf(path: VirtualPath, found: Stats): FolderEntry {
  const isFile = found.isFile();
  return {
    path,
    kind: isFile ? "file" : "directory",
    sizeBytes: isFile ? found.size : 0,
    modifiedAtMs: Math.trunc(found.mtimeMs),
  };
}

/** A file may grow while it is read. */
async function readAtMost(
  handle: FileHandle,
  size: number,
  bytesMax: number,
  path: VirtualPath,
): Promise<Buffer> {
  const tooLarge = new FileAccessError(
    `${path} has more than ${bytesMax} bytes, which is the most that is read (files.readBytesMax).`,
  );
  if (size > bytesMax) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(1 << 20, Math.max(size, length) - length + 1)));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, length);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    length += bytesRead;
    if (length > bytesMax) throw tooLarge;
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

async function writeNew(host: string, content: Uint8Array): Promise<void> {
  const handle = await open(host, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o666);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** So that the name survives a power failure, where the platform can do that. */
async function syncFolder(host: string): Promise<void> {
  const handle = await open(host, O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}

function isExisting(error: unknown): boolean {
  if (codeOf(error) === "EEXIST") return true;
  throw error;
}

function linkError(path: VirtualPath): FileAccessError {
  return new FileAccessError(`${path} leads through a symbolic link; the file store does not follow links.`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  EACCES: "the host does not permit it",
  EPERM: "the host does not permit it",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "its name is too long",
  EISDIR: "it is a folder, not a file",
};

/** The host's own message would name the host's path. */
function ioError(verb: "read" | "write" | "list", path: VirtualPath, error: unknown): FileAccessError {
  const code = codeOf(error);
  if (code === "ELOOP") return linkError(path);
  const reason = REASONS[code];
  const message = `Cannot ${verb} ${fileName(path) === "" ? "/" : path}: ${reason ?? `the host reported ${code || "an unknown problem"}`}.`;
  return new FileAccessError(message, { retryable: reason === undefined || code === "ENOSPC" });
}
