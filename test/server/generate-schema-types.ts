/* TypeScript from `schema.graphql`: what resolvers are given and have to give, so that the compiler holds the two together. */
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";

const HEADER = `/* Made from schema.graphql by test/server/schema-types.test.ts; \`npx vitest run test/server/schema-types.test.ts -u\` makes it anew. */
import type { Json } from "../index.ts";
import type { Resolves } from "./resolves.ts";
`;

const SCALARS: Readonly<Record<string, string>> = {
  ID: "string",
  String: "string",
  Int: "number",
  Float: "number",
  Boolean: "boolean",
  JSON: "Json",
};

export function generateSchemaTypes(text: string): string {
  const schema = buildSchema(text);
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  return `${[HEADER, ...types.map(declare).filter((part) => part !== "")].join("\n")}`;
}

function declare(type: GraphQLNamedType): string {
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => JSON.stringify(name));
    const line = `export type ${type.name} = ${values.join(" | ")};\n`;
    return line.length <= 111
      ? line
      : `export type ${type.name} =\n${values.map((value) => `  | ${value}`).join("\n")};\n`;
  }
  if (isInputObjectType(type)) {
    return `export interface ${type.name} {\n${Object.values(type.getFields())
      .map((field) => `  readonly ${given(field)};\n`)
      .join("")}}\n`;
  }
  if (!isObjectType(type)) return "";
  const fields = Object.values(type.getFields());
  const isRoot = ["Query", "Mutation", "Subscription"].includes(type.name);
  return `export interface ${type.name} {\n${fields.map((field) => outputField(field, isRoot)).join("")}}\n`;
}

/** What may be null may be left out, except by the roots. */
function outputField(field: GraphQLField<unknown, unknown>, isRoot: boolean): string {
  const value = output(field.type);
  const name = isRoot || isNonNullType(field.type) ? field.name : `${field.name}?`;
  if (field.args.length === 0) return `  readonly ${name}: Resolves<${value}>;\n`;
  const args = `{ ${field.args.map((arg) => `readonly ${given(arg)}`).join("; ")} }`;
  const line = `  readonly ${name}: Resolves<${value}, ${args}>;\n`;
  if (line.length <= 111) return line;
  const short = `  readonly ${name}: Resolves<\n    ${value},\n    ${args}\n  >;\n`;
  if (args.length + 4 <= 110) return short;
  const inner = field.args.map((arg) => `      readonly ${given(arg)};\n`).join("");
  return `  readonly ${name}: Resolves<\n    ${value},\n    {\n${inner}    }\n  >;\n`;
}

/** What a client may leave out may also be null; a default fills in only what is left out. */
function given(field: GraphQLArgument | GraphQLInputField): string {
  const type = input(field.type);
  if (isNonNullType(field.type)) return `${field.name}: ${type}`;
  return field.defaultValue === undefined
    ? `${field.name}?: ${type} | null`
    : `${field.name}: ${type} | null`;
}

function input(type: GraphQLType): string {
  if (isNonNullType(type)) return input(type.ofType);
  if (isListType(type)) return `readonly ${input(type.ofType)}[]`;
  return named(type as GraphQLNamedType);
}

function output(type: GraphQLType): string {
  if (isNonNullType(type)) return present(type.ofType);
  return `${present(type)} | null | undefined`;
}

function present(type: GraphQLType): string {
  if (!isListType(type)) return named(type as GraphQLNamedType);
  const item = type.ofType as GraphQLType;
  const inner = isNonNullType(item) ? present(item.ofType) : `(${present(item)} | null)`;
  return `readonly ${inner.startsWith("readonly ") ? `(${inner})` : inner}[]`;
}

function named(type: GraphQLNamedType): string {
  return SCALARS[type.name] ?? type.name;
}
