/* The schema with its resolvers, each behind its rule: the one place where scopes are checked. */
import {
  buildSchema,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLScalarType,
  type GraphQLSchema,
  isObjectType,
} from "graphql";
import { SequiturError } from "../index.ts";
import { defineJson } from "./json-scalar.ts";
import { refusal } from "./refusal.ts";
import type { RequestContext } from "./resolves.ts";
import type { Rule, Rules } from "./rules.ts";
import type { Mutation, Query, Subscription } from "./schema-types.ts";

/** What the schema's doors lead to. */
export interface Roots {
  readonly Query: Query;
  readonly Mutation: Mutation;
  readonly Subscription: Streams;
}

/** A subscription gives a stream of what its field is. */
export type Streams = {
  readonly [Field in keyof Subscription]: Subscription[Field] extends infer R
    ? R extends (args: infer Args, context: RequestContext) => infer Value
      ? (args: Args, context: RequestContext) => AsyncIterableIterator<Exclude<Value, Promise<unknown>>>
      : never
    : never;
};

type Field = GraphQLField<unknown, RequestContext>;
type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

export function guardedSchema(text: string, roots: Roots, rules: Rules, jsonDepthMax: number): GraphQLSchema {
  const schema = buildSchema(text);
  defineJson(schema.getType("JSON") as GraphQLScalarType, jsonDepthMax);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields()) as Field[]) guard(type.name, field, roots, rules);
  }
  return schema;
}

function guard(type: string, field: Field, roots: Roots, rules: Rules): void {
  const rule = rules[type]?.[field.name];
  if (rule === undefined) {
    throw new SequiturError(
      "FIELD_WITHOUT_RULE",
      `The field ${type}.${field.name} has no rule in src/server/rules.ts.`,
    );
  }
  const root = Object.hasOwn(roots, type) ? roots[type as keyof Roots] : undefined;
  if (type === "Subscription") {
    field.subscribe = behind(rule, rootResolver(root, type, field.name));
    field.resolve = (event) => event;
  } else {
    field.resolve = behind(
      rule,
      root === undefined ? defaultFieldResolver : rootResolver(root, type, field.name),
    );
  }
}

function behind(rule: Rule, resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (!rule.allows(context.access)) throw refusal(403, "FORBIDDEN", `This needs the scope ${rule.needs}.`);
    return resolve(source, args, context, info);
  };
}

function rootResolver(root: object | undefined, type: string, name: string): Resolver {
  const found = root === undefined ? undefined : (root as Readonly<Record<string, unknown>>)[name];
  if (typeof found !== "function") {
    throw new SequiturError("FIELD_WITHOUT_RESOLVER", `The field ${type}.${name} has no resolver.`);
  }
  return (_source, args, context) => found.call(root, args, context) as unknown;
}
