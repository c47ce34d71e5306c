import type { TriggerDeclaration } from "../ir/context-declarations.ts";
import type { Program } from "../ir/program.ts";
import { editFix, type Findings, type Suggestion } from "../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";

/** The names that triggers can wait for. Undefined: nobody has said which there are, so none is unknown. */
export interface PlanNames {
  readonly agents: ReadonlySet<string> | undefined;
  readonly tools: ReadonlySet<string> | undefined;
  readonly questions: ReadonlySet<string> | undefined;
}

/** An agent goes by the name of its file, its definition, its step or its tool; a confirmation by the id of its step. */
export function namesIn(program: Program): PlanNames {
  const agents = new Set<string>();
  const tools = new Set<string>();
  const questions = new Set(program.questions.map((question) => question.name));
  let isComplete = true;
  for (const [number, block] of program.blocks.entries()) {
    for (const { id, call, requiresConfirmation } of block.steps) {
      agents.add(call.agent).add(id);
      if (call.kind === "tool") tools.add(call.tool);
      // What an agent calls whose definition is not at hand cannot be known.
      if (call.kind === "unknown") isComplete = false;
      // Inside composites, ids have those of the steps around them in front: only their ends are known.
      if (requiresConfirmation || call.signature?.requiresConfirmation === true)
        questions.add(number === 0 ? id : `.${id}`);
    }
  }
  if (program.name !== undefined) agents.add(program.name);
  for (const tool of tools) agents.add(tool);
  return { agents, tools: isComplete ? tools : undefined, questions };
}

/** A name in a setting of the trigger that is not among those there are. */
function unknownName(
  trigger: TriggerDeclaration,
  field: string,
  known: ReadonlySet<string> | undefined,
  findings: Findings,
):
  | { readonly at: Place; readonly said: Suggestion; readonly fix: ReturnType<typeof editFix> | undefined }
  | undefined {
  const name = trigger.settings[field];
  if (known === undefined || typeof name !== "string" || name === "" || known.has(name)) return undefined;
  const said = findings.suggest(name, known);
  const at = below(trigger.place, field);
  const edit = { op: "replace", pointer: pointerOf(keysOf(at)), value: said.near ?? "" } as const;
  return { at, said, fix: said.near === undefined ? undefined : editFix(`use "${said.near}"`, edit) };
}

export function reportUnknownAgent(trigger: TriggerDeclaration, names: PlanNames, findings: Findings): void {
  const found = unknownName(trigger, "agent", names.agents, findings);
  if (found !== undefined) findings.report("unknown-trigger-agent", found.at, found.said, found.fix);
}

export function reportIdle(
  trigger: TriggerDeclaration,
  field: "question" | "tool",
  known: ReadonlySet<string> | undefined,
  findings: Findings,
): void {
  const found = unknownName(trigger, field, known, findings);
  if (found !== undefined)
    findings.report("idle-trigger", found.at, { ...found.said, what: field }, found.fix);
}
