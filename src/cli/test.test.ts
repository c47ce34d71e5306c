import { describe, expect, it, vi } from "vitest";
import { folderWith, sequitur } from "../../test/run-cli.ts";

// Every test starts processes, and machines may be busy.
vi.setConfig({ testTimeout: 60_000 });

const plan = [
  { id: "find", tool: "find" },
  { id: "reply", tool: "reply", arguments: { to: "{{find.result.data[0].id}}" } },
];
const good = {
  name: "replies to the first",
  plan: "plans/reply.plan.json",
  tools: { find: { returns: { data: [{ id: "t1" }] } }, reply: { echo: true, delayMs: 3_600_000 } },
  expect: { status: "completed", calls: { reply: [{ to: "t1" }] } },
};
const bad = { ...good, name: "replies to nobody", expect: { status: "failed" } };

describe("sequitur test", () => {
  it("runs the tests of files and folders: exit code 0", async () => {
    const folder = folderWith({
      "plans/reply.plan.json": plan,
      "a.test.json": [good],
      "more/b.test.json": [{ ...good, plan: "../plans/reply.plan.json" }],
      "node_modules/x/c.test.json": [bad],
    });
    const { code, out } = await sequitur(folder, ["test"]);
    expect(out).toMatch(
      /^a\.test\.json\n {2}✓ replies to the first\n\nmore\/b\.test\.json\n {2}✓ replies to the first\n\n2 tests passed in /,
    );
    expect(code).toBe(0);
    expect((await sequitur(folder, ["test", "a.test.json"])).out).toContain("1 test passed");
  });

  it("says what was not as expected: exit code 1", async () => {
    const folder = folderWith({ "plans/reply.plan.json": plan, "a.test.json": [good, bad] });
    const { code, out } = await sequitur(folder, ["test", "a.test.json"]);
    expect(out).toContain('  ✗ replies to nobody\n      status: expected "failed", got "completed"\n');
    expect(out).toContain("2 tests, 1 failed in ");
    expect(code).toBe(1);
    const { ok, tests } = JSON.parse((await sequitur(folder, ["test", "a.test.json", "--json"])).out);
    expect(ok).toBe(false);
    expect(tests).toMatchObject([
      { file: "a.test.json", name: "replies to the first", passed: true },
      { passed: false, problems: [expect.stringContaining("expected")] },
    ]);
  });

  it("finds the plan that a workflow names beside the workflow", async () => {
    const folder = folderWith({
      "plans/reply.plan.json": plan,
      "plans/reply.workflow.json": { context_variables: {}, plan: "reply.plan.json" },
      "a.test.json": [{ ...good, plan: "plans/reply.workflow.json" }],
    });
    expect((await sequitur(folder, ["test", "a.test.json"])).out).toContain("1 test passed");
  });

  it("counts a file without tests as failed", async () => {
    const folder = folderWith({ "a.test.json": "{ broken" });
    const { code, out } = await sequitur(folder, ["test", "a.test.json"]);
    expect(out).toContain("are not JSON");
    expect(code).toBe(1);
  });

  it("uses the real tools that a test does not can", async () => {
    const { find } = good.tools;
    const folder = folderWith({
      "plans/reply.plan.json": plan,
      "tools.mjs": "export const reply = ({ to }) => ({ sent: to });",
      "a.test.json": [{ ...good, tools: { find }, expect: { steps: { reply: { result: { sent: "t1" } } } } }],
    });
    expect((await sequitur(folder, ["test", "a.test.json", "--tools", "tools.mjs"])).code).toBe(0);
  });

  it.each([
    [["nowhere.test.json"], /There is no file nowhere\.test\.json/],
    [[], /There are no tests/],
  ])("%j where there is nothing: exit code 2", async (args, message) => {
    const { code, err } = await sequitur(folderWith({}), ["test", ...args]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });
});
