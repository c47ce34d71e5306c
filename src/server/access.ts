/*
 * Scopes: what a caller may do.
 *
 *   runs:read             read every run, its events and the list
 *   runs:write            answer, confirm, cancel and resume runs
 *   plans:run:<pattern>   start plans. A pattern names agents of the server by their paths, `*` stands for any characters. A
 *                         plan that the caller writes itself can call any tool under any name, so only `plans:run:*` covers it.
 *   files:<prefix>        runs that the caller starts may read and write below this path of the file store
 *   admin                 everything
 */

export interface Access {
  /** Who it is: the name of the token. */
  readonly subject: string;
  readonly scopes: readonly string[];
}

const SIMPLE: ReadonlySet<string> = new Set(["runs:read", "runs:write", "admin"]);
const PLANS = "plans:run:";
const FILES = "files:";

/** Why a text is no scope; undefined where it is one. */
export function scopeProblem(scope: string): string | undefined {
  if (SIMPLE.has(scope)) return undefined;
  if (scope.startsWith(PLANS) && /^[^\s]+$/.test(scope.slice(PLANS.length))) return undefined;
  if (scope.startsWith(`${FILES}/`) && !/[\s*]|(^|\/)\.\.?(\/|$)/.test(scope.slice(FILES.length)))
    return undefined;
  return `"${scope}" is no scope. Scopes: runs:read, runs:write, plans:run:<pattern>, files:/<prefix>, admin.`;
}

export function mayReadRuns({ scopes }: Access): boolean {
  return scopes.includes("runs:read") || scopes.includes("admin");
}

export function mayWriteRuns({ scopes }: Access): boolean {
  return scopes.includes("runs:write") || scopes.includes("admin");
}

/** `agent` is the path of an agent of the server; undefined for a plan that the caller has written. */
export function mayRunPlan({ scopes }: Access, agent: string | undefined): boolean {
  if (scopes.includes("admin")) return true;
  return patternsOf(scopes).some((pattern) =>
    agent === undefined ? pattern === "*" : matches(pattern, agent),
  );
}

/** There is some plan that the caller may run. */
export function mayRunPlans({ scopes }: Access): boolean {
  return scopes.includes("admin") || patternsOf(scopes).length > 0;
}

/** Folders of the file store that the caller's runs may use. */
export function filePrefixes({ scopes }: Access): readonly string[] {
  if (scopes.includes("admin")) return ["/"];
  return scopes.filter((scope) => scope.startsWith(FILES)).map((scope) => scope.slice(FILES.length));
}

function patternsOf(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => scope.startsWith(PLANS)).map((scope) => scope.slice(PLANS.length));
}

/** `*` is the only special character. Linear, whoever wrote the pattern: each part is looked for after the one before. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
