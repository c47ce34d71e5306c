import { referenceNodes } from "../expr/free-names.ts";
import type { Reference } from "../expr/reference.ts";
import type { Spot } from "../source/diagnostic.ts";
import { type Condition, comparisonsOf } from "./condition.ts";
import type { Block, Program, Step } from "./program.ts";
import type { Signature } from "./signature.ts";
import { forEachReference, spotOf, type Template } from "./template.ts";
import type { Transform, TransformEntry } from "./transform.ts";
import { ANY, type Type } from "./type.ts";
import { openForTransforms, type TypeFlow, type TypeScope } from "./type-flow.ts";

/** A transform with what its names and references mean. */
export interface TransformUse {
  readonly transform: Transform;
  /** What the variables see, besides the variables above them. */
  readonly outer: TypeScope;
  /** What the outputs see. */
  readonly scope: TypeScope;
  /** What is transformed: the arguments, or the response. */
  readonly target: Type;
  /** What the outputs become, as far as it is declared. */
  readonly becomes: Type | undefined;
  /** Outputs that a transform closer to the agent makes anew, so that nothing is asked of these. */
  readonly remade: ReadonlySet<string>;
}

/** Every transform of the program, each once. */
export function transformsOf(program: Program, types: TypeFlow): readonly TransformUse[] {
  const known = usesOf.get(types);
  if (known !== undefined) return known;
  const uses = new TransformUses(types);
  const [root] = program.blocks;
  uses.addDefinition(root.signature, () => types.definitionScope(root));
  for (const block of program.blocks) {
    for (const step of block.steps) {
      uses.addDefinition(step.call.signature, () => types.calledScope(step));
      if (step.transformArguments !== undefined || step.transformResults !== undefined)
        uses.addStep(block, step);
    }
  }
  usesOf.set(types, uses.found);
  return uses.found;
}

const usesOf = new WeakMap<TypeFlow, readonly TransformUse[]>();
const NONE: ReadonlySet<string> = new Set();

class TransformUses {
  readonly found: TransformUse[] = [];
  readonly #seen = new Set<Transform>();
  readonly #types: TypeFlow;

  constructor(types: TypeFlow) {
    this.#types = types;
  }

  /** Whoever calls an agent may pass more than it declares, for its transforms to read. */
  addDefinition(signature: Signature | undefined, scope: () => TypeScope): void {
    if (signature?.transformArguments === undefined && signature?.transformResults === undefined) return;
    const outer = scope();
    const given = openForTransforms(signature.input ?? ANY);
    this.#add(signature.transformArguments, outer, given, signature.input, NONE);
    this.#add(signature.transformResults, outer, outer.response, signature.output, NONE);
  }

  addStep(block: Block, step: Step): void {
    const types = this.#types;
    const { signature } = step.call;
    const given = givenArguments(block, step, types);
    const remade = new Set(signature?.transformArguments?.outputs.map((output) => output.name));
    this.#add(step.transformArguments, types.scopeOf(block), given, signature?.input, remade);
    const scope = types.resultScope(block, step);
    this.#add(step.transformResults, scope, scope.response, signature?.output, NONE);
  }

  #add(
    transform: Transform | undefined,
    outer: TypeScope,
    target: Type,
    becomes: Type | undefined,
    remade: ReadonlySet<string>,
  ): void {
    if (transform === undefined || this.#seen.has(transform)) return;
    this.#seen.add(transform);
    const scope = this.#types.transformScope(transform, outer, target);
    this.found.push({ transform, outer, scope, target, becomes, remade });
  }
}

/** The arguments that an instruction writes down, before any transform. */
function givenArguments(block: Block, step: Step, types: TypeFlow): Type {
  const written = types.template(step.arguments, types.scopeOf(block));
  if (written.kind !== "object" || written.fields === undefined) return written;
  const fields = new Map(written.fields);
  if (step.fanOut !== undefined) {
    const items = types.template(step.fanOut.over, types.scopeOf(block));
    fields.set(step.fanOut.argument, { type: items.of ?? ANY, required: true });
  }
  return { ...written, fields };
}

/** `spot` says where the reference stands, to whoever has something to say about it. */
type VisitUse = (reference: Reference, spot: () => Spot, scope: TypeScope) => void;

/** Every reference of the program with its place and what it can mean there. */
export function forEachUse(program: Program, types: TypeFlow, visit: VisitUse): void {
  for (const block of program.blocks) {
    const scope = types.scopeOf(block);
    const inTemplate = (template: Template | undefined): void => {
      if (template !== undefined) visitTemplate(template, scope, visit);
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

function visitTemplate(template: Template, scope: TypeScope, visit: VisitUse): void {
  forEachReference(template, (reference, holder, part) =>
    visit(reference, () => spotOf(holder, part), scope),
  );
}

function inCondition(
  condition: Condition | undefined,
  visit: (template: Template | undefined) => void,
): void {
  if (condition === undefined) return;
  for (const comparison of comparisonsOf(condition)) {
    visit(comparison.param);
    visit(comparison.value);
  }
}

function inEntry(entry: TransformEntry, scope: TypeScope, visit: VisitUse): void {
  const { value, place } = entry;
  if (value.kind === "template") {
    visitTemplate(value.template, scope, visit);
    return;
  }
  for (const node of referenceNodes(value.expression)) {
    visit(node.reference, () => ({ place, from: node.from, to: node.to }), scope);
  }
}
