import type { ConfinedFolder, FolderEntry } from "./confined-folder.ts";
import { FileAccessError } from "./file-access-error.ts";
import type { FileLimits } from "./file-store.ts";
import type { Grant } from "./file-token.ts";
import { fileName, isWithin, parentDirectory, type VirtualPath, virtualPath } from "./virtual-path.ts";

/** What is known of a file or folder, in the words of plans. */
export interface FileDescription {
  readonly path: string;
  readonly file_name: string;
  readonly parent_directory: string;
  readonly kind: "file" | "directory";
  readonly size_bytes: number;
  readonly modified_at: string;
}

/** The same for a path where there may be nothing. */
export type PathDescription =
  | ({ readonly exists: true } & FileDescription)
  | {
      readonly exists: false;
      readonly path: string;
      readonly file_name: string;
      readonly parent_directory: string;
    };

/** What the files of a run can do for whoever holds its token. Every call is checked against the token. */
export interface RunFiles {
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Gives the path as the store spells it. `replace: false` fails where there is a file with other contents. */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { readonly replace?: boolean },
  ): Promise<string>;
  list(folder: string, options?: { readonly recursive?: boolean }): Promise<FileDescription[]>;
  describe(path: string): Promise<PathDescription>;
}

/** The store seen through a token, which nobody can get out of it again. */
export class GrantedFiles implements RunFiles {
  readonly #grant: () => Promise<Grant>;
  readonly #folder: ConfinedFolder;
  readonly #limits: FileLimits;

  constructor(grant: () => Promise<Grant>, folder: ConfinedFolder, limits: FileLimits) {
    this.#grant = grant;
    this.#folder = folder;
    this.#limits = limits;
  }

  async readText(path: string): Promise<string> {
    const bytes = await this.readBytes(path);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new FileAccessError(
        `${virtualPath(path)} is not UTF-8 text; read it with /agents/core/read_file.agent and "encoding": "base64".`,
      );
    }
  }

  async readBytes(path: string): Promise<Uint8Array> {
    const checked = await this.#check(path, "read");
    return this.#folder.read(checked, this.#limits.readBytesMax);
  }

  async write(
    path: string,
    content: string | Uint8Array,
    options: { readonly replace?: boolean } = {},
  ): Promise<string> {
    const checked = await this.#check(path, "write");
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const { writeBytesMax } = this.#limits;
    if (bytes.length > writeBytesMax) {
      const message = `The contents for ${checked} have ${bytes.length} bytes; ${writeBytesMax} are the most that is written (files.writeBytesMax).`;
      throw new FileAccessError(message);
    }
    const written = await this.#folder.write(checked, bytes, options.replace ?? true);
    if (!written) await this.#expectContents(checked, bytes);
    return checked;
  }

  /** A write that must not replace may be repeated: what an earlier attempt has written is no obstacle. */
  async #expectContents(path: VirtualPath, bytes: Uint8Array): Promise<void> {
    const there = await this.#folder.describe(path);
    const isSame =
      there?.sizeBytes === bytes.length && (await this.#folder.read(path, bytes.length)).equals(bytes);
    if (!isSame) throw new FileAccessError(`There already is a file at ${path}.`);
  }

  async list(folder: string, options: { readonly recursive?: boolean } = {}): Promise<FileDescription[]> {
    const checked = await this.#check(folder, "read");
    const entries = await this.#folder.list(checked, options.recursive ?? false, this.#limits.entriesMax);
    return entries.map(descriptionOf);
  }

  async describe(path: string): Promise<PathDescription> {
    const checked = await this.#check(path, "read");
    const entry = await this.#folder.describe(checked);
    return entry === undefined
      ? { exists: false, ...attributesOf(checked) }
      : { exists: true, ...descriptionOf(entry) };
  }

  /** The token is looked at first: without one, nothing is said of what is there. */
  async #check(text: string, verb: "read" | "write"): Promise<VirtualPath> {
    const path = virtualPath(text);
    const grant = await this.#grant().catch((error: unknown) => {
      if (!(error instanceof FileAccessError)) throw error;
      throw new FileAccessError(`Cannot ${verb} ${path}: ${error.message}. ${adviceFor(verb, path)}`);
    });
    if (grant[verb].some((folder) => isWithin(path, folder))) return path;
    const doing = verb === "read" ? "reading" : "writing";
    throw new FileAccessError(
      `Cannot ${verb} ${path}: the token does not allow ${doing} ${path}. ${adviceFor(verb, path)}`,
    );
  }
}

function adviceFor(verb: "read" | "write", path: VirtualPath): string {
  return `Start the run with a fileToken from engine.issueFileToken({ ${verb}: ["${path}"] }).`;
}

function attributesOf(path: VirtualPath): { path: string; file_name: string; parent_directory: string } {
  return { path, file_name: fileName(path), parent_directory: parentDirectory(path) };
}

function descriptionOf(entry: FolderEntry): FileDescription {
  return {
    ...attributesOf(entry.path),
    kind: entry.kind,
    size_bytes: entry.sizeBytes,
    modified_at: new Date(entry.modifiedAtMs).toISOString(),
  };
}
