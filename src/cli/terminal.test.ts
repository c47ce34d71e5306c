import { describe, expect, it, vi } from "vitest";
import { hasTerminals, sequitur, sequiturInTerminal } from "../../test/run-cli.ts";
import { sampleProject } from "../../test/sample-project.ts";

// Every test starts processes, and machines may be busy.
vi.setConfig({ testTimeout: 60_000 });

const ESC = "\u001b";
const folder = sampleProject();

/** What a terminal shows in the end: cursor movements carried out, colours taken away. */
function shown(output: string): string[] {
  const lines = [""];
  let row = 0;
  for (const [token] of output.matchAll(/\u001b\[[?\d;]*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g)) {
    if (token === "\n") row++;
    else if (/^\u001b\[\d*A$/.test(token)) row -= Number(token.slice(2, -1));
    else if (token === `${ESC}[K`) lines[row] = lines[row] ?? "";
    else if (/^\u001b\[0?J$/.test(token)) {
      lines.length = row + 1;
      if (lines[row]?.startsWith("\r") === true) lines[row] = "";
    } else if (token === "\r") lines[row] = `\r${lines[row]?.replace(/^\r/, "") ?? ""}`;
    else if (!token.startsWith(ESC)) {
      const before = lines[row] ?? "";
      lines[row] = before.startsWith("\r") ? token : before + token;
    }
  }
  return lines.map((line) => line.replace(/^\r/, "").trimEnd());
}

describe.skipIf(!hasTerminals)("on a terminal (skipped without `script` of util-linux)", () => {
  it("draws the steps over themselves and leaves the whole tree", async () => {
    const { code, out } = await sequiturInTerminal(folder, ["run", "sum.agent.json"]);
    const text = shown(out).join("\n");
    expect(text).toMatch(
      /^ {2}✓ list +\d+ ms\n {2}✓ work +\d+ ms {2}3 items\n {2}✓ add +\d+ ms\n {2}- never +skipped/,
    );
    expect(text).toMatch(/\n\n✓ completed in .*\n\ntotal {2}12/);
    expect(out.startsWith(`${ESC}[?25l`)).toBe(true);
    expect(out.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(out.lastIndexOf(`${ESC}[?25l`));
    expect(out).toContain(`${ESC}[32m✓${ESC}[0m`);
    expect(code).toBe(0);
  });

  it("cuts lines to a narrow terminal and shows a part of a long plan", async () => {
    const { out } = await sequiturInTerminal(folder, ["run", "tall.plan.json"], {
      columns: 24,
      rows: 8,
      typed: [["… 16 below", "\u0003"]],
    });
    const drawn = out.slice(0, out.indexOf("cancelled")).replace(/\u001b\[[?\d;]*[A-Za-z]/g, "");
    const widths = drawn.split(/[\r\n]+/).map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThan(24);
  });

  it("has no colours where NO_COLOR says so", async () => {
    const { out } = await sequiturInTerminal(folder, ["run", "sum.agent.json"], { env: { NO_COLOR: "1" } });
    expect(out).not.toMatch(/\u001b\[[\d;]*m/);
    expect(out).toContain(`${ESC}[?25h`);
  });

  it("prints lines where the terminal cannot be redrawn", async () => {
    const { out } = await sequiturInTerminal(folder, ["run", "sum.agent.json"], { env: { TERM: "dumb" } });
    expect(out).not.toContain(ESC);
    expect(out).toMatch(/^✓ list \d+ ms\r\n/);
  });

  it("puts what tools print above the steps", async () => {
    const { out } = await sequiturInTerminal(folder, ["run", "talks.plan.json"]);
    expect(shown(out).slice(0, 3)).toEqual([
      "a tool talks",
      'talk: and logs {"n":1}',
      expect.stringMatching(/^ {2}✓ talk/),
    ]);
  });

  it("asks, reads by the schema, and asks again where an answer is none", async () => {
    const { code, out } = await sequiturInTerminal(folder, ["run", "asks.plan.json", "--quiet"], {
      typed: [
        ["to › ", "\r"],
        ["An answer is needed", "12\r"],
        ["copies › ", "many\r"],
        ["A number is needed", "0\r"],
        ["must be >= 1", "3\r"],
        ["y/n › ", "y\r"],
        ["tone › ", "nice\r"],
        ['It is one of "kind", "firm".', "kind\r"],
      ],
    });
    expect(out).toContain("The plan has 4 questions.");
    expect(out.replace(/\u001b\[[?\d;]*[A-Za-z]/g, "")).toContain("? Whom to write to  string, for mail");
    expect(shown(out).join("\n")).toMatch(/to {6}12\n *copies {2}3\n *urgent {2}true\n *tone {4}kind/);
    expect(code).toBe(0);
  });

  it("asks for a yes or no", async () => {
    const { code, out } = await sequiturInTerminal(folder, ["run", "confirms.plan.json"], {
      typed: [
        ["Change the world", "perhaps\r"],
        ["Please answer y or n.", "yes\r"],
      ],
    });
    expect(shown(out).join("\n")).toMatch(/✓ first .*\n {2}✓ risky/);
    expect(code).toBe(0);
  });

  it("leaves the run waiting at Ctrl-D, and cancels it at Ctrl-C", async () => {
    const left = await sequiturInTerminal(folder, ["run", "asks.plan.json"], {
      typed: [["to › ", "\u0004"]],
    });
    expect(left.out).toMatch(/sequitur input run_\w+ to=…/);
    expect(left.code).toBe(4);
    const cancelled = await sequiturInTerminal(folder, ["run", "asks.plan.json"], {
      typed: [["to › ", "\u0003"]],
    });
    expect(cancelled.code).toBe(130);
  });

  it("restores the cursor at Ctrl-C in the middle of a step", async () => {
    const { code, out } = await sequiturInTerminal(folder, ["run", "hangs.plan.json"], {
      typed: [["hanging", "\u0003"]],
    });
    expect(out.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(out.lastIndexOf(`${ESC}[?25l`));
    expect(shown(out).join("\n")).toContain("⊘ hang");
    expect(code).toBe(130);
  });

  it("asks for what is left when a run is resumed", async () => {
    const { out } = await sequitur(folder, [
      "run",
      "asks.plan.json",
      "--json",
      "--inputs",
      '{"to":"A","copies":1,"urgent":true}',
    ]);
    const { id } = JSON.parse(out);
    const { code } = await sequiturInTerminal(folder, ["resume", id], { typed: [["tone › ", "firm\r"]] });
    expect(code).toBe(0);
  });
});
