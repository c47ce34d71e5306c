/*
 * Paths in the file store: `/reports/a.txt`, absolute, with `/` on every platform, wherever the root folder is.
 *
 * I1  A virtual path that was read here has no segment that any file system takes for another one: no `..` in any
 *     spelling, no separator but `/`, no drive letter, no control character.
 * I2  Two spellings of one path (doubled slashes, `.`, a slash at the end, composed and decomposed letters) become one text,
 *     so that what a token allows is decided on what is opened.
 */
import { quote } from "../base/describe.ts";
import { FileAccessError } from "./file-access-error.ts";

declare const checked: unique symbol;
/** A path that `virtualPath` has read. */
export type VirtualPath = string & { readonly [checked]: true };

export const ROOT = "/" as VirtualPath;

const PATH_LENGTH_MAX = 4_096;
const SEGMENT_BYTES_MAX = 255;

/** What the store itself writes next to a file before it is moved into place. */
export const TEMPORARY_PREFIX = ".sequitur-tmp-";

/** Percent-encoded dots, separators and NUL, encoded once or more often, and the overlong forms of them. */
const ENCODED = /%(?:25)*(?:2e|2f|5c|00|c0|c1|e0%(?:25)*80|f0%(?:25)*80|u00|uff0)/i;
/** Characters that are drawn like `/` or `\`. */
const SLASH_LOOK_ALIKES = /[\u2044\u2215\u29f5\u29f8\u29f9\u2216\ufe68\uff0f\uff3c]/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Reads a path; whatever could leave the root, or mean two things, is refused. */
export function virtualPath(text: string): VirtualPath {
  const problem = problemOfText(text);
  if (problem !== undefined) throw refusal(text, problem);
  const segments: string[] = [];
  for (const segment of text.normalize("NFC").split("/")) {
    if (segment === "" || segment === ".") continue;
    const wrong = problemOfSegment(segment);
    if (wrong !== undefined) throw refusal(text, wrong);
    segments.push(segment);
  }
  return `/${segments.join("/")}` as VirtualPath;
}

function refusal(text: string, why: string): FileAccessError {
  return new FileAccessError(`${quote(text)} is not a path in the file store: ${why}.`);
}

function problemOfText(text: string): string | undefined {
  if (typeof text !== "string") return "it is not text";
  if (text === "") return 'it is empty; a path begins with "/"';
  if (text.length > PATH_LENGTH_MAX) return `it has more than ${PATH_LENGTH_MAX} characters`;
  if (!text.isWellFormed()) return "it holds half of a surrogate pair";
  if (CONTROL.test(text)) return "it holds a control character";
  if (text.includes("\\")) return 'it holds a backslash; write "/" between folders';
  if (/^[a-z]:/i.test(text))
    return 'it begins with a drive letter; a path begins with "/", which is the root of the store';
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    return 'it is an address; a path begins with "/", which is the root of the store';
  if (!text.startsWith("/"))
    return `a path begins with "/"; did you mean ${quote(`/${text.replace(/^\.\//, "")}`)}?`;
  return undefined;
}

/** Undefined where the segment is a name that means one thing on every file system. */
export function problemOfSegment(segment: string): string | undefined {
  // Some file systems ignore invisible characters, and some consumers unfold compatibility forms: judge what they would see.
  const seen = segment.normalize("NFKC").replace(/\p{Cf}/gu, "");
  if (/^[. ]*$/.test(seen)) return `"${segment}" is not a name; ".." and its like cannot be used`;
  if (/[/\\]/.test(seen) || SLASH_LOOK_ALIKES.test(segment))
    return "it holds a character that looks like a slash";
  if (CONTROL.test(seen)) return "it holds a control character";
  if (ENCODED.test(seen))
    return "it holds a percent-encoded dot, slash or NUL; paths are not decoded, write the name itself";
  if (/^[a-z]:/i.test(seen)) return `"${segment}" begins like a drive letter`;
  if (segment.toLowerCase().startsWith(TEMPORARY_PREFIX))
    return `names that begin with "${TEMPORARY_PREFIX}" are the store's own`;
  if (Buffer.byteLength(segment) > SEGMENT_BYTES_MAX)
    return `a name in it is longer than ${SEGMENT_BYTES_MAX} bytes`;
  return process.platform === "win32" ? problemOnWindows(segment) : undefined;
}

/** Names that Windows takes for devices, streams or other names. */
function problemOnWindows(segment: string): string | undefined {
  if (/[<>:"|?*]/.test(segment)) return `"${segment}" holds a character that cannot stand in a name here`;
  if (/[. ]$/.test(segment)) return `"${segment}" ends with a dot or a space`;
  return /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i.test(segment)
    ? `"${segment}" is the name of a device`
    : undefined;
}

/** Is `path` the folder itself or somewhere below it? Whole names count: `/a` does not hold `/ab`. */
export function isWithin(path: VirtualPath, folder: VirtualPath): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`);
}

export function segmentsOf(path: VirtualPath): string[] {
  return path === ROOT ? [] : path.slice(1).split("/");
}

export function childOf(folder: VirtualPath, name: string): VirtualPath {
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as VirtualPath;
}

export function fileName(path: VirtualPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function parentDirectory(path: VirtualPath): VirtualPath {
  const slash = path.lastIndexOf("/");
  return (slash <= 0 ? "/" : path.slice(0, slash)) as VirtualPath;
}
