import { referenceNodes } from "../expr/free-names.ts";
import type { Reference } from "../expr/reference.ts";
import type { Spot } from "../source/diagnostic.ts";
import { comparisonsOf, type Condition } from "./condition.ts";
import type { Block, Program, Step } from "./program.ts";
import type { Signature } from "./signature.ts";
import { forEachReference, type Template } from "./template.ts";
import type { Transform, TransformEntry } from "./transform.ts";
import { openForTransforms, type TypeFlow, type TypeScope } from "./type-flow.ts";
import { ANY, type Type } from "./type.ts";

/** A transform with what its names and references mean. */
export interface TransformUse {
  readonly transform: Transform;
  /** What the outputs see. */
  readonly scope: TypeScope;
  /** What is transformed: the arguments, or the response. */
  readonly target: Type;
  /** What the variables see, besides the variables above them. */
  readonly outer: TypeScope;
}

/** Every transform of the program, each once. */
export function transformsOf(program: Program, types: TypeFlow): TransformUse[] {
  const uses: TransformUse[] = [];
  const seen = new Set<Transform>();
  const add = (transform: Transform | undefined, outer: TypeScope, target: Type): void => {
    if (transform === undefined || seen.has(transform)) return;
    seen.add(transform);
    uses.push({ transform, scope: types.transformScope(transform, outer, target), target, outer });
  };
  const addDefinition = (signature: Signature | undefined, block: Block): void => {
    if (signature?.transformArguments === undefined && signature?.transformResults === undefined) return;
    const input = signature.input ?? ANY;
    const scope = { block: { ...block, steps: [] }, names: undefined, response: ANY, input };
    add(signature.transformArguments, scope, input);
    add(signature.transformResults, scope, ANY);
  };
  for (const block of program.blocks) {
    addDefinition(block.signature, block);
    for (const step of block.steps) {
      addDefinition(step.call.signature, block);
      if (step.transformArguments === undefined && step.transformResults === undefined) continue;
      const scope = types.scopeOf(block);
      add(step.transformArguments, scope, givenArguments(block, step, types));
      const response = openForTransforms(step.call.signature?.output ?? ANY);
      add(step.transformResults, { ...scope, response }, response);
    }
  }
  return uses;
}

/** The arguments that an instruction writes down, before any transform. */
export function givenArguments(block: Block, step: Step, types: TypeFlow): Type {
  const written = types.template(step.arguments, types.scopeOf(block));
  if (written.kind !== "object" || written.fields === undefined) return written;
  const fields = new Map(written.fields);
  if (step.fanOut !== undefined) {
    const items = types.template(step.fanOut.over, types.scopeOf(block));
    fields.set(step.fanOut.argument, { type: items.of ?? ANY, required: true });
  }
  return { ...written, fields };
}

type VisitUse = (reference: Reference, spot: Spot, scope: TypeScope) => void;

/** Every reference of the program with its place and what it can mean there. */
export function forEachUse(program: Program, types: TypeFlow, visit: VisitUse): void {
  for (const block of program.blocks) {
    const scope = types.scopeOf(block);
    const inTemplate = (template: Template | undefined): void => {
      if (template !== undefined) forEachReference(template, (reference, spot) => visit(reference, spot, scope));
    };
    for (const step of block.steps) {
      inTemplate(step.arguments);
      inTemplate(step.fanOut?.over);
      inCondition(step.conditions, inTemplate);
      inCondition(step.repeat?.until, inTemplate);
    }
    inTemplate(block.response);
  }
  for (const use of transformsOf(program, types)) {
    for (const variable of use.transform.variables) inEntry(variable, use.outer, visit);
    for (const output of use.transform.outputs) inEntry(output, use.scope, visit);
  }
}

function inCondition(condition: Condition | undefined, visit: (template: Template | undefined) => void): void {
  if (condition === undefined) return;
  for (const comparison of comparisonsOf(condition)) {
    visit(comparison.param);
    visit(comparison.value);
  }
}

function inEntry(entry: TransformEntry, scope: TypeScope, visit: VisitUse): void {
  const { value, place } = entry;
  if (value.kind === "template") {
    forEachReference(value.template, (reference, spot) => visit(reference, spot, scope));
    return;
  }
  for (const node of referenceNodes(value.expression)) {
    visit(node.reference, { place, from: node.from, to: node.to }, scope);
  }
}
