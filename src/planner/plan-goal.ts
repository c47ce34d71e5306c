/*
 * From a goal to a plan that can run: ask a model, take the plan out of its answer, mend what needs no model, give the rest back, and
 * ask again, a few times. Nothing is called but the model.
 */
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import { detectDialect } from "../dialects/dialect.ts";
import { type Explanation, explain } from "../ir/explain.ts";
import type { DialectName, Program } from "../ir/program.ts";
import type { Check } from "../repair/choose.ts";
import { mend } from "../repair/mend.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { extractJson } from "../source/extract.ts";
import type { ModelClient } from "../tools/core/core-agent.ts";
import type { ModelUse } from "../tools/tool.ts";
import type { LeftOut, Selection } from "./catalogue.ts";
import { foreignCalls } from "./foreign-calls.ts";
import { feedback, LANGUAGES, systemPrompt } from "./prompt.ts";

export interface PlanningRequest {
  readonly goal: string;
  readonly dialect: DialectName;
  readonly selection: Selection;
  readonly model: string | undefined;
  readonly roundsMax: number;
  readonly signal: AbortSignal;
}

/** One question to the model, and what became of its answer. */
export interface PlanningRound {
  readonly answer: string;
  /** How many problems were repaired without the model, and what else was changed. */
  readonly fixed: number;
  readonly guesses: readonly string[];
  /** What the model was told next, or what was still wrong at the end; empty where the plan can run. */
  readonly problems: readonly string[];
}

export interface PlannedGoal {
  /** Whether there is a plan that can run. */
  readonly ok: boolean;
  readonly goal: string;
  readonly dialect: DialectName;
  /** The plan as JSON text, also where something is wrong with it; undefined where the model gave none. */
  readonly text: string | undefined;
  readonly program: Program | undefined;
  /** What the plan will call, at most. */
  readonly explanation: Explanation | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Why there is no plan. */
  readonly reason: string | undefined;
  readonly rounds: readonly PlanningRound[];
  /** What the model could choose from, and what not. */
  readonly tools: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly usage: Pick<ModelUse, "inputTokens" | "outputTokens" | "cost">;
}

interface Draft {
  readonly text: string | undefined;
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly round: PlanningRound;
  readonly impossible: string | undefined;
}

export async function planGoal(
  request: PlanningRequest,
  models: ModelClient,
  check: Check,
): Promise<PlannedGoal> {
  const { goal, dialect, selection, roundsMax, signal } = request;
  const messages: JsonObject[] = [
    { role: "system", content: systemPrompt(dialect, selection.entries) },
    { role: "user", content: goal },
  ];
  const rounds: PlanningRound[] = [];
  const uses: ModelUse[] = [];
  let draft: Draft | undefined;
  while (rounds.length < roundsMax) {
    const { text, finish, use } = await models.chat({ model: request.model, messages, settings: {}, signal });
    uses.push(use);
    draft = readAnswer(text, finish === "length", request, check);
    rounds.push(draft.round);
    if (draft.program !== undefined || draft.impossible !== undefined) break;
    messages.push(
      { role: "assistant", content: draft.text ?? text },
      { role: "user", content: feedback(draft.round.problems) },
    );
  }
  const program = draft?.program;
  return {
    ok: program !== undefined,
    goal,
    dialect,
    text: draft?.text,
    program,
    explanation: program && explain(program),
    diagnostics: draft?.diagnostics ?? [],
    reason: program === undefined ? (draft?.impossible ?? draft?.round.problems[0]) : undefined,
    rounds,
    tools: selection.entries.map(({ name }) => name),
    leftOut: selection.leftOut,
    usage: sumOf(uses),
  };
}

function readAnswer(answer: string, isCut: boolean, request: PlanningRequest, check: Check): Draft {
  const found = extractJson(answer);
  const round = { answer, fixed: 0, guesses: [] };
  if (found === undefined) return failed(round, undefined, ["There is no JSON in your answer."]);
  const value = JSON.parse(found.text) as Json;
  if (isObject(value) && typeof value.impossible === "string")
    return { ...failed(round, undefined, []), impossible: value.impossible };
  // What was cut may still make a plan, but not the one that was meant.
  if (isCut || found.isCut)
    return failed(round, found.text, ["Your answer was cut off before its end. Write a shorter plan."]);
  const wrong = languageProblem(value, request.dialect);
  if (wrong !== undefined) return failed(round, found.text, [wrong]);
  const { text, result, fixed, guesses } = mend(found.text, check);
  const { program, diagnostics } = result;
  const mended = { answer, fixed, guesses };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const problems =
    program === undefined
      ? errors.map(problemText)
      : foreignCalls(program, JSON.parse(text) as Json, request.selection.entries);
  if (problems.length > 0) return { ...failed(mended, text, problems), diagnostics };
  return { text, program, diagnostics, round: { ...mended, problems }, impossible: undefined };
}

function failed(
  round: Omit<PlanningRound, "problems">,
  text: string | undefined,
  problems: readonly string[],
): Draft {
  return { text, program: undefined, diagnostics: [], round: { ...round, problems }, impossible: undefined };
}

function languageProblem(value: Json, dialect: DialectName): string | undefined {
  const found = detectDialect(value);
  if (found === dialect) return undefined;
  const what = found === undefined ? "That is no plan" : `That is ${LANGUAGES[found].title}`;
  return `${what}. Write ${LANGUAGES[dialect].title}:\n${LANGUAGES[dialect].words}`;
}

/** Where, what, and what to write instead. */
function problemText({ pointer, message, hints }: Diagnostic): string {
  return [`At ${pointer === "" ? "the top" : pointer}: ${message}`, ...hints].join(" ");
}

function sumOf(uses: readonly ModelUse[]): PlannedGoal["usage"] {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const costs = uses.map(({ cost }) => cost).filter((cost) => cost !== undefined);
  return {
    inputTokens: sum(uses.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(uses.map(({ outputTokens }) => outputTokens)),
    ...(costs.length > 0 && { cost: sum(costs) }),
  };
}
