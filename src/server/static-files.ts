/* The web application. Its files are listed once, at the start: an address is looked up in that list and never opened. */
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { send } from "./send.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

const PLAIN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sequitur</title>
<h1>Sequitur</h1>
<p>The server runs. GraphQL is at <code>/graphql</code>; the web application is not installed here.</p>
</html>
`;

interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
  /** Made when it is first asked for. */
  compressed?: Buffer;
  /** Its name changes with its contents. */
  readonly isHashed: boolean;
}

/** Pictures and fonts are compressed as they are. */
const COMPRESSIBLE = /^(text\/|application\/(json|manifest|wasm)|image\/svg)/;

export class StaticFiles {
  readonly #files: ReadonlyMap<string, StaticFile>;
  readonly #index: StaticFile;

  constructor(folder: string | undefined) {
    this.#files = folder === undefined ? new Map() : readFiles(folder);
    const plain = { type: TYPES[".html"] as string, content: Buffer.from(PLAIN_PAGE), isHashed: false };
    this.#index = this.#files.get("/index.html") ?? plain;
  }

  /** False where there is nothing at the address. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const isPage =
      path === "/" || (extname(path) === "" && request.headers.accept?.includes("text/html") === true);
    const file = this.#files.get(path) ?? (isPage ? this.#index : undefined);
    if (file === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    const caching = file.isHashed ? "public, max-age=31536000, immutable" : "no-cache";
    const headers = { "content-type": file.type, "cache-control": caching };
    if (!COMPRESSIBLE.test(file.type)) send(response, 200, headers, file.content);
    else if (/\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""))) {
      file.compressed ??= gzipSync(file.content);
      send(
        response,
        200,
        { ...headers, vary: "accept-encoding", "content-encoding": "gzip" },
        file.compressed,
      );
    } else send(response, 200, { ...headers, vary: "accept-encoding" }, file.content);
    return true;
  }
}

function readFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    files.set(path, {
      type: TYPES[extname(path)] ?? "application/octet-stream",
      content: readFileSync(file),
      isHashed: path.startsWith("/assets/"),
    });
  }
  return files;
}
