import { CallError, type PlanTool, textArgument } from "./plan-tool.ts";
import { runAnswer } from "./run-answer.ts";

export const cancelRun: PlanTool = {
  name: "cancel_run",
  title: "Cancel a run",
  description: "Ends a run: nothing more is called. What its steps gave stays to be looked at.",
  inputSchema: {
    type: "object",
    properties: { run_id: { type: "string" }, reason: { type: "string" } },
    required: ["run_id"],
  },
  readOnly: false,
  destructive: true,
  call: async ({ args }, { engine }) => {
    const id = textArgument(args, "run_id");
    if (engine.find(id) === undefined) throw new CallError(`There is no run "${id}".`);
    const reason = typeof args.reason === "string" ? args.reason : "";
    return runAnswer(engine, await engine.cancel(id, reason), []);
  },
};
