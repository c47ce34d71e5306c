import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateSchemaTypes } from "./generate-schema-types.ts";

test("the types that resolvers are checked against are those of schema.graphql", async () => {
  const schema = readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8");
  await expect(generateSchemaTypes(schema)).toMatchFileSnapshot("../../src/server/schema-types.ts");
});
