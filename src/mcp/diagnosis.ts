/* What is wrong with a plan, for a model that is to write a better one, and the plan with everything mended that can be. */
import { type Diagnostic, type Engine, type Json, type JsonObject, repair } from "../index.ts";

const ROUNDS_MAX = 5;
const SHOWN_MAX = 30;

export function diagnosis(
  engine: Engine,
  plan: string | Json,
  diagnostics: readonly Diagnostic[],
): JsonObject {
  const mended = mendedPlan(engine, plan, diagnostics);
  return {
    ok: false,
    diagnostics: diagnostics.slice(0, SHOWN_MAX).map(shown),
    ...(diagnostics.length > SHOWN_MAX && { more: diagnostics.length - SHOWN_MAX }),
    ...(mended !== undefined && { corrected_plan: mended.plan }),
    ...(mended !== undefined &&
      mended.left.length > 0 && { left_to_correct: mended.left.slice(0, SHOWN_MAX).map(shown) }),
    next:
      mended?.left.length === 0
        ? "corrected_plan has all fixes applied and passes the checks: run it, if it means what you meant."
        : `Correct ${mended === undefined ? "the plan" : "corrected_plan: left_to_correct says what is left"}, and try again.`,
  };
}

export function shown({
  code,
  severity,
  message,
  pointer,
  line,
  column,
  hints,
  fix,
}: Diagnostic): JsonObject {
  return {
    code,
    ...(severity !== "error" && { severity }),
    message,
    at: line === undefined ? pointer : `${pointer} (line ${line}, column ${column})`,
    ...(hints.length > 0 && { hints }),
    ...(fix !== undefined && { fix: fix.title }),
  };
}

interface Mended {
  readonly plan: Json;
  readonly left: readonly Diagnostic[];
}

/** Mends round by round, as `sequitur check --fix` does; undefined where nothing can be mended without thinking. */
function mendedPlan(engine: Engine, plan: string | Json, first: readonly Diagnostic[]): Mended | undefined {
  const given = typeof plan === "string" ? plan : JSON.stringify(plan);
  let text = given;
  let left = first;
  for (let round = 0; round < ROUNDS_MAX && left.length > 0; round++) {
    // Fixes of other documents, such as agents, are not for this text.
    const own = left.filter(({ file }) => file === undefined);
    const mended = repair(text, own).text;
    if (mended === text) break;
    text = mended;
    const { program, diagnostics } = engine.compile(text);
    left = program === undefined ? diagnostics : [];
  }
  return text === given ? undefined : { plan: parsedOr(text), left };
}

function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
