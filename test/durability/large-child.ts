/* Resumes a run with many results, in a process that has not the memory to hold them twice. */
import { createEngine } from "../../src/index.ts";

const [db = ""] = process.argv.slice(2);
const called: string[] = [];
const engine = await createEngine({
  store: { sqlite: db },
  tools: {
    work: (params: object, { stepId }: { readonly stepId: string }) => {
      called.push(stepId);
      return params;
    },
  },
});
const run = await engine.resume("large");
const { status, response } = await run.result;
await engine.close();
process.stdout.write(JSON.stringify({ status, response: response ?? null, called }));
