import { describe, expect, test } from "vitest";
import { sandboxed } from "./sandbox.ts";

const event = { kind: "TextEmitted", agent: "a", text: "done" };
const ask = (source: string) => sandboxed(source)(event);

describe("a function in the sandbox", () => {
  test.each([
    ["(event) => event.text === 'done'", true],
    ["event => event.text.length > 99", false],
    ["function (event) { return event.kind === 'TextEmitted'; }", true],
    ["function named({ text }) { return /^d.n/.test(text) } // why not", true],
    ["() => undefined", false],
    ["() => null", false],
  ])("%s is %s", (source, answer) => {
    expect(ask(source)).toBe(answer);
  });

  test("sees the whole event, whatever is in it", () => {
    const hostile = {
      kind: "ToolResponded",
      response: { text: "\"'`${}\u2028\\ </script>", list: [1, null] },
    };
    const source = `(event) => JSON.stringify(event.response) === ${JSON.stringify(JSON.stringify(hostile.response))}`;
    expect(sandboxed(source)(hostile)).toBe(true);
  });

  test.each([
    "process",
    "require",
    "globalThis.process",
    "console",
    "setTimeout",
    "fetch",
    "Date",
    "performance",
    "Math.random",
    "WebAssembly",
    "import.meta.url",
  ])("has no %s", (name) => {
    const answer = ask(`() => typeof ${name} !== 'undefined'`);
    expect(answer === false || (typeof answer === "object" && !answer.isFinal)).toBe(true);
  });

  test("keeps nothing from one call to the next", () => {
    const counts = sandboxed(
      "() => { globalThis.n = (globalThis.n ?? 0) + 1; Array.prototype.n = globalThis.n; return globalThis.n > 1; }",
    );
    expect([counts(event), counts(event), counts(event)]).toEqual([false, false, false]);
    expect(ask("() => [].n !== undefined")).toBe(false);
  });
});

describe("a hostile function", () => {
  test.each([
    "() => { for (;;); }",
    "() => { while (true) { try { for (;;); } catch {} finally {} } }",
    "() => /(a+)+$/.test('a'.repeat(60) + 'b')",
  ])("that runs for ever is stopped: %s", (source) => {
    expect(ask(source)).toEqual({ problem: "it ran for too long", isFinal: true });
  });

  test.each([
    "() => { const all = []; for (;;) all.push({}); }",
    "() => { const all = []; for (;;) all.push('x'.repeat(1000) + all.length); }",
    "() => { const all = []; for (;;) all.push(new Array(1000).fill(1)); }",
    "() => 'x'.repeat(5e6).split('').map((c) => c + c).length > 2",
    "() => { let list = null; for (;;) list = { list }; }",
  ])("that takes memory without end is stopped: %s", (source) => {
    expect(ask(source)).toEqual({ problem: "it used too much memory", isFinal: true });
  });

  test("that breaks the engine itself harms nobody else", () => {
    expect(ask("() => JSON.parse('['.repeat(1e5))")).toMatchObject({ isFinal: true });
    expect(ask("(event) => event.text === 'done'")).toBe(true);
  });

  test.each([
    ["() => { throw new Error('no') }", "it threw Error: no"],
    ["() => process.exit(1)", "it threw ReferenceError: 'process' is not defined"],
    ["() => { const f = () => f(); f(); }", "it threw InternalError: stack overflow"],
    ["() => { throw 'text' }", "it threw text"],
    ["async () => true", "it returned a promise; only true and false are answers"],
    ["() => import('fs')", "it returned a promise; only true and false are answers"],
    ["() => Promise.reject(1)", "it returned a promise; only true and false are answers"],
    ["() => 'yes'", "it returned a string; only true and false are answers"],
    ["() => ({})", "it returned an object; only true and false are answers"],
    ["() => 1n", "it returned a bigint; only true and false are answers"],
    ["5", "it threw TypeError: not a function"],
    ["=>", "it threw SyntaxError: unexpected token in expression: '=>'"],
  ])("%s: %s", (source, problem) => {
    expect(ask(source)).toEqual({ problem, isFinal: false });
  });

  test("gives the same answer every time", () => {
    const source =
      "(event) => { let n = 0; for (let i = 0; i < 1e5; i++) n = (n * 31 + i) % 1009; return n === event.n; }";
    const answers = Array.from({ length: 3 }, () =>
      [...Array(20).keys()].map((n) => sandboxed(source)({ n })),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});
