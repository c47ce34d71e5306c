/*
 * The text of values, references and conditions in a printed program.
 *
 *   @find_john.data[0].email   what the step find_john returned
 *   @find_john!status          how it ended
 *   arguments.x  context.x  response.x  event.x
 *   previous.x                 a repeated step's last turn
 *   ?name                      a person's answer
 *   "Hi " ++ @a.name ++ "!"    references inside a text
 */
import { isList, isObject, type Json } from "../base/json.ts";
import { printPath } from "../expr/path.ts";
import type { Reference } from "../expr/reference.ts";
import type { Condition } from "./condition.ts";
import type { Block } from "./program.ts";
import type { Template, TextPart } from "./template.ts";

type Steps = Block["steps"];

function printReference({ root, path }: Reference, steps: Steps): string {
  const below = printPath(path);
  switch (root.kind) {
    case "result":
      return `@${steps[root.step]?.id ?? root.step}${below}`;
    case "outcome":
      return `@${steps[root.step]?.id ?? root.step}!${root.field}${below}`;
    case "input":
      return `?${root.name}${below}`;
    default:
      return `${root.kind}${below}`;
  }
}

export function printTemplate(template: Template, steps: Steps): string {
  switch (template.kind) {
    case "constant":
      return printJson(template.value);
    case "secret":
      return `secret(${template.name ?? ""})`;
    case "reference":
      return printReference(template, steps);
    case "text":
      return template.parts.map((part) => printPart(part, steps)).join(" ++ ");
    case "list":
      return `[${template.items.map((item) => printTemplate(item, steps)).join(", ")}]`;
    case "object":
      return braced(
        template.keys.map((key, i) => entry(key, printTemplate(template.values[i] as Template, steps))),
      );
  }
}

/** As a template without references prints. */
export function printJson(value: Json): string {
  if (isList(value)) return `[${value.map(printJson).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return braced(Object.keys(value).map((key) => entry(key, printJson(value[key] as Json))));
}

export function printCondition(condition: Condition, steps: Steps): string {
  if (condition.kind === "compare") {
    const param = printTemplate(condition.param, steps);
    const value = condition.value === undefined ? "" : ` ${printTemplate(condition.value, steps)}`;
    return `${param} ${condition.operator}${value}`;
  }
  const [first, ...more] = condition.conditions;
  // Nothing to hold holds; nothing to choose from does not.
  if (first === undefined) return condition.kind === "all" ? "true" : "false";
  if (more.length === 0) return printCondition(first, steps);
  const parts = condition.conditions.map((part) => {
    return needsParentheses(part) ? `(${printCondition(part, steps)})` : printCondition(part, steps);
  });
  return parts.join(condition.kind === "all" ? " and " : " or ");
}

function needsParentheses(condition: Condition): boolean {
  if (condition.kind === "compare") return false;
  const [first, ...more] = condition.conditions;
  return first !== undefined && (more.length > 0 || needsParentheses(first));
}

function printPart(part: TextPart, steps: Steps): string {
  return typeof part === "string" ? JSON.stringify(part) : printReference(part.reference, steps);
}

function braced(entries: readonly string[]): string {
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function entry(key: string, value: string): string {
  return `${/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : JSON.stringify(key)}: ${value}`;
}
