import { describe, expect, it } from "vitest";
import { folderWith, sequitur } from "../../test/run-cli.ts";

const folder = folderWith({ "plan.json": [{ id: "a", tool: "x" }] });

describe("sequitur", () => {
  it("lists its commands", async () => {
    const { code, out, err } = await sequitur(folder, ["--help"]);
    expect(code).toBe(0);
    expect(err).toBe("");
    expect(out).toContain("check");
    expect(out).toContain("graph");
    expect((await sequitur(folder, ["help"])).out).toBe(out);
  });

  it("explains a command", async () => {
    const { code, out } = await sequitur(folder, ["check", "plan.json", "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: sequitur check FILE… \[--json\] \[--fix\] \[--tools MODULE\]… /);
    expect((await sequitur(folder, ["help", "check"])).out).toBe(out);
  });

  it("prints its version", async () => {
    const { code, out } = await sequitur(folder, ["--version"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [[], /Which command\?/],
    [["chek"], /There is no command "chek"\. Did you mean check\?/],
    [["--verison"], /There is no option "--verison"/],
    [["check"], /Which plan\?/],
    [["check", "--jsn", "plan.json"], /There is no option --jsn here\. Did you mean --json\?/],
    [["check", "plan.json", "--agents"], /--agents needs a value: --agents DIR/],
    [["check", "plan.json", "--agents", "--json"], /"--json" looks like an option/],
    [["check", "plan.json", "--json=yes"], /--json takes no value/],
    [["graph", "plan.json", "--format", "mermiad"], /--format cannot be "mermiad"\. Did you mean mermaid\?/],
    [["runs", "plan.json"], /runs takes no operand: "plan\.json"/],
    [["convert", "plan.json"], /Into which language\?/],
    [["graph", "plan.json", "other.json"], /One plan at a time/],
    [["graph", "paln.json"], /There is no file paln\.json\. Did you mean plan\.json\?/],
  ])("calls %j a usage error", async (args, message) => {
    const { code, out, err } = await sequitur(folder, args);
    expect(err).toMatch(message);
    expect(out).toBe("");
    expect(code).toBe(2);
  });

  it("keeps colours off a pipe", async () => {
    const wrong = folderWith({ "plan.json": [{ id: "a", tool: 5 }] });
    const { code, err } = await sequitur(wrong, ["check", "plan.json"]);
    expect(code).toBe(1);
    expect(err).not.toContain("\u001b");
  });
});
