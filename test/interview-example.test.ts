import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEngine } from "../src/index.ts";

const source = readFileSync(new URL("../examples/interview.workflow.json", import.meta.url), "utf8");

test("the interview goes on until the agent says TERMINATE; then the next steps run", async () => {
  const tools = await import(new URL("../examples/tools/interview.mjs", import.meta.url).href);
  const engine = await createEngine({ tools: { ...tools } });
  const run = await engine.start(source, { context: { role: "baker" } });
  const result = await run.result;
  expect(result).toMatchObject({
    status: "completed",
    context: { role: "baker", interview_complete: true, long_interview: false },
    steps: { second_round: { result: { booked: true } } },
  });
  const said: unknown[] = [];
  let changedAfter: unknown;
  for await (const event of run.events) {
    if (event.kind === "TextEmitted" && event.agent === "InterviewAgent") said.push(event.text);
    if (event.kind === "ContextChanged") changedAfter = said.at(-1);
  }
  expect(said).toHaveLength(4);
  expect(said[0]).toContain("our baker");
  expect(changedAfter).toBe("TERMINATE");
  expect(result.steps.summary?.result).toEqual({
    summary: "A baker: Things that grow. Twelve years of apple trees. In March.",
  });
});
