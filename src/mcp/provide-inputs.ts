import { follow, WAIT_MS, WAIT_MS_MAX } from "./follow.ts";
import { CallError, numberArgument, objectArgument, type PlanTool, textArgument } from "./plan-tool.ts";
import { runAnswer } from "./run-answer.ts";

export const provideInputs: PlanTool = {
  name: "provide_inputs",
  title: "Answer what a run asks",
  description:
    "Gives a waiting run the user's answers, and the user's yes or no to steps that need one. Ask the user first; never answer for them.",
  inputSchema: {
    type: "object",
    properties: {
      run_id: { type: "string" },
      inputs: { type: "object", description: "by the names of the questions" },
      confirm: {
        type: "object",
        additionalProperties: { type: "boolean" },
        description: "by the ids of steps",
      },
      wait_ms: { type: "number" },
    },
    required: ["run_id"],
  },
  readOnly: false,
  destructive: true,
  call: async (exchange, { engine, fileToken }) => {
    const { args } = exchange;
    const id = textArgument(args, "run_id");
    const inputs = objectArgument(args, "inputs");
    const confirm = objectArgument(args, "confirm");
    const waitMs = numberArgument(args, "wait_ms", WAIT_MS, WAIT_MS_MAX);
    if (engine.find(id) === undefined) throw new CallError(`There is no run "${id}".`);
    if (Object.values(confirm).some((yes) => typeof yes !== "boolean"))
      throw new CallError('Each value in "confirm" is true or false.');
    const token = await fileToken();
    const run = await engine.resume(id, token === undefined ? {} : { fileToken: token });
    // A client that can ask people is not believed when it says that they have agreed.
    if (exchange.ask === undefined)
      for (const [step, yes] of Object.entries(confirm)) await run.confirm(step, yes === true);
    if (Object.keys(inputs).length > 0) await run.provideInputs(inputs);
    return runAnswer(engine, await follow(run, exchange, waitMs), []);
  },
};
