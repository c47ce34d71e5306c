import type { Program, Step } from "../ir/program.ts";
import { entryOf } from "../ir/template.ts";
import type { Remarks } from "./remarks.ts";
import { nameOf } from "./write-step-options.ts";

/** The tool that a step calls, for languages whose steps call tools and nothing else; what else it has is refused. */
export function writeToolCall(step: Step, title: string, remarks: Remarks): string {
  const { call, fanOut, needs } = step;
  const id = nameOf(step);
  if (fanOut !== undefined)
    remarks.refuse(`Step "${id}" runs once for each item of a list; ${title} has no such steps.`);
  if (step.transformArguments !== undefined || step.transformResults !== undefined) {
    remarks.refuse(`Step "${id}" transforms its arguments or results; ${title} cannot.`);
  }
  if (needs.some((need) => need.mode === "settled")) {
    remarks.refuse(
      `Step "${id}" runs after another one however that ended; in ${title} a dependency must have succeeded.`,
    );
  }
  if (call.kind === "tool") writeSignature(step, title, remarks);
  else if (call.kind === "block") {
    remarks.refuse(
      `Step "${id}" calls the agent "${call.agent}", which has steps of its own; ${title} calls tools only.`,
    );
  } else {
    remarks.refuse(`Step "${id}" calls the agent "${call.agent}", whose definition is not at hand.`);
  }
  return call.kind === "tool" ? call.tool : "";
}

/** What a definition adds to its tool. */
function writeSignature(step: Step, title: string, remarks: Remarks): void {
  const { call, arguments: given } = step;
  const { signature } = call;
  const id = nameOf(step);
  if (signature === undefined) return;
  if (signature.transformArguments !== undefined || signature.transformResults !== undefined) {
    remarks.refuse(
      `Step "${id}" calls the agent "${call.agent}", which has transforms; ${title} cannot transform.`,
    );
  }
  const isGiven = (name: string): boolean => {
    return given.kind === "constant"
      ? Object.hasOwn(Object(given.value), name)
      : entryOf(given, name) !== undefined;
  };
  for (const { name, defaultValue } of signature.arguments ?? []) {
    if (defaultValue === undefined || isGiven(name)) continue;
    const value = JSON.stringify(defaultValue);
    remarks.refuse(
      `Step "${id}" relies on a default of the agent "${call.agent}": write "${name}": ${value} into its arguments.`,
    );
  }
  if (signature.arguments !== undefined || signature.responses !== undefined) {
    remarks.note(
      `What the agent "${call.agent}" declares is no longer checked: ${title} calls its tool directly.`,
    );
  }
}

/** A plan that calls tools takes no arguments and answers with the results of its steps. */
export function writeNoSignature({ blocks }: Program, title: string, remarks: Remarks): void {
  const { signature, response } = blocks[0];
  if (signature?.arguments !== undefined && signature.arguments.length > 0) {
    const names = signature.arguments.map((field) => `"${field.name}"`).join(", ");
    remarks.refuse(`The plan takes arguments (${names}); ${title} takes none.`);
  }
  if (signature?.transformArguments !== undefined || signature?.transformResults !== undefined) {
    remarks.refuse(`The plan transforms its own arguments or results; ${title} cannot.`);
  }
  if (response !== undefined || signature?.responses !== undefined) {
    remarks.note(`The response map is left out: ${title} gives the results of all its steps.`);
  }
}
