/* Document 4 and section 4 of the language, run: plans and values of our own. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { affectedBy, dependencies, levels, PlanError, type Program } from "../../src/index.ts";
import { type Scene, scene, statuses } from "../scene.ts";
import { echo } from "./short-actions.ts";

function compiled(stage: Scene, plan: Json): Program {
  const { program, diagnostics } = stage.engine.compile(plan);
  if (program === undefined) throw new PlanError(diagnostics);
  return program;
}

/** What a step gets whose argument `x` is `reference`, after a step `src` that gave `value`. */
async function seen(value: Json, reference: Json): Promise<Json> {
  const stage = await scene({ first: () => value });
  const result = await stage.run([echo("it", { x: reference }), { id: "src", tool: "first" }]);
  expect(result.error).toBeUndefined();
  return stage.calls.find(({ stepId }) => stepId === "it")?.params.x ?? null;
}

describe("a mail to somebody who is looked up first", () => {
  const people = [
    { name: "Mara Beck", email: "mara@hof.example" },
    { name: "Nils Ott", email: "nils@hof.example" },
  ];
  const tools = {
    find_person: ({ input }: { input: { filters: { name: string } } }) => ({
      data: people.filter(({ name }) => name.startsWith(input.filters.name)),
    }),
    send_mail: ({ input }: { input: { to: string } }) => ({ sent: input.to }),
  };
  const plan = (name: string) => [
    {
      id: "find_mara",
      tool: "find_person",
      arguments: { input: { entityType: "Person", filters: { name } } },
    },
    {
      id: "send_mail",
      tool: "send_mail",
      arguments: {
        input: {
          to: "{{find_mara.result.data[0].email}}",
          subject: "Greetings",
          body: "Dear {{find_mara.result.data[0].name}}, see you!",
        },
      },
    },
  ];

  test("the second step gets her address and her name", async () => {
    const stage = await scene(tools);
    const result = await stage.run(plan("Mara"));
    expect(result.status).toBe("completed");
    expect(result.steps.find_mara).toMatchObject({ status: "completed", result: { data: [people[0]] } });
    expect(stage.calls[1]?.params).toEqual({
      input: { to: "mara@hof.example", subject: "Greetings", body: "Dear Mara Beck, see you!" },
    });
    expect(result.steps.send_mail?.result).toEqual({ sent: "mara@hof.example" });
  });

  test("nobody found: the data is missing, and no mail is sent", async () => {
    const stage = await scene(tools);
    const result = await stage.run(plan("Zoe"));
    expect(statuses(result)).toEqual({ find_mara: "completed", send_mail: "failed" });
    expect(result.steps.send_mail?.error?.message).toMatch(
      /^Missing data: .*find_mara\.result\.data\[0\]\.email/,
    );
    expect(stage.called).toEqual(["find_mara"]);
  });

  test("a step that isn't there: the plan is rejected, and nothing is called", async () => {
    const stage = await scene(tools);
    const [, mail] = plan("Mara");
    await expect(stage.engine.run([mail] as Json)).rejects.toThrow(/^Invalid reference: /);
    expect(stage.calls).toEqual([]);
  });
});

describe("references", () => {
  test.each([
    [{ n: 0 }, "{{src.result.n}}", 0],
    [false, "{{src.result}}", false],
    [null, "{{src.result}}", null],
    ["", "{{ src.result }}", ""],
    [[{ id: 1 }, { id: 2 }], "{{src.result[*].id}}", [1, 2]],
    [[{ id: 1 }, { id: 2 }], "{{src.result.length}}", 2],
    [{ a: { b: [1, [2]] } }, "{{src.result.a.b[1][0]}}", 2],
    [{ a: 1 }, "n={{src.result.a}} of {{src.result}}", 'n=1 of {"a":1}'],
    [null, "<{{src.result}}>", "<null>"],
    [{ a: 1 }, "{{{src.result.a}}}", "{1}"],
    ["x", "\\{{src.result}}", "{{src.result}}"],
    ["x", "\\\\{{src.result}}", "\\x"],
    ['", "admin": true, "y": "', "{{src.result}}", '", "admin": true, "y": "'],
    ['", "admin": true, "y": "', "v: {{src.result}}", 'v: ", "admin": true, "y": "'],
    [
      "{{src.result}} {{PLACEHOLDER_x}} ${step[0].data}",
      "{{src.result}}",
      "{{src.result}} {{PLACEHOLDER_x}} ${step[0].data}",
    ],
    [{ status: "own" }, "{{src.result.status}}", "own"],
  ])("%j: %s is %j", async (value, reference, expected) => {
    expect(await seen(value, reference)).toEqual(expected);
  });

  test.each([["{{src}}"], ["{{src.status}}"], ["{{src.data[0]}}"]])(
    "%s is an error that suggests .result",
    async (text) => {
      const stage = await scene();
      const { diagnostics } = stage.engine.compile([echo("src"), echo("it", { x: text })]);
      expect(diagnostics[0]?.hints.join()).toContain("{{src.result");
    },
  );

  test("the root is exactly what the tool returned", async () => {
    expect(await seen({ result: { result: 5 } }, "{{src.result.result.result}}")).toBe(5);
  });
});

describe("the diamond", () => {
  // Written upside down: the order of the steps means nothing.
  const plan = [
    echo("D", { b: "{{B.result.n}}", c: "{{C.result.n}}" }),
    { id: "C", tool: "wait", arguments: { ms: 30, value: { n: "{{A.result.n}}" } } },
    { id: "B", tool: "wait", arguments: { ms: 10, value: { n: "{{A.result.n}}" } } },
    { id: "A", tool: "wait", arguments: { ms: 5, value: { n: 1 } } },
  ];

  test("B and C run at the same time, D after both", async () => {
    const stage = await scene();
    const { status, steps } = await stage.run(plan);
    expect([status, steps.D?.result]).toEqual(["completed", { b: 1, c: 1 }]);
    const at = Object.fromEntries(stage.calls.map((call) => [call.stepId, call.at]));
    expect(at).toEqual({ A: 0, B: 5, C: 5, D: 35 });
  });

  test("has three levels", async () => {
    const program = compiled(await scene(), plan);
    expect(levels(program)).toEqual([["A"], ["C", "B"], ["D"]]);
    expect(dependencies(program)).toEqual({ A: [], B: ["A"], C: ["A"], D: ["C", "B"] });
  });
});

describe("the exercise: a chain with a short cut", () => {
  const plan = [
    { id: "A", tool: "give", arguments: { value: { data: [{ email: "ute@hof.example" }] } } },
    { id: "B", tool: "mails", arguments: { input: { from: "{{A.result.data[0].email}}" } } },
    { id: "C", tool: "summary", arguments: { input: { text: "{{B.result.data[0].body}}" } } },
    {
      id: "D",
      tool: "echo",
      arguments: { input: { to: "{{A.result.data[0].email}}", body: "{{C.result.summary}}" } },
    },
  ];
  const tools = {
    mails: ({ input }: { input: { from: string } }) => ({ data: [{ body: `mail of ${input.from}` }] }),
    summary: ({ input }: { input: { text: string } }) => ({ summary: input.text.toUpperCase() }),
  };

  test("its graph, its order, and what a failure of each step affects", async () => {
    const program = compiled(await scene(tools), plan);
    expect(dependencies(program)).toEqual({ A: [], B: ["A"], C: ["B"], D: ["A", "C"] });
    expect(levels(program)).toEqual([["A"], ["B"], ["C"], ["D"]]);
    expect(affectedBy(program, "B")).toEqual(["C", "D"]);
    expect(affectedBy(program, "A")).toEqual(["B", "C", "D"]);
    expect(affectedBy(program, "D")).toEqual([]);
  });

  test("runs in that order", async () => {
    const stage = await scene(tools);
    const { steps } = await stage.run(plan);
    expect(stage.called).toEqual(["A", "B", "C", "D"]);
    expect(steps.D?.result).toEqual({ input: { to: "ute@hof.example", body: "MAIL OF UTE@HOF.EXAMPLE" } });
  });

  test("where B fails, what affectedBy names is blocked, naming B", async () => {
    const stage = await scene({
      ...tools,
      mails: () => {
        throw new Error("the mailbox is shut");
      },
    });
    const result = await stage.run(plan);
    expect(result.status).toBe("failed");
    expect(statuses(result)).toEqual({ A: "completed", B: "failed", C: "blocked", D: "blocked" });
    for (const id of ["C", "D"])
      expect(result.steps[id]?.reason).toContain('"B" failed: the mailbox is shut');
  });
});
