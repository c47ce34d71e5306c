/*
 * The type of every reference, template and expression of a program. Types flow from declarations through references; what
 * nobody declared is `any`. Results are computed once for each step, when they are asked for.
 */
import { bindArguments } from "../expr/call-binding.ts";
import type { Expression } from "../expr/expression.ts";
import type { FunctionTable, ParameterType, ResultType } from "../expr/functions/function.ts";
import type { Reference } from "../expr/reference.ts";
import type { Block, Program, Step } from "./program.ts";
import type { Template } from "./template.ts";
import type { Transform, TransformValue } from "./transform.ts";
import { ANY, BOOLEAN, common, LIST, listOf, NUMBER, nullable, OBJECT, objectOf, STRING, type Type, type TypeField, typeOfPath, typeOfValue } from "./type.ts";

/** Where a reference stands: names of a transform, and what `REF:response` means there. */
export interface TypeScope {
  readonly block: Block;
  /** Undefined: nothing is known of names. */
  readonly names: ReadonlyMap<string, Type> | undefined;
  readonly response: Type;
  /** Of a definition's own transforms: the arguments that are referred to. */
  readonly input: Type;
}

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
  readonly #results = new Map<Step, Type>();
  readonly #responses = new Map<Block, Type>();

  constructor(program: Program, functions: FunctionTable) {
    this.#program = program;
    this.#functions = functions;
  }

  /** The scope of a step's arguments, conditions and collections. */
  scopeOf(block: Block): TypeScope {
    return { block, names: new Map(), response: ANY, input: block.signature?.input ?? ANY };
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
    const known = this.#results.get(step);
    if (known !== undefined) return known;
    this.#results.set(step, ANY);
    const once = this.turn(block, step);
    const all = step.fanOut === undefined ? once : listOf(step.fanOut.onError === "collect" ? ANY : nullable(once));
    const maybe = step.conditions !== undefined || (step.policy.optional && block.rules.failedOptional === "null");
    const type = maybe ? nullable(all) : all;
    this.#results.set(step, type);
    return type;
  }

  /** What one call of the step gives, after its transforms. */
  turn(block: Block, step: Step): Type {
    const given = this.#returned(step);
    const own = step.transformResults;
    if (own === undefined) return given;
    const response = openForTransforms(given);
    return this.#extend(given, own, this.transformScope(own, { ...this.scopeOf(block), response }, response));
  }

  /** What the agent or tool gives, its definition's transforms included. */
  #returned(step: Step): Type {
    const { call } = step;
    if (call.kind === "unknown") return ANY;
    const declared = call.signature?.output;
    const inner = call.signature?.transformResults;
    if (declared !== undefined) {
      if (inner === undefined) return declared;
      const scope = this.definitionScope(step);
      return this.#extend(declared, inner, this.transformScope(inner, scope, ANY));
    }
    return call.kind === "block" ? this.#inferred(this.#program.blocks[call.block]) : ANY;
  }

  /** An agent that declares no responses gives what its response map makes. */
  #inferred(block: Block | undefined): Type {
    if (block?.response === undefined) return ANY;
    const known = this.#responses.get(block);
    if (known !== undefined) return known;
    this.#responses.set(block, ANY);
    const map = this.template(block.response, this.scopeOf(block));
    const inner = block.signature?.transformResults;
    const type = inner === undefined ? map : this.#extend(map, inner, { ...this.scopeOf(block), names: undefined });
    this.#responses.set(block, type);
    return type;
  }

  /** The scope of the called definition's own transforms. */
  definitionScope(step: Step): TypeScope {
    const input = step.call.signature?.input ?? ANY;
    const block = this.#program.blocks[0];
    return { block: { ...block, steps: [] }, names: undefined, response: ANY, input };
  }

  /** The names that a transform's outputs see: its variables over the fields of what it transforms. */
  transformScope(transform: Transform, scope: TypeScope, target: Type): TypeScope {
    const names = target.fields === undefined || target.open === true ? undefined : new Map<string, Type>();
    for (const [name, field] of target.fields ?? []) names?.set(name, field.type);
    let inner: TypeScope = { ...scope, names };
    for (const variable of transform.variables) {
      const type = this.value(variable.value, inner);
      inner = { ...inner, names: names && new Map([...(inner.names ?? []), [variable.name, type]]) };
    }
    return inner;
  }

  #extend(base: Type, transform: Transform, scope: TypeScope): Type {
    if (base.kind !== "object" || base.fields === undefined) return base.kind === "any" ? ANY : base;
    const fields = new Map<string, TypeField>(base.fields);
    for (const output of transform.outputs) {
      const declared = base.fields.get(output.name);
      if (declared === undefined) fields.set(output.name, { type: this.value(output.value, scope), required: true });
    }
    return { ...base, fields };
  }

  value(value: TransformValue, scope: TypeScope): Type {
    return value.kind === "template" ? this.template(value.template, scope) : this.expression(value.expression, scope);
  }

  template(template: Template, scope: TypeScope): Type {
    switch (template.kind) {
      case "constant":
        return typeOfValue(template.value);
      case "reference":
        return this.reference(template.reference, scope);
      case "text":
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
        const found = typeOfPath(scope.names?.get(expression.name) ?? ANY, expression.path);
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
      return this.expression(argument, { ...scope, names: new Map([...(scope.names ?? []), ["item", item]]) });
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

/** An agent may return more than it declares, and a transform is there to pick from that. */
export function openForTransforms(type: Type): Type {
  return type.kind === "object" && type.fields !== undefined ? { ...type, open: true } : type;
}
