import type { Json, JsonObject, RunResult } from "../index.ts";
import { cutValue, valueAt } from "./cut-value.ts";
import { follow, WAIT_MS_MAX } from "./follow.ts";
import { CallError, numberArgument, type PlanTool, textArgument } from "./plan-tool.ts";
import { CHARACTERS_MAX, runAnswer } from "./run-answer.ts";

/** Of a part that was asked for by its path. */
const PART_CHARACTERS_MAX = 4 * CHARACTERS_MAX;

export const getRun: PlanTool = {
  name: "get_run",
  title: "Look at a run",
  description:
    'How a run stands, and any part of it: "path" such as "steps.find.result.items[3]" or "response.total"; "offset" goes on in a long text or list.',
  inputSchema: {
    type: "object",
    properties: {
      run_id: { type: "string" },
      path: { type: "string" },
      offset: { type: "number" },
      wait_ms: { type: "number", description: "how long to wait for its end" },
    },
    required: ["run_id"],
  },
  readOnly: true,
  destructive: false,
  call: async (exchange, { engine, fileToken }) => {
    const { args } = exchange;
    const id = textArgument(args, "run_id");
    const waitMs = numberArgument(args, "wait_ms", 0, WAIT_MS_MAX);
    let run = await engine.get(id);
    if (run === undefined) throw new CallError(`There is no run "${id}".`);
    if (waitMs > 0 && run.finishedAt === undefined) {
      const token = await fileToken();
      const live = await engine.resume(id, token === undefined ? {} : { fileToken: token });
      // Who only looks does not cancel when they go away.
      run = await follow(live, { ...exchange, signal: new AbortController().signal }, waitMs);
    }
    const path = typeof args.path === "string" ? args.path : "";
    if (path === "") return runAnswer(engine, run, []);
    return part(run, path, numberArgument(args, "offset", 0, Number.MAX_SAFE_INTEGER));
  },
};

function part(run: RunResult, path: string, offset: number): JsonObject {
  const { id, status, response, steps, context, error, execution } = run;
  const root = { response, steps, context, error, execution } as unknown as JsonObject;
  const value = stepAt(root, path) ?? valueAt(root, path);
  if (value === undefined) {
    const ids = Object.keys(steps).slice(0, 30).join(", ");
    throw new CallError(
      `There is nothing at "${path}". Steps: ${ids}. A step's value is at "steps.ID.result".`,
    );
  }
  const rest = from(value, offset);
  const shown = cutValue(rest, offset === 0 ? path : `${path} from ${offset}`, PART_CHARACTERS_MAX);
  return {
    run_id: id,
    status,
    path,
    value: shown.value,
    ...(shown.cut.length > 0 && { cut: shown.cut.slice(0, 20).map((cut) => ({ ...cut })) }),
  };
}

/** Ids of nested steps hold dots and brackets: `steps.outer.x[3].y.result`. */
function stepAt(root: JsonObject, path: string): Json | undefined {
  const steps = root.steps as JsonObject;
  if (!path.startsWith("steps.")) return undefined;
  const rest = path.slice("steps.".length);
  const id = Object.keys(steps)
    .filter((one) => rest === one || rest.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length)[0];
  if (id === undefined) return undefined;
  return valueAt(steps[id] as Json, rest.slice(id.length + 1));
}

function from(value: Json, offset: number): Json {
  if (offset === 0) return value;
  return typeof value === "string" || Array.isArray(value) ? (value as string | Json[]).slice(offset) : value;
}
