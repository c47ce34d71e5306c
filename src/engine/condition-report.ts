/*
 * Why a step ran, or did not: its conditions, each with the values that it saw. The journal is folded up to the moment at
 * which the step was considered, so that what changed later is not taken for what was seen.
 */
import type { Json } from "../base/json.ts";
import { advance } from "../core/advance.ts";
import { holds } from "../core/condition.ts";
import type { RunEvent } from "../core/events.ts";
import { resolveTemplateOrNull, type Scope, scopeOf } from "../core/resolve.ts";
import type { Frame, RunState } from "../core/state.ts";
import { StepFailure } from "../core/step-error.ts";
import type { Condition } from "../ir/condition.ts";
import { printTemplate } from "../ir/print-value.ts";
import type { Template } from "../ir/template.ts";

export interface ConditionSeen {
  /** `REF:mail.data.length greater_than 0`, as the plan refers to it; of a group, `all of` or `any of`. */
  readonly text: string;
  readonly held: boolean;
  /** Groups that it stands in. */
  readonly depth: number;
  readonly saw?: Json;
  readonly wanted?: Json;
}

/** Empty where the step has no conditions, or has not been considered. */
export function conditionsSeen(
  state: RunState,
  journal: Iterable<RunEvent>,
  stepId: string,
): ConditionSeen[] {
  for (const event of journal) {
    advance(state, event);
    const found = findStep(state.root, stepId);
    if (found === undefined || found.frame.steps[found.index]?.status === "pending") continue;
    const condition = found.frame.block.steps[found.index]?.conditions;
    return condition === undefined ? [] : report(condition, scopeOf(state, found.frame, undefined), 0);
  }
  return [];
}

/** The frame that a step is in, as far as it exists. The item of a fan-out has the conditions of its step. */
function findStep(
  root: Frame,
  stepId: string,
): { readonly frame: Frame; readonly index: number } | undefined {
  let frame = root;
  for (;;) {
    const rest = stepId.slice(frame.prefix.length);
    const [, id = "", item] = /^([^.[]+)(?:\[(\d+)\])?/.exec(rest) ?? [];
    const index = frame.block.steps.findIndex((step) => step.id === id);
    const step = frame.steps[index];
    if (step === undefined) return undefined;
    const isHere = rest.length === id.length + (item === undefined ? 0 : item.length + 2);
    if (isHere) return { frame, index };
    const inner = item === undefined ? step.frame : step.fanOut?.frames.get(Number(item));
    if (inner === undefined) return undefined;
    frame = inner;
  }
}

function report(condition: Condition, scope: Scope, depth: number): ConditionSeen[] {
  const { steps } = scope.frame.block;
  if (condition.kind === "compare") {
    const { param, operator, value } = condition;
    const words = [written(param, steps), operator, value === undefined ? "" : written(value, steps)];
    return [
      {
        text: words.join(" ").trimEnd(),
        held: attempt(() => holds(condition, scope)) ?? false,
        depth,
        ...seen("saw", param, scope),
        ...(value !== undefined && seen("wanted", value, scope)),
      },
    ];
  }
  const inside = condition.conditions.flatMap((part) => report(part, scope, depth + 1));
  const held = attempt(() => holds(condition, scope)) ?? false;
  return [{ text: condition.kind === "all" ? "all of" : "any of", held, depth }, ...inside];
}

function written(template: Template, steps: Frame["block"]["steps"]): string {
  return template.kind === "reference" ? template.text : printTemplate(template, steps);
}

function seen(name: "saw" | "wanted", template: Template, scope: Scope): { readonly [key: string]: Json } {
  const value = attempt(() => resolveTemplateOrNull(template, scope));
  return value === undefined ? {} : { [name]: value };
}

/** The contents of files are not read again: what needs them is not shown. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof StepFailure) return undefined;
    throw error;
  }
}
