/* The project's own source, read for the rules that tidy.test.ts holds. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

export interface Import {
  /** `src/ir/type.ts`, or the name of a package. */
  readonly from: string;
  readonly names: readonly string[];
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Values only: a type may be exported for the sake of the signatures it stands in. */
  readonly exports: readonly string[];
  readonly functions: readonly { readonly line: number; readonly lines: number }[];
  /** `Date.now`, `console.log`, `async`, `new Date`: what is called or used, with its line. */
  readonly uses: readonly { readonly name: string; readonly line: number }[];
}

/** A node of the syntax tree; what is not named here is reached through `childrenOf`. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** All files below these folders, tests included. */
export function readSources(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) => filesBelow(join(ROOT, folder))).map(readSource);
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, "utf8");
  const program = parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const found = {
    imports: [] as Import[],
    exports: [] as string[],
    functions: [] as SourceFile["functions"][number][],
    uses: [] as SourceFile["uses"][number][],
  };
  const queue: Node[] = [program];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const { type, start, end } = node;
    const line = lineAt(start);
    if (/^(Import|Export(Named|All))Declaration$/.test(type) || type === "ImportExpression") {
      const read = importOf(node, file);
      if (read !== undefined) found.imports.push(read);
    }
    if (type.startsWith("Export")) found.exports.push(...exportedNames(node));
    if (/Function/.test(type) && isNode(node["body"])) {
      found.functions.push({ line, lines: lineAt(end) - line + 1 });
      if (node["async"] === true) found.uses.push({ name: "async", line });
    }
    const name = usedName(node);
    if (name !== undefined) found.uses.push({ name, line });
    queue.push(...childrenOf(node));
  }
  return {
    path: relative(ROOT, file).replaceAll("\\", "/"),
    text,
    lines: text.trimEnd().split("\n").length,
    ...found,
  };
}

function importOf(node: Node, file: string): Import | undefined {
  const source = node["source"];
  if (!isNode(source) || typeof source["value"] !== "string") return undefined;
  const from = source["value"].startsWith(".")
    ? relative(ROOT, join(dirname(file), source["value"])).replaceAll("\\", "/")
    : source["value"];
  const specifiers = nodesIn(node["specifiers"]);
  const isType = (item: Node) => item["importKind"] === "type" || item["exportKind"] === "type";
  return {
    from,
    names: specifiers.length === 0 ? ["*"] : specifiers.map(importedName),
    isTypeOnly: isType(node) || (specifiers.length > 0 && specifiers.every(isType)),
  };
}

function importedName(specifier: Node): string {
  const name = specifier.type === "ExportSpecifier" ? specifier["local"] : specifier["imported"];
  return specifier.type === "ImportNamespaceSpecifier" ? "*" : nameOf(name);
}

function exportedNames(node: Node): string[] {
  const declared = node["declaration"];
  if (node.type === "ExportAllDeclaration" || node["exportKind"] === "type") return [];
  if (node.type === "ExportDefaultDeclaration") return ["default"];
  if (!isNode(declared)) return nodesIn(node["specifiers"]).map((specifier) => nameOf(specifier["exported"]));
  const declarations = nodesIn(declared["declarations"]);
  return declarations.length > 0 ? declarations.map((one) => nameOf(one["id"])) : [nameOf(declared["id"])];
}

function usedName(node: Node): string | undefined {
  if (node.type === "MemberExpression" && node["computed"] === false) {
    const object = node["object"];
    return isNode(object) && object.type === "Identifier"
      ? `${nameOf(object)}.${nameOf(node["property"])}`
      : undefined;
  }
  if (node.type === "NewExpression" && nodesIn(node["arguments"]).length === 0)
    return `new ${nameOf(node["callee"])}`;
  return node.type === "CallExpression" ? nameOf(node["callee"]) : undefined;
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node["name"] === "string" ? node["name"] : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (isNode(value) ? [value] : nodesIn(value)));
}
