import { GraphQLError, type GraphQLScalarType, Kind, type ValueNode } from "graphql";
import type { Json } from "../index.ts";

/** Teaches the schema's `JSON` what it takes: any JSON value that is not nested beyond measure. */
export function defineJson(scalar: GraphQLScalarType, depthMax: number): void {
  scalar.serialize = (value) => value;
  scalar.parseValue = (value) => {
    refuseDeep(value, depthMax);
    return value;
  };
  scalar.parseLiteral = (node, variables) => {
    const value = literal(node, variables ?? {});
    refuseDeep(value, depthMax);
    return value;
  };
}

/** Level by level, not recursively: the value may be nested as deep as a body is long. */
function refuseDeep(root: unknown, depthMax: number): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) {
      const message = `A JSON value may be nested ${depthMax} levels deep; this one goes deeper.`;
      throw new GraphQLError(message, { extensions: { code: "JSON_TOO_DEEP", http: { status: 400 } } });
    }
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
}

/** Depth is bounded by the number of tokens in a query. */
function literal(node: ValueNode, variables: Readonly<Record<string, unknown>>): Json {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((value) => literal(value, variables));
    case Kind.OBJECT:
      // fromEntries defines own properties, also for `__proto__`.
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, literal(value, variables)]),
      );
    case Kind.VARIABLE:
      return Object.hasOwn(variables, node.name.value)
        ? ((variables[node.name.value] ?? null) as Json)
        : null;
  }
}
