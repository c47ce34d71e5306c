import type { Json, JsonObject } from "../../base/json.ts";
import { printPath } from "../../expr/path.ts";
import type { Reference } from "../../expr/reference.ts";
import type { Program, Step } from "../../ir/program.ts";
import type { TextPart } from "../../ir/template.ts";
import type { Remarks } from "../remarks.ts";
import { writePolicy, writeRemarks, writeStepOptions } from "../write-step-options.ts";
import { type Spelling, writeTemplate } from "../write-template.ts";
import { RESERVED } from "./lower.ts";
import { MARK, OUTCOMES } from "./references.ts";

/** A composite agent whose instructions call tools. */
export function writeAgent(program: Program, remarks: Remarks): JsonObject {
  const { steps } = program.blocks[0];
  return { instructions: steps.map((step) => writeInstruction(step, steps, remarks)) };
}

function writeInstruction(step: Step, steps: readonly Step[], remarks: Remarks): Json {
  const { id, call, needs } = step;
  if (RESERVED.includes(id)) {
    remarks.refuse(`"${id}" is a name that agents keep for themselves: rename the step.`);
  }
  const isData = new Set(needs.filter((need) => need.mode === "data").map((need) => need.step));
  for (const need of needs) {
    if (need.mode !== "succeeded" || isData.has(need.step)) continue;
    const other = steps[need.step]?.id;
    remarks.refuse(
      `Step "${id}" waits for the success of step "${other}" and uses nothing of it; an agent's dependency is met by a failure, too.`,
    );
  }
  const spelling = new AgentSpelling(step, steps, remarks);
  const args = writeTemplate(step.arguments, spelling) as JsonObject;
  return {
    execution_id: id,
    ...writeRemarks(step.place),
    agent_definition: { system_event_endpoint: call.kind === "tool" ? call.tool : call.agent },
    ...(Object.keys(args).length > 0 && { arguments: args }),
    ...writeStepOptions(step, writePolicy(step.policy), spelling),
  };
}

class AgentSpelling implements Spelling {
  readonly #step: Step;
  readonly #steps: readonly Step[];
  readonly #remarks: Remarks;

  constructor(step: Step, steps: readonly Step[], remarks: Remarks) {
    this.#step = step;
    this.#steps = steps;
    this.#remarks = remarks;
  }

  constant(text: string): string {
    return /^\\*REF:/.test(text) ? `\\${text}` : text;
  }

  text(parts: readonly TextPart[]): string {
    const shown = parts.map((part) => (typeof part === "string" ? part : part.reference.text)).join("");
    return this.#refuse(`puts references into a text (${JSON.stringify(shown.slice(0, 60))})`);
  }

  reference({ root, path, text }: Reference): string {
    const key = path[0];
    const last = path.at(-1);
    if (typeof last === "string" && last.trim() !== last)
      return this.#refuse(`uses ${text}, a key with blanks at its end`);
    if (root.kind === "previous") return `${MARK}self.previous${printPath(path)}`;
    if (root.kind === "input") return this.#refuse(`asks a person for "${root.name}"`);
    if (root.kind === "context") return `${MARK}context${printPath(path)}`;
    if (root.kind !== "result") return this.#refuse(`uses ${text}`);
    if (key === undefined) return this.#refuse(`uses the whole result of a step (${text})`);
    if (typeof key === "string" && OUTCOMES.includes(key)) {
      return this.#refuse(`uses ${text}, and an agent's reference to "${key}" says how the step ended`);
    }
    return `${MARK}${this.#steps[root.step]?.id}${printPath(path)}`;
  }

  #refuse(what: string): string {
    this.#remarks.refuse(`Step "${this.#step.id}" ${what}; an agent cannot.`);
    return "";
  }
}
