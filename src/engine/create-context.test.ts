import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../base/json.ts";
import {
  type ContextChange,
  type ContextProvider,
  createContext,
  PlanError,
  SequiturError,
} from "../index.ts";

/** As document 5 has it. */
const interview = {
  derived_variables: [
    {
      name: "interview_complete",
      description: "True once the interview agent terminates the onboarding chat.",
      default: false,
      triggers: [{ type: "agent_text", agent: "InterviewAgent", match: { equals: "TERMINATE" } }],
    },
  ],
};

const said = (text: string, agent = "InterviewAgent") => ({ kind: "TextEmitted", agent, text }) as const;

class Provider implements ContextProvider {
  readonly name: string;
  readonly values: Map<string, unknown>;
  readonly sets: [string, Json][] = [];
  constructor(name: string, values: JsonObject = {}) {
    this.name = name;
    this.values = new Map(Object.entries(values));
  }
  get(key: string): unknown {
    return this.values.get(key);
  }
  set(key: string, value: Json): void {
    this.sets.push([key, value]);
    this.values.set(key, value);
  }
}

describe("the document's example", () => {
  test("the default is seeded into every provider, and TERMINATE sets it to true in all of them", () => {
    const context = createContext(interview);
    const providers = ["workflow", "group", "agent"].map((name) => new Provider(name));
    for (const provider of providers) context.register(provider);
    context.seed();
    expect(context.get("interview_complete")).toBe(false);
    expect(providers.map((provider) => provider.get("interview_complete"))).toEqual([false, false, false]);
    context.observe(said("TERMINATE"));
    expect(context.get("interview_complete")).toBe(true);
    expect(providers.map((provider) => provider.get("interview_complete"))).toEqual([true, true, true]);
  });

  test.each([
    "TERMINATE ",
    " TERMINATE",
    "terminate",
    "Terminate",
    "TERMINATE.",
    "TERMINATE\n",
    "",
    "I will TERMINATE now",
    "TERMINATETERMINATE",
  ])("%j does not", (text) => {
    const context = createContext(interview);
    context.observe(said(text));
    expect(context.get("interview_complete")).toBe(false);
  });

  test.each(["OtherAgent", "interviewagent", "InterviewAgent ", ""])("%j saying it does not", (agent) => {
    const context = createContext(interview);
    context.observe(said("TERMINATE", agent));
    expect(context.get("interview_complete")).toBe(false);
  });

  test.each([
    { kind: "TurnTaken", agent: "InterviewAgent" },
    { kind: "ToolResponded", tool: "InterviewAgent", status: "succeeded", response: "TERMINATE" },
    { kind: "TimerFired", name: "interview_complete" },
    { kind: "InputProvided", name: "interview_complete", value: "TERMINATE" },
  ] as const)("nor does $kind", (event) => {
    const context = createContext(interview);
    context.observe(event);
    expect(context.get("interview_complete")).toBe(false);
  });

  test("nothing sets it back, and the change is told once", () => {
    const context = createContext(interview);
    const provider = new Provider("workflow");
    const changes: ContextChange[] = [];
    context.register(provider);
    context.seed();
    context.onChange((change) => changes.push(change));
    for (const text of ["hello", "TERMINATE", "TERMINATE", "hello again"]) context.observe(said(text));
    expect(context.get("interview_complete")).toBe(true);
    expect(changes).toEqual([{ name: "interview_complete", value: true, event: said("TERMINATE") }]);
    expect(provider.sets).toEqual([
      ["interview_complete", false],
      ["interview_complete", true],
    ]);
  });
});

describe("providers", () => {
  test("that join later get the current value", () => {
    const context = createContext(interview);
    context.seed();
    const before = new Provider("before");
    context.register(before);
    expect(before.get("interview_complete")).toBe(false);
    context.observe(said("TERMINATE"));
    const after = new Provider("after", { interview_complete: false });
    context.register(after);
    expect(after.get("interview_complete")).toBe(true);
    expect(after.sets).toEqual([["interview_complete", true]]);
  });

  test("keep a value from an earlier part of the run", () => {
    const context = createContext(interview);
    const resumed = new Provider("workflow", { interview_complete: true });
    const fresh = new Provider("agent");
    context.register(resumed);
    context.register(fresh);
    context.seed();
    expect(resumed.sets).toEqual([]);
    expect([fresh.get("interview_complete"), context.get("interview_complete")]).toEqual([true, true]);
  });

  test("keep false where the default is true", () => {
    const declared = { derived_variables: [{ name: "open", default: true, triggers: [] }] };
    const context = createContext(declared);
    const provider = new Provider("workflow", { open: false });
    context.register(provider);
    context.seed();
    expect([provider.get("open"), context.get("open")]).toEqual([false, false]);
  });

  test("are seeded once, however often seed is called and they are registered", () => {
    const context = createContext(interview);
    const provider = new Provider("workflow");
    context.register(provider);
    context.register(provider);
    context.seed();
    context.seed();
    expect(provider.sets).toEqual([["interview_complete", false]]);
  });
});

describe("values of a run that is resumed", () => {
  test("are kept", () => {
    const context = createContext(interview, { values: { interview_complete: true } });
    const provider = new Provider("late");
    context.seed();
    context.register(provider);
    expect([context.get("interview_complete"), provider.get("interview_complete")]).toEqual([true, true]);
    expect(context.observe(said("TERMINATE"))).toEqual([]);
  });

  test("false stays open to triggers", () => {
    const context = createContext(interview, { values: { interview_complete: false } });
    context.observe(said("TERMINATE"));
    expect(context.get("interview_complete")).toBe(true);
  });
});

describe("the three classes", () => {
  const declared = {
    defined_variables: [
      {
        name: "mail",
        type: "string",
        default: "a@b.c",
        database: { collection: "users", search_by: { id: 1 }, field: "mail" },
      },
    ],
    runtime_variables: [{ name: "count", type: "number", default: 0 }, { name: "notes" }],
    ...interview,
  };

  test("have their defaults, or null; a default that is absent is false for a derived one", () => {
    expect(createContext(declared).values()).toEqual({
      mail: "a@b.c",
      count: 0,
      notes: null,
      interview_complete: false,
    });
    expect(createContext({ derived_variables: [{ name: "x", triggers: [] }] }).get("x")).toBe(false);
  });

  test("a runtime or defined variable can be set, and the change is told", () => {
    const context = createContext(declared);
    const changes: unknown[] = [];
    const stop = context.onChange((change) => changes.push(change));
    const notes = { list: [1] };
    context.set("notes", notes);
    notes.list.push(2);
    context.set("count", 0);
    context.set("mail", "x@y.z");
    stop();
    context.set("count", 5);
    expect(context.get("notes")).toEqual({ list: [1] });
    expect(changes).toEqual([
      { name: "notes", value: { list: [1] } },
      { name: "mail", value: "x@y.z" },
    ]);
  });

  test("a derived one cannot", () => {
    const context = createContext(declared);
    expect(() => context.set("interview_complete", true)).toThrow(
      `Cannot set a context variable: "interview_complete" is a derived variable: only its triggers set it.`,
    );
    expect(context.get("interview_complete")).toBe(false);
  });

  test("unknown names and wrong types are errors", () => {
    const context = createContext(declared);
    expect(() => context.set("cuont", 1)).toThrow(
      `there is no context variable "cuont"; did you mean "count"?`,
    );
    expect(() => context.get("cuont")).toThrow(SequiturError);
    expect(() => context.get("constructor")).toThrow(SequiturError);
    expect(() => context.set("count", "5")).toThrow(`"count" must be a number, but this is the text "5"`);
    context.set("count", null);
    expect(context.get("count")).toBeNull();
  });
});

describe("declarations", () => {
  test("with or without their wrapper, parsed or as text", () => {
    for (const source of [
      interview,
      { context_variables: interview },
      JSON.stringify({ context_variables: interview }),
    ]) {
      const context = createContext(source);
      context.observe(said("TERMINATE"));
      expect(context.get("interview_complete")).toBe(true);
    }
  });

  test("that declare nothing do nothing, at no cost: observing is one shared function", () => {
    const one = createContext({});
    const other = createContext({ runtime_variables: [{ name: "x" }], derived_variables: [] });
    expect(one.observe).toBe(other.observe);
    expect(one.observe(said("TERMINATE"))).toEqual([]);
    const provider = new Provider("workflow");
    one.register(provider);
    one.seed();
    expect(provider.sets).toEqual([]);
  });

  test("that are wrong throw with everything that is wrong", () => {
    const wrong = {
      runtime_variables: [{ name: "x", type: "number", default: "five" }],
      derived_variables: [
        { name: "x", triggers: [{ type: "agent_txt" }] },
        { name: "y", triggers: [{ type: "agent_turn_count", agent: "Ghost" }] },
      ],
    };
    const codes = (agents?: readonly string[]) => {
      try {
        createContext(wrong, agents && { agents });
        return [];
      } catch (error) {
        return (error as PlanError).diagnostics.map(({ code }) => code).sort();
      }
    };
    expect(codes()).toEqual(["duplicate-variable", "missing-field", "type-mismatch", "unknown-trigger"]);
    expect(codes(["Host"])).toContain("unknown-trigger-agent");
    expect(() => createContext("{")).toThrow(PlanError);
    expect(() => createContext([] as unknown as Json)).toThrow(PlanError);
  });

  test("know agents by name and by path", () => {
    expect(() => createContext(interview, { agents: ["InterviewAgent"] })).not.toThrow();
    expect(() => createContext(interview, { agents: { "/a/InterviewAgent.agent": {} } })).not.toThrow();
    expect(() => createContext(interview, { agents: {} })).toThrow(PlanError);
  });
});
