import { editFix } from "../../source/findings.ts";
import { below, keysOf, pointerOf } from "../../source/place.ts";
import type { TriggerDeclaration } from "../context-declarations.ts";
import type { Program } from "../program.ts";
import type { Pass, PassContext } from "./pass.ts";

/** Triggers that wait for an agent, a tool or a question which the plan does not have. */
export const checkTriggers: Pass = (program, context) => {
  if (program.context === undefined) return;
  const names = namesIn(program);
  for (const variable of program.context.derived) {
    for (const trigger of variable.triggers) checkTrigger(trigger, names, context);
  }
};

interface Names {
  readonly agents: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
  readonly questions: ReadonlySet<string>;
}

/** An agent goes by the name of its file, its definition, its step or its tool. */
function namesIn(program: Program): Names {
  const agents = new Set<string>();
  const tools = new Set<string>();
  const questions = new Set(program.questions.map((question) => question.name));
  for (const block of program.blocks) {
    for (const { id, call, requiresConfirmation } of block.steps) {
      agents.add(call.agent).add(id);
      if (call.kind === "tool") tools.add(call.tool);
      if (requiresConfirmation) questions.add(id);
    }
  }
  if (program.name !== undefined) agents.add(program.name);
  for (const tool of tools) agents.add(tool);
  return { agents, tools, questions };
}

function checkTrigger(
  { type, settings, place }: TriggerDeclaration,
  names: Names,
  { findings }: PassContext,
): void {
  const unknown = (field: string, known: ReadonlySet<string>) => {
    const name = settings[field];
    if (typeof name !== "string" || name === "" || known.has(name)) return undefined;
    const said = findings.suggest(name, known);
    const at = below(place, field);
    const { near } = said;
    const edit = { op: "replace", pointer: pointerOf(keysOf(at)), value: near ?? "" } as const;
    return { said, at, fix: near === undefined ? undefined : editFix(`use "${near}"`, edit) };
  };
  if (type === "agent_text" || type === "agent_turn_count") {
    const found = unknown("agent", names.agents);
    if (found !== undefined) findings.report("unknown-trigger-agent", found.at, found.said, found.fix);
  }
  const [field, known] = type === "tool_response" ? ["tool", names.tools] : ["question", names.questions];
  if (type !== "tool_response" && type !== "ui_response") return;
  const found = unknown(field as string, known as ReadonlySet<string>);
  if (found !== undefined)
    findings.report("idle-trigger", found.at, { ...found.said, what: field as string }, found.fix);
}
