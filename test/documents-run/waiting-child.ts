/*
 * A process of its own that starts a run which needs a person, says what keeps it alive, and comes to its end by itself: nothing
 * here ends it. With `answer`, the run is answered and goes on.
 */
import { createHook } from "node:async_hooks";
import { createEngine } from "../../src/index.ts";

/** Timers and threads, also those that would not keep the process alive. */
const held = new Map<number, string>();
const HELD = new Set(["Timeout", "WORKER", "MESSAGEPORT"]);
createHook({
  init: (id, type) => void (HELD.has(type) && held.set(id, type)),
  destroy: (id) => void held.delete(id),
}).enable();

const [file, answer] = process.argv.slice(2);
const store = file === undefined || file === "memory" ? ("memory" as const) : { sqlite: file };
const engine = await createEngine({ store, tools: { echo: (params: object) => params, give: () => 1 } });
const plan = [
  { id: "a", tool: "give" },
  { id: "b", tool: "echo", arguments: { n: "{{a.result}}", x: "{{PLACEHOLDER_x}}" } },
  { id: "c", tool: "give", dependencies: ["a"], requires_confirmation: true },
];
const run = await engine.start(plan, { eager: true });
const { status, questions } = await run.endedOrAsked();
// Destroyed resources are reported a moment later.
for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
const resources = process
  .getActiveResourcesInfo()
  .filter((kind) => !/^(TTY|Pipe|FS|File|CloseReq)/.test(kind));
report({ status, questions: questions?.map(({ name }) => name), resources, held: [...held.values()] });

if (answer === "answer") {
  const turns = countTurns();
  await run.provideInputs({ x: 5 });
  await run.confirm("c", true);
  const result = await run.result;
  report({ status: result.status, b: result.steps.b?.result, turns: turns() });
}

/** Turns of the event loop from here on. */
function countTurns(): () => number {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    counting = false;
    return turns;
  };
}

function report(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
