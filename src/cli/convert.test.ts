import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sequitur } from "../../test/run-cli.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

describe("sequitur convert", () => {
  test("writes the plan to standard output, and says on standard error what has changed", async () => {
    const { code, out, err } = await sequitur(root, [
      "convert",
      "examples/scenarios/02-dependent-pair.actions.plan.json",
      "--to",
      "steps",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      name: "02-dependent-pair",
      steps: [{ tool: "facilities_list" }, {}],
    });
    expect(err).toContain("Steps are called by their numbers: find is 0");
  });

  test("gives every reason where the language has no words for something", async () => {
    const { code, out, err } = await sequitur(root, [
      "convert",
      "examples/scenarios/03-wildcard-fan-out.agent.json",
      "--to",
      "actions",
    ]);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain(
      'Step "deliveries" runs once for each item of a list; an action plan has no such steps.',
    );
  });

  test("asks for what is missing", async () => {
    const { code, err } = await sequitur(root, ["convert", "examples/scenarios/01-single-step.agent.json"]);
    expect(code).toBe(2);
    expect(err).toContain("Into which language?");
  });
});
