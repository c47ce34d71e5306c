/*
 * `npm run bench:tokens`: tokens that a model reads and writes for the ten scenarios: once with one model call a tool, once with one run_plan. The
 * conversation is scripted, the results are real: both ways run the same tools.
 *
 * What counts is what a model is given and gives, summed over its turns, since every turn reads the conversation so far.
 * Both ways end with the same answer. The second table has the same scenarios in a world of twenty times the size: what comes
 * back from tools is longer there, and so is what a model has to copy from one call to the next.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createEngine, type Engine, type Json, levels, type ToolDefinition } from "../src/index.ts";

const FOLDER = fileURLToPath(new URL("../examples/scenarios/", import.meta.url));
const BIN = fileURLToPath(new URL("../bin/sequitur.js", import.meta.url));
const SYSTEM = "You are a careful assistant. Use the tools to answer.";

interface Scenario {
  readonly name: string;
  readonly description: string;
  readonly plan: readonly { readonly id: string; readonly tool: string }[];
}

/** A conversation that is read anew at every turn. */
class Conversation {
  read = 0;
  written = 0;
  turns = 0;
  #context: number;

  constructor(...opening: readonly unknown[]) {
    this.#context = opening.reduce<number>((sum, part) => sum + tokens(part), 0);
  }

  /** The model reads everything so far and writes this. */
  write(message: unknown): void {
    this.read += this.#context;
    this.written += tokens(message);
    this.#context += tokens(message);
    this.turns++;
  }

  /** What comes back, to be read from the next turn on. */
  add(message: unknown): void {
    this.#context += tokens(message);
  }

  get total(): number {
    return this.read + this.written;
  }
}

function tokens(value: unknown): number {
  return countTokens(typeof value === "string" ? value : JSON.stringify(value));
}

/** The world of the scenarios, so many times; everything has ids of its own, and stands in the same cities. */
function worldFolder(times: number): string {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-tokens-"));
  copyFileSync(`${FOLDER}tools.mjs`, join(folder, "tools.mjs"));
  writeFileSync(join(folder, "sequitur.config.json"), JSON.stringify({ tools: "tools.mjs" }));
  const world = JSON.parse(readFileSync(`${FOLDER}world.json`, "utf8")) as Record<
    string,
    Record<string, unknown>[]
  >;
  const renamed = (value: unknown, key: string, i: number): unknown =>
    i > 0 && (key === "id" || key.endsWith("_id")) ? `${value}-${i}` : value;
  const repeated = Object.entries(world).map(([kind, items]) => [
    kind,
    Array.from({ length: times }, (_, i) =>
      items.map((item) =>
        Object.fromEntries(Object.entries(item).map(([key, value]) => [key, renamed(value, key, i)])),
      ),
    ).flat(),
  ]);
  writeFileSync(join(folder, "world.json"), JSON.stringify(Object.fromEntries(repeated)));
  return folder;
}

interface Place {
  readonly engine: Engine;
  readonly client: Client;
  readonly definitions: unknown;
  readonly served: unknown;
}

async function open(folder: string): Promise<Place> {
  const tools = (await import(pathToFileURL(join(folder, "tools.mjs")).href)) as Record<
    string,
    ToolDefinition
  >;
  const args = [BIN, "mcp", "--db", join(folder, "runs.db")];
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: "inherit" }),
  );
  const shown = ({
    name,
    description,
    inputSchema,
  }: {
    name: string;
    description?: string | undefined;
    inputSchema: unknown;
  }) => ({
    name,
    description,
    inputSchema,
  });
  return {
    engine: await createEngine({ tools: { ...tools } }),
    client,
    definitions: Object.values(tools).map(({ name, description, input }) =>
      shown({ name, description, inputSchema: input }),
    ),
    served: (await client.listTools()).tools.map(shown),
  };
}

/** One model call a tool, or one a level where a model calls at once what does not depend on each other. */
async function oneByOne(
  { engine, definitions }: Place,
  scenario: Scenario,
  atOnce: boolean,
): Promise<Conversation> {
  const { steps, id } = await engine.run(scenario as unknown as Json, { mode: "continue" });
  const program = await engine.program(id);
  const order = atOnce && program !== undefined ? levels(program) : scenario.plan.map((step) => [step.id]);
  const conversation = new Conversation(SYSTEM, definitions, scenario.description);
  for (const level of order) {
    const called = level
      .map((step) => steps[step])
      .filter((step) => step !== undefined && step.arguments !== null);
    if (called.length === 0) continue;
    conversation.write(
      called.map((step) => ({ name: toolOf(scenario, step?.id), arguments: step?.arguments })),
    );
    for (const step of called) conversation.add(step?.error ?? step?.result);
  }
  conversation.write(steps.answer?.result);
  return conversation;
}

function toolOf({ plan }: Scenario, id: string | undefined): string | undefined {
  return plan.find((step) => step.id === id)?.tool;
}

async function onePlan({ client, served }: Place, scenario: Scenario): Promise<Conversation> {
  const conversation = new Conversation(SYSTEM, client.getInstructions() ?? "", served, scenario.description);
  const call = async (name: string, args: Record<string, unknown>): Promise<Json> => {
    conversation.write({ name, arguments: args });
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
    conversation.add((content as { text: string }[])[0]?.text);
    return structuredContent as Json;
  };
  const { result } = (await call("run_plan", { plan: { plan: scenario.plan }, return: ["answer"] })) as {
    result: Json;
  };
  conversation.write(result);
  return conversation;
}

async function measure(times: number): Promise<void> {
  const folder = worldFolder(times);
  const place = await open(folder);
  const rows: string[][] = [
    [`world × ${times}`, "tools", "one by one", "level by level", "run_plan", "saved"],
  ];
  const sums = [0, 0, 0];
  for (const file of readdirSync(FOLDER)
    .filter((name) => name.endsWith(".actions.plan.json"))
    .sort()) {
    const scenario = JSON.parse(readFileSync(`${FOLDER}${file}`, "utf8")) as Scenario;
    const conversations = [
      await oneByOne(place, scenario, false),
      await oneByOne(place, scenario, true),
      await onePlan(place, scenario),
    ];
    const totals = conversations.map(({ total }) => total);
    for (const [i, total] of totals.entries()) sums[i] = (sums[i] ?? 0) + total;
    rows.push([scenario.name, String(scenario.plan.length), ...totals.map(String), saving(totals)]);
  }
  rows.push(["all", "", ...sums.map(String), saving(sums)]);
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(15))).join("");
  process.stdout.write(`${rows.map(line).join("\n")}\n\n`);
  await place.client.close();
  await place.engine.close();
  rmSync(folder, { recursive: true, force: true });
}

for (const times of [1, 20]) await measure(times);

function saving([before = 0, , after = 0]: readonly number[]): string {
  return `${Math.round((1 - after / before) * 100)} %`;
}
