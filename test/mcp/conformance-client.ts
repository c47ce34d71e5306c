/* Our client, as the conformance suite starts it: with the address of a server. Calls every tool there is, in one plan. */
import { createEngine, type Json, type JsonObject } from "../../src/index.ts";

const url = process.argv.at(-1) ?? "";
const engine = await createEngine({
  mcpServers: { suite: { url, confirm: "never" } },
  log: ({ message }) => process.stderr.write(`${message}\n`),
});
const tools = [...engine.tools.values()].filter(({ isRemote }) => isRemote);
if (tools.length > 0) {
  const plan = tools.map(({ name, input }, i) => ({ id: `call${i}`, tool: name, arguments: sample(input) }));
  const { status, error } = await engine.run({ plan });
  process.stderr.write(`${status} ${error?.message ?? ""}\n`);
  if (status !== "completed") process.exitCode = 1;
}
await engine.close();

function sample(schema: JsonObject | undefined): JsonObject {
  const properties = (schema?.properties ?? {}) as JsonObject;
  const value = (property: Json): Json => ((property as JsonObject).type === "number" ? 5 : "text");
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, value(property)]));
}
