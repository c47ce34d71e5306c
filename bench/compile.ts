/*
 * `npm run bench:compile`: compiling and checking is linear in the size of a plan. Printed for each language and size: the
 * time, and its ratio to `JSON.parse` of the same text. Beside the plans that are fine there are some that are not, and
 * some that were made to hurt.
 */
import type { Json, JsonObject } from "../src/base/json.ts";
import { type CompileOptions, compile } from "../src/compiler.ts";
import { save } from "./save.ts";

const SIZES = [1_000, 10_000, 100_000];
const TARGET_RATIO = 20;

const text = { type: "string" };
const tools = {
  work: {
    input: {
      type: "object",
      properties: { id: text, from: text, count: { type: "number" } },
      required: ["id", "from"],
    },
    output: { type: "object", properties: { id: text, name: text, total: { type: "number" } } },
  },
};
const agents: Record<string, Json> = {
  "/work.agent": {
    arguments: ["id", "from"].map((name) => ({ name, type_name: "string" })),
    responses: ["id", "name"].map((name) => ({ name, type_name: "string" })),
    system_event_endpoint: "work",
  },
};

interface Workload {
  readonly name: string;
  readonly plan: (size: number) => Json;
  readonly options: CompileOptions;
  /** Not a plan that somebody would write: it only has to be linear. */
  readonly isHostile?: true;
}

function many(size: number, make: (i: number, before: number) => JsonObject): JsonObject[] {
  return Array.from({ length: size }, (_, i) => make(i, Math.max(0, i - 1 - (i % 7))));
}

const WORKLOADS: readonly Workload[] = [
  {
    name: "steps",
    options: { tools },
    plan: (size) => ({
      steps: many(size, (i, before) => ({
        tool: "work",
        params:
          i === 0
            ? { id: "a", from: "b" }
            : { id: `\${step[${before}].data.id}`, from: `after \${step[${i - 1}].data.name}`, count: i },
        dependsOn: i === 0 ? [] : [before],
      })),
    }),
  },
  {
    name: "actions",
    options: { tools },
    plan: (size) =>
      many(size, (i, before) => ({
        id: `step_${i}`,
        tool: "work",
        intent: "do the next thing",
        arguments:
          i === 0
            ? { id: "a", from: "b" }
            : { id: `{{step_${before}.result.id}}`, from: `after {{step_${i - 1}.result.name}}`, count: i },
      })),
  },
  {
    name: "agent",
    options: { agents },
    plan: (size) => ({
      instructions: many(size, (i, before) => ({
        execution_id: `step_${i}`,
        agent_definition_path: "/work.agent",
        arguments:
          i === 0 ? { id: "a", from: "b" } : { id: `REF:step_${before}.id`, from: `REF:step_${i - 1}.name` },
        ...(i % 10 === 9 && { conditions: [{ param: `REF:step_${before}.name`, operator: "exists" }] }),
      })),
    }),
  },
  {
    name: "agent, transforms",
    options: { agents },
    plan: (size) => ({
      instructions: many(size, (i, before) => ({
        execution_id: `step_${i}`,
        agent_definition_path: "/work.agent",
        arguments: { id: i === 0 ? "a" : `REF:step_${before}.id` },
        transform_arguments: {
          variables: { parts: ["x", "y"] },
          transforms: { from: "join(map(parts, item), ', ')" },
        },
      })),
    }),
  },
  {
    name: "actions, reversed",
    options: { tools },
    plan: (size) =>
      many(size, (i) => ({
        id: `s${i}`,
        tool: "work",
        arguments: { id: i + 1 === size ? "a" : `{{s${i + 1}.result.id}}`, from: "b" },
      })),
  },
  {
    name: "a mistake a step",
    isHostile: true,
    options: { tools },
    plan: (size) =>
      many(size, (i) => ({ id: `s${i}`, tool: "wrok", arguments: { id: `{{t${i}.result}}`, form: 1 } })),
  },
  {
    name: "one long string",
    isHostile: true,
    options: { tools },
    plan: (size) => [
      { id: "a", tool: "work", arguments: { id: "x", from: "y" } },
      { id: "b", tool: "work", arguments: { id: "{{a.result.id}} ".repeat(size), from: "z" } },
    ],
  },
];

/** The best of several, in processor time: what is measured is the work, not what else the machine does. */
function bestOf(times: number, run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

const only = process.argv[2];
const rows: object[] = [];
console.log("                        steps      text      parse    compile   per step   ratio");
for (const { name, plan, options, isHostile } of WORKLOADS.filter(
  (workload) => only === undefined || workload.name.startsWith(only),
)) {
  for (const size of SIZES) {
    const source = JSON.stringify(plan(size), null, 2);
    const times = size < 10_000 ? 30 : size < 100_000 ? 10 : 5;
    const parseMs = bestOf(times, () => JSON.parse(source));
    const compileMs = bestOf(times, () => compile(source, options));
    const ratio = compileMs / parseMs;
    rows.push({ name, steps: size, parseMs, compileMs, ratio });
    const columns = [
      name.padEnd(18),
      String(size).padStart(10),
      `${(source.length / 1e6).toFixed(1)} MB`.padStart(9),
      `${parseMs.toFixed(1)} ms`.padStart(10),
      `${compileMs.toFixed(1)} ms`.padStart(10),
      `${((1_000 * compileMs) / size).toFixed(2)} µs`.padStart(10),
      ratio.toFixed(1).padStart(7),
    ];
    console.log(`${columns.join(" ")}${ratio > TARGET_RATIO && !isHostile ? "  (above the target)" : ""}`);
  }
}
if (only === undefined) save("compile", rows);
