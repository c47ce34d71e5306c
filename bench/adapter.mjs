// Sequitur in the peer benchmark: the engine as its users get it, through its public API. Chains, graphs and the five-step
// plan are action plans; the map is an agent definition, the language that has one.
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compileTemplate, createEngine } from "../dist/bundle/index.js";

const { version: current } = createRequire(import.meta.url)("../package.json");

export const name = "sequitur";
export const version = current;

/** `{"$ref":"a.b"}` and `"…{{a.b}}…"` as action plans write them: `{{a.result.b}}`. */
function actionValue(value) {
  if (typeof value === "string") return value.replace(/\{\{\s*([\w-]+)/g, "{{$1.result");
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(actionValue);
  if (typeof value.$ref === "string") return `{{${value.$ref.replace(/^([\w-]+)/, "$1.result")}}}`;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, actionValue(item)]));
}

/** The same as agents write them: `REF:a.b`; the result of a fan-out is its `response`. */
function agentValue(value, maps) {
  if (value === null || typeof value !== "object") return value;
  if (typeof value.$ref !== "string") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, agentValue(item, maps)]));
  }
  const [id, ...path] = value.$ref.split(".");
  return `REF:${[id, ...(maps.has(id) ? ["response"] : []), ...path].join(".")}`;
}

/** `{"$ref":"a.b"}` as the way to the value: `["a", "b"]`. */
function stepValue(value) {
  if (typeof value.$ref === "string") return value.$ref.split(".");
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, stepValue(item)]));
}

function instruction({ id, tool, args, map }, maps) {
  const call = { execution_id: id, agent_definition: { system_event_endpoint: tool } };
  if (map === undefined) return { ...call, arguments: agentValue(args, maps) };
  const [argument] = Object.keys(args);
  const parallel = { iterate_over: agentValue(map, maps), child_argument_name: argument };
  return { ...call, parallel_execution: parallel };
}

export function toNative({ steps, output }) {
  const maps = new Set(steps.filter((step) => step.map !== undefined).map((step) => step.id));
  if (maps.size === 0) {
    return {
      plan: steps.map(({ id, tool, args }) => ({ id, tool, arguments: actionValue(args) })),
      metadata: { output: stepValue(output) },
    };
  }
  return {
    instructions: steps.map((step) => instruction(step, maps)),
    response_reference_map: { output: agentValue(output, maps) },
  };
}

/** One engine for all plans that use the same tools, as a program would have it. */
const engines = new WeakMap();

async function engineFor(tools) {
  const engine = await createEngine({ tools });
  engines.set(tools, engine);
  return engine;
}

function compiled(engine, native) {
  const { program, diagnostics } = engine.compile(native);
  if (program === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return program;
}

export function build(native, tools) {
  const engine = engines.get(tools);
  if (engine === undefined) return engineFor(tools).then((made) => handle(made, native));
  return handle(engine, native);
}

function handle(engine, native) {
  return { engine, program: compiled(engine, native), output: native.metadata?.output };
}

export async function run({ engine, program, output }) {
  return outcome(await engine.start(program), output);
}

/** An agent's mapped response, or, for action plans, which have none, values of steps. */
async function outcome(run, output) {
  const { status, response, error } = await run.result;
  if (status !== "completed") throw new Error(`${status}: ${error?.message}`);
  return output === undefined ? response.output : outputOf(run, output);
}

function outputOf(run, output) {
  if (!Array.isArray(output)) {
    const values = {};
    for (const key in output) values[key] = outputOf(run, output[key]);
    return values;
  }
  let value = run.step(output[0]).result;
  for (let i = 1; i < output.length; i++) value = value[output[i]];
  return value;
}

export const durable = {
  async open(dir, { synchronous }) {
    const durability = synchronous === "FULL" ? "full" : "relaxed";
    return { store: { sqlite: join(dir, `sequitur-${synchronous}.db`), durability }, engine: undefined };
  },
  async build(session, native, tools) {
    session.engine ??= await createEngine({ tools, store: session.store });
    if (session.tools !== undefined && session.tools !== tools) {
      await session.engine.close();
      session.engine = await createEngine({ tools, store: session.store });
    }
    session.tools = tools;
    return handle(session.engine, native);
  },
  async run({ engine }, { program, output }, runId) {
    return outcome(await engine.start(program, { runId }), output);
  },
  async resume({ engine }, { output }, runId) {
    return outcome(await engine.resume(runId), output);
  },
  /** A result for each step, and one for each item of a map, whose own result they are. */
  async count({ engine }, runId) {
    const { steps } = await engine.get(runId);
    const done = Object.values(steps).filter(({ status }) => status === "completed");
    const maps = new Set(
      done.filter(({ id }) => id.includes("[")).map(({ id }) => id.slice(0, id.indexOf("["))),
    );
    return done.length - maps.size;
  },
  async close({ engine, store }) {
    await engine?.close();
    rmSync(store.sqlite, { force: true });
  },
};

const STEPS = ["user", "orders", "weather", "report", "search"];

export const resolve = {
  prepare: actionValue,
  compile(template) {
    const { fill, diagnostics } = compileTemplate(template, STEPS);
    if (fill === undefined) throw new Error(diagnostics[0]?.message);
    return fill;
  },
};
