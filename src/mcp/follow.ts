/* Waits for a run as long as a caller would, tells it how far things are, and asks the person behind it what the run asks. */
import type { Json, JsonObject, Run, RunResult } from "../index.ts";
import { type Exchange, isRecord } from "./plan-tool.ts";

export const WAIT_MS = 45_000;
export const WAIT_MS_MAX = 600_000;

/** Gives the run as it stands when it has ended, waits for somebody who cannot be asked here, or the time is up. */
export async function follow(run: Run, exchange: Exchange, waitMs: number): Promise<RunResult> {
  const until = Date.now() + waitMs;
  const cancel = (): void => void run.cancel("The caller has taken the call back.").catch(() => {});
  exchange.signal.addEventListener("abort", cancel, { once: true });
  const stop = watch(run, exchange);
  try {
    while (true) {
      await endedWithin(run, Math.max(0, until - Date.now()));
      if (!run.needsPerson || exchange.ask === undefined) return run.snapshot();
      if (!(await askPerson(run, exchange.ask))) return run.snapshot();
    }
  } finally {
    stop();
    exchange.signal.removeEventListener("abort", cancel);
  }
}

async function endedWithin(run: Run, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([run.endedOrAsked().then(() => {}), late]);
  clearTimeout(timer);
}

/** Progress of steps, after each turn in which there is some. */
function watch(run: Run, { progress }: Exchange): () => void {
  let told = -1;
  let off: () => void = () => {};
  let stopped = false;
  const look = (): void => {
    const steps = run.progress();
    const done = steps.filter(({ status }) => status !== "pending" && status !== "running").length;
    if (done > told) progress(done, steps.length, `${done} of ${steps.length} steps`);
    told = Math.max(told, done);
    // A turn that is being told of is over first: who listens anew within it would be told of it again.
    if (!run.isOver && !stopped) off = run.onTurn(() => void setImmediate(look));
  };
  look();
  return () => {
    stopped = true;
    off();
  };
}

/** One form with everything that is asked. False where the person did not answer. */
async function askPerson(run: Run, ask: NonNullable<Exchange["ask"]>): Promise<boolean> {
  const { questions = [] } = run.snapshot();
  const properties: Record<string, Json> = {};
  for (const { name, kind, schema, description } of questions)
    properties[name] =
      kind === "confirmation" ? confirmation(description ?? name) : field(schema, description ?? name);
  const message = `The plan needs ${questions.length === 1 ? "an answer" : `${questions.length} answers`} to go on.`;
  const answers = await ask(message, { type: "object", properties, required: Object.keys(properties) });
  if (answers === undefined) return false;
  const inputs: Record<string, Json> = {};
  let answered = false;
  for (const { name, kind, schema } of questions) {
    const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (value === undefined) continue;
    answered = true;
    if (kind === "confirmation") await run.confirm(name, value === true);
    else inputs[name] = typed(value, schema);
  }
  if (Object.keys(inputs).length > 0) await run.provideInputs(inputs);
  return answered;
}

function confirmation(description: string): JsonObject {
  return { type: "boolean", title: description, description: "true: go on. false: do not.", default: false };
}

/** Forms know texts, numbers, yes and no, and choices; anything else is written as JSON. */
function field(schema: Json | undefined, description: string): JsonObject {
  const given = isRecord(schema) ? schema : {};
  const { type, enum: choices } = given;
  if (Array.isArray(choices) && (choices as readonly Json[]).every((choice) => typeof choice === "string"))
    return { type: "string", title: description, enum: choices as readonly Json[] };
  if (type === "number" || type === "integer" || type === "boolean") return { type, title: description };
  const isText = type === undefined || type === "string";
  return { type: "string", title: isText ? description : `${description} (as JSON)` };
}

function typed(value: Json, schema: Json | undefined): Json {
  const type = isRecord(schema) ? schema.type : undefined;
  if (typeof value !== "string" || (type !== "array" && type !== "object")) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}
