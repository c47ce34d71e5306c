import { describe, expect, test } from "vitest";
import type { Command } from "./commands.ts";
import type { RunEvent } from "./events.ts";
import { LAWS, type TraceEntry } from "./laws.ts";
import type { RunState } from "./state.ts";

/** Laws that only look at commands can be shown traces that no run would make. */
function broken(
  law: string,
  trace: readonly (readonly [RunEvent["kind"], readonly Partial<Command>[]])[],
): (string | undefined)[] {
  const check = LAWS[law]?.();
  const call = { step: { policy: { retries: 1 } } };
  const state = {
    calls: new Map([[1, call]]),
    mode: "stop",
    setup: { concurrencyMax: 1 },
  } as unknown as RunState;
  return trace.map(([kind, commands]) =>
    check?.({
      event: { kind } as RunEvent,
      commands: commands as Command[],
      state,
      frames: [],
    } satisfies TraceEntry),
  );
}

const start = (attempt: number, call = 1): Partial<Command> => ({
  kind: "StartStep",
  call,
  attempt,
  step: "a",
  turn: 0,
});
const finish: Partial<Command> = { kind: "FinishRun" };

describe("a law notices", () => {
  test("an attempt that is started twice", () => {
    const found = broken("everyStepStartsAtMostOncePerAttempt", [
      ["RunStarted", [start(1)]],
      ["StepFailed", [start(1)]],
    ]);
    expect(found).toEqual([undefined, "attempt 1 of a was started twice"]);
  });

  test("an attempt too many, and one that is left out", () => {
    expect(
      broken("attemptsCountUp", [
        ["RunStarted", [start(1), start(2)]],
        ["StepFailed", [start(3)]],
      ])[1],
    ).toContain("2 are allowed");
    expect(broken("attemptsCountUp", [["RunStarted", [start(2)]]])[0]).toContain("follows attempt 0");
  });

  test("anything after the finish", () => {
    expect(
      broken("nothingStartsAfterFinish", [
        ["RunStarted", [finish]],
        ["StepFailed", [start(1)]],
      ])[1],
    ).toContain("after the run had finished");
    expect(broken("nothingStartsAfterFinish", [["RunStarted", [finish, finish]]])[0]).toContain(
      "FinishRun after",
    );
  });

  test("a start after a cancellation", () => {
    expect(
      broken("cancelledRunsStartNothing", [
        ["CancelRequested", []],
        ["StepFailed", [start(1)]],
      ])[1],
    ).toContain("after the run was cancelled");
  });

  test("too many calls at once, and an abort of what is not under way", () => {
    expect(broken("concurrencyIsBounded", [["RunStarted", [start(1), start(1, 2)]]])[0]).toContain(
      "2 calls at once",
    );
    expect(broken("concurrencyIsBounded", [["RunStarted", [{ kind: "AbortStep", call: 7 }]]])[0]).toContain(
      "not under way",
    );
  });
});
