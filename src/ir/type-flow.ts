/*
 * The type of every reference, template and expression of a program. Types flow from declarations through references; what
 * nobody declared is `any`. Results are computed once for each step, when they are asked for.
 */
import { bindArguments } from "../expr/call-binding.ts";
import type { Expression } from "../expr/expression.ts";
import type { FunctionTable, ParameterType, ResultType } from "../expr/functions/function.ts";
import type { Reference } from "../expr/reference.ts";
import type { Block, Program, Step } from "./program.ts";
import type { Signature } from "./signature.ts";
import type { Template } from "./template.ts";
import type { Transform, TransformValue } from "./transform.ts";
import {
  ANY,
  BOOLEAN,
  common,
  LIST,
  listOf,
  NUMBER,
  nullable,
  OBJECT,
  objectOf,
  STRING,
  type Type,
  type TypeField,
  typeOfPath,
  typeOfValue,
} from "./type.ts";

/** Where a reference stands: names of a transform, and what `REF:response` means there. */
export interface TypeScope {
  readonly block: Block;
  readonly names: ReadonlyMap<string, Type>;
  readonly response: Type;
  /** Of a definition's own transforms: the arguments that are referred to. */
  readonly input: Type;
}

/** Steps, and agents inside agents, are followed this far; beyond, a type is for the run to know. */
const DEPTH_MAX = 100;
const NO_NAMES: ReadonlyMap<string, Type> = new Map();

const ERROR_TYPE = objectOf(
  new Map(["code", "name", "message"].map((name) => [name, { type: STRING, required: true }])),
  false,
);

const TYPES: Record<ParameterType, Type> = {
  any: ANY,
  list: LIST,
  string: STRING,
  number: NUMBER,
  boolean: BOOLEAN,
  object: OBJECT,
};

export class TypeFlow {
  readonly #program: Program;
  readonly #functions: FunctionTable;
  // Made when there is something to keep: nobody asks for the types of most plans.
  #results: Map<Step, Type> | undefined;
  #responses: Map<Block, Type> | undefined;
  #scopes: Map<Block, TypeScope> | undefined;
  #depth = 0;

  constructor(program: Program, functions: FunctionTable) {
    this.#program = program;
    this.#functions = functions;
  }

  /** The scope of a step's arguments, conditions and collections. */
  scopeOf(block: Block): TypeScope {
    this.#scopes ??= new Map();
    let scope = this.#scopes.get(block);
    if (scope === undefined) {
      scope = { block, names: NO_NAMES, response: ANY, input: block.signature?.input ?? ANY };
      this.#scopes.set(block, scope);
    }
    return scope;
  }

  /** What a reference's root is, before its path. */
  root(reference: Reference, scope: TypeScope): Type {
    const { root } = reference;
    switch (root.kind) {
      case "arguments":
        return scope.input;
      case "result": {
        const step = scope.block.steps[root.step];
        return step === undefined ? ANY : this.result(scope.block, step);
      }
      case "outcome":
        if (root.declared) return ANY;
        return root.field === "error" ? nullable(ERROR_TYPE) : nullable(STRING);
      case "response":
        return scope.response;
      default:
        return ANY;
    }
  }

  reference(reference: Reference, scope: TypeScope): Type {
    const found = typeOfPath(this.root(reference, scope), reference.path);
    return "type" in found ? found.type : ANY;
  }

  /** What references to the step see: a fan-out is a list; what may be skipped may be null. */
  result(block: Block, step: Step): Type {
    if (isPlain(step)) return step.call.signature?.output ?? ANY;
    this.#results ??= new Map();
    const known = this.#results.get(step);
    if (known !== undefined) return known;
    if (this.#depth >= DEPTH_MAX) return ANY;
    this.#depth++;
    this.#results.set(step, ANY);
    const once = this.#turn(block, step);
    const all =
      step.fanOut === undefined ? once : listOf(step.fanOut.onError === "collect" ? ANY : nullable(once));
    const maybe =
      step.conditions !== undefined || (step.policy.optional && block.rules.failedOptional === "null");
    const type = maybe ? nullable(all) : all;
    this.#results.set(step, type);
    this.#depth--;
    return type;
  }

  /** What one call of the step gives, after its transforms: what is declared, or else what can be told. */
  #turn(block: Block, step: Step): Type {
    const given = step.call.signature?.output ?? this.#actual(step) ?? ANY;
    const extended = this.#extend(given, step.call.signature?.transformResults, () => this.calledScope(step));
    return this.#extend(extended, step.transformResults, () => this.resultScope(block, step));
  }

  /** What the call gives before the step's own transforms: an agent may return more than it declares. */
  returned(step: Step): Type {
    const declared = step.call.signature?.output;
    const actual = this.#actual(step);
    if (actual?.fields === undefined || actual.open === true) return openForTransforms(declared ?? ANY);
    return declared?.fields === undefined
      ? actual
      : { ...actual, fields: new Map([...declared.fields, ...actual.fields]) };
  }

  /** Undefined where only the run can know. */
  #actual(step: Step): Type | undefined {
    const { call } = step;
    if (call.kind === "block") return this.#inferred(this.#program.blocks[call.block]);
    if (call.signature?.returns === undefined) return undefined;
    const { returns, transformResults } = call.signature;
    return this.#extend(returns, transformResults, () => this.calledScope(step));
  }

  /** What a composite's response map and its own transforms make. */
  #inferred(block: Block | undefined): Type | undefined {
    if (block?.response === undefined) return undefined;
    this.#responses ??= new Map();
    const known = this.#responses.get(block);
    if (known !== undefined) return known;
    this.#responses.set(block, ANY);
    const map = this.template(block.response, this.scopeOf(block));
    const type = this.#extend(map, block.signature?.transformResults, () => this.definitionScope(block));
    this.#responses.set(block, type);
    return type;
  }

  /** What references in a definition's own transforms see: its arguments, and none of the steps around the call. */
  #outside(signature: Signature | undefined): TypeScope {
    const block = this.#program.blocks[0];
    return { block: { ...block, steps: [] }, names: NO_NAMES, response: ANY, input: signature?.input ?? ANY };
  }

  /** The scope of the transforms of the definition that a step calls. */
  calledScope(step: Step): TypeScope {
    const { call } = step;
    const block = call.kind === "block" ? this.#program.blocks[call.block] : undefined;
    if (block !== undefined) return this.definitionScope(block);
    return { ...this.#outside(call.signature), response: call.signature?.returns ?? ANY };
  }

  /** The scope of the transforms of a composite's definition: `REF:response` is what its response map makes. */
  definitionScope(block: Block): TypeScope {
    const map = block.response && this.template(block.response, this.scopeOf(block));
    return { ...this.#outside(block.signature), response: map ?? ANY };
  }

  /** The scope of an instruction's `transform_results`. */
  resultScope(block: Block, step: Step): TypeScope {
    return { ...this.scopeOf(block), response: this.returned(step) };
  }

  /** The names that a transform's outputs see: its variables over the fields of what it transforms. */
  transformScope(transform: Transform, scope: TypeScope, target: Type): TypeScope {
    const names = new Map<string, Type>();
    for (const [name, field] of target.fields ?? []) names.set(name, field.type);
    // Each variable sees the ones above it, so one map that grows will do.
    const inner: TypeScope = { ...scope, names };
    for (const variable of transform.variables) names.set(variable.name, this.value(variable.value, inner));
    return inner;
  }

  /** `base` with the outputs of the transform; what is declared keeps its declared type. */
  #extend(base: Type, transform: Transform | undefined, scopeOf: () => TypeScope): Type {
    if (transform === undefined || base.kind !== "object" || base.fields === undefined) return base;
    const scope = scopeOf();
    const inner = this.transformScope(transform, scope, scope.response);
    const fields = new Map<string, TypeField>(base.fields);
    for (const output of transform.outputs) {
      if (!fields.has(output.name))
        fields.set(output.name, { type: this.value(output.value, inner), required: true });
    }
    return { ...base, fields };
  }

  value(value: TransformValue, scope: TypeScope): Type {
    return value.kind === "template"
      ? this.template(value.template, scope)
      : this.expression(value.expression, scope);
  }

  template(template: Template, scope: TypeScope): Type {
    switch (template.kind) {
      case "constant":
        return typeOfValue(template.value);
      case "reference":
        return this.reference(template, scope);
      case "text":
      case "secret":
        return STRING;
      case "list":
        return listOf(common(template.items.map((item) => this.template(item, scope))));
      case "object": {
        const entries = template.keys.map((key, i) => {
          const type = this.template(template.values[i] as Template, scope);
          return [key, { type, required: true }] as const;
        });
        return objectOf(new Map(entries), false);
      }
    }
  }

  expression(expression: Expression, scope: TypeScope): Type {
    switch (expression.kind) {
      case "literal":
        return typeOfValue(expression.value);
      case "reference":
        return this.reference(expression.reference, scope);
      case "name": {
        const found = typeOfPath(scope.names.get(expression.name) ?? ANY, expression.path);
        return "type" in found ? found.type : ANY;
      }
      case "call":
        return this.#call(expression, scope);
      case "list":
        return listOf(common(expression.items.map((item) => this.expression(item, scope))));
      case "object": {
        const entries = expression.entries.map(([key, value]) => {
          return [key, { type: this.expression(value, scope), required: true }] as const;
        });
        return objectOf(new Map(entries), false);
      }
      default:
        return BOOLEAN;
    }
  }

  #call(call: Expression & { kind: "call" }, scope: TypeScope): Type {
    const fn = this.#functions.get(call.name);
    if (fn === undefined) return ANY;
    const bound = bindArguments(fn, call.arguments);
    if (bound.problem !== undefined) return ANY;
    const typeOf = (parameter: string): Type => {
      const argument = bound.byParameter.get(parameter);
      return argument === undefined ? ANY : this.expression(argument, scope);
    };
    return this.#resultType(fn.result, typeOf, (parameter) => {
      const argument = bound.byParameter.get(parameter);
      if (argument === undefined) return ANY;
      const item = typeOf("array").of ?? ANY;
      return this.expression(argument, { ...scope, names: new Map([...scope.names, ["item", item]]) });
    });
  }

  #resultType(result: ResultType, typeOf: (name: string) => Type, itemType: (name: string) => Type): Type {
    if (typeof result === "string") return TYPES[result];
    if ("listOf" in result) return listOf(itemType(result.listOf));
    if ("same" in result) return typeOf(result.same);
    if ("element" in result) return nullable(typeOf(result.element).of ?? ANY);
    return common(result.either.map(typeOf));
  }
}

/** A call of a tool, which gives what the tool declares and nothing else: most steps. */
function isPlain({ call, conditions, fanOut, transformResults, policy }: Step): boolean {
  if (call.kind !== "tool" || conditions !== undefined || fanOut !== undefined || policy.optional)
    return false;
  return transformResults === undefined && call.signature?.transformResults === undefined;
}

/** An agent may return more than it declares, and a transform is there to pick from that. */
export function openForTransforms(type: Type): Type {
  return type.kind === "object" && type.fields !== undefined ? { ...type, open: true } : type;
}
