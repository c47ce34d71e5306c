/*
 * A file is a path in the file store. What a reference to one stands for depends on where it stands: with an attribute it is
 * that; as the whole of something that is declared `file` it passes the path on; everywhere else it is the contents.
 */
import { referenceNodes } from "../expr/free-names.ts";
import type { Reference } from "../expr/reference.ts";
import type { Block, FileMeaning, Program } from "./program.ts";
import { entryOf, type Template } from "./template.ts";
import { FILE_ATTRIBUTES, type Type, typeOfPath } from "./type.ts";
import type { TypeFlow, TypeScope } from "./type-flow.ts";
import { forEachUse } from "./uses.ts";

export function fileReferences(program: Program, types: TypeFlow): ReadonlyMap<Reference, FileMeaning> {
  const meanings = new Map<Reference, FileMeaning>();
  if (!declaresFiles(program)) return meanings;
  const passedOn = passedOnReferences(program);
  forEachUse(program, types, (reference, _spot, scope) => {
    const meaning = meaningOf(reference, scope, types);
    if (meaning !== undefined && !(meaning === "contents" && passedOn.has(reference)))
      meanings.set(reference, meaning);
  });
  return meanings;
}

/** Most plans have no files at all. */
function declaresFiles(program: Program): boolean {
  const looked = new Set<Type | undefined>([undefined]);
  const isFile = (type: Type | undefined): boolean => {
    if (looked.has(type)) return false;
    looked.add(type);
    return [...(type?.fields?.values() ?? [])].some((field) => field.type.kind === "file");
  };
  return program.blocks.some((block) => {
    const own = isFile(block.signature?.input) || isFile(block.signature?.output);
    return (
      own || block.steps.some(({ call }) => isFile(call.signature?.input) || isFile(call.signature?.output))
    );
  });
}

function meaningOf(reference: Reference, scope: TypeScope, types: TypeFlow): FileMeaning | undefined {
  const root = types.root(reference, scope);
  const { path } = reference;
  const found = typeOfPath(root, path);
  if ("type" in found && isFileType(found.type)) return "contents";
  const last = path.at(-1);
  if (typeof last !== "string" || !FILE_ATTRIBUTES.includes(last)) return undefined;
  const holder = typeOfPath(root, path.slice(0, -1));
  return "type" in holder && isFileType(holder.type) ? (last as FileMeaning) : undefined;
}

function isFileType(type: Type): boolean {
  return type.kind === "file" || (type.kind === "list" && type.of !== undefined && isFileType(type.of));
}

/** References that are the whole of an argument or response which is declared `file`. */
function passedOnReferences(program: Program): ReadonlySet<Reference> {
  const passed = new Set<Reference>();
  const note = (template: Template | undefined): void => {
    if (template?.kind === "reference") passed.add(template);
  };
  for (const block of program.blocks) {
    for (const name of fileFields(block.signature?.output))
      if (block.response) note(entryOf(block.response, name));
    for (const step of block.steps) {
      for (const name of fileFields(step.call.signature?.input)) {
        note(entryOf(step.arguments, name));
        noteOutput(block, step.index, name, passed);
      }
    }
  }
  return passed;
}

function noteOutput(block: Block, step: number, name: string, passed: Set<Reference>): void {
  const value = block.steps[step]?.transformArguments?.outputs.find((output) => output.name === name)?.value;
  if (value?.kind === "template" && value.template.kind === "reference") passed.add(value.template);
  if (value?.kind === "expression" && value.expression.kind === "reference") {
    for (const node of referenceNodes(value.expression)) passed.add(node.reference);
  }
}

function fileFields(type: Type | undefined): string[] {
  return [...(type?.fields ?? [])].filter(([, field]) => field.type.kind === "file").map(([name]) => name);
}
