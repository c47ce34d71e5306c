/*
 * A program as text, for people, tests and golden files. What a plan means is in it, and nothing of the language it was
 * written in: the same plan in three languages prints the same text.
 *
 *   plan "reply"
 *
 *   step find_john
 *     call fetch_entity
 *     with { entityType: "Contact" }
 *
 *   step send_email
 *     call send_email
 *     with { to: @find_john.data[0].email, body: ?reply_message }
 *     when @find_john.data.length greater_than 0
 *     after log settled
 *     retries 2, timeout 500 ms, optional
 */
import { equalJson } from "../base/json.ts";
import { printExpression } from "../expr/printer.ts";
import { printContext } from "./print-context.ts";
import { printCondition, printJson, printTemplate } from "./print-value.ts";
import {
  type Block,
  type Call,
  DEFAULT_BACKOFF,
  type FanOut,
  type Policy,
  type Program,
  type Step,
} from "./program.ts";
import type { Field } from "./signature.ts";
import type { Template } from "./template.ts";
import type { Transform, TransformEntry } from "./transform.ts";

type Steps = Block["steps"];

export function printProgram(program: Program): string {
  const [plan, ...agents] = program.blocks;
  const title = program.name === undefined ? "plan" : `plan ${JSON.stringify(program.name)}`;
  const request = program.requestId === undefined ? [] : [`  request ${JSON.stringify(program.requestId)}`];
  const parts = [printBlock(title, plan, program, request)];
  for (const [i, agent] of agents.entries())
    parts.push(printBlock(`agent ${nameOf(program, i + 1)}`, agent, program, []));
  if (program.context !== undefined) parts.push(printContext(program.context));
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function printBlock(title: string, block: Block, program: Program, more: readonly string[]): string {
  const { signature, steps } = block;
  const takes = signature?.arguments && `  takes ${printFields(signature.arguments)}`;
  const gives = signature?.responses && `  gives ${printFields(signature.responses)}`;
  const own = [
    ...printTransform("arguments", signature?.transformArguments, []),
    ...printTransform("results", signature?.transformResults, []),
  ];
  const head = [title, ...more, takes, gives, ...own].filter((line) => line !== undefined);
  const respond = block.response === undefined ? [] : [`respond ${printTemplate(block.response, steps)}`];
  return [head.join("\n"), ...steps.map((step) => printStep(step, steps, program)), ...respond].join("\n\n");
}

/** An agent without a path is named after its number; the plan is number 0. */
function nameOf(program: Program, number: number): string {
  return program.blocks[number]?.name || `#${number}`;
}

function printFields(fields: readonly Field[]): string {
  const each = fields.map((field) => {
    const mark = field.required && field.requiredConditions === undefined ? "" : "?";
    const value = field.defaultValue === undefined ? "" : ` = ${printJson(field.defaultValue)}`;
    const allowed = field.allowed === undefined ? "" : ` in ${printJson(field.allowed)}`;
    const pattern = field.pattern === undefined ? "" : ` matching ${JSON.stringify(field.pattern)}`;
    const when = field.requiredConditions && ` required when ${printCondition(field.requiredConditions, [])}`;
    return `${field.name}${mark}: ${field.typeName}${allowed}${pattern}${value}${when ?? ""}`;
  });
  return `(${each.join(", ")})`;
}

function printStep(step: Step, steps: Steps, program: Program): string {
  const { conditions, repeat } = step;
  const lines = [
    step.intent && `intent ${JSON.stringify(step.intent)}`,
    `call ${printCall(step.call, program)}`,
    isEmpty(step.arguments) ? undefined : `with ${printTemplate(step.arguments, steps)}`,
    step.fanOut && printFanOut(step.fanOut, steps),
    conditions && `when ${printCondition(conditions, steps)}`,
    repeat && `repeat until ${printCondition(repeat.until, steps)}, at most ${repeat.turnsMax} turns`,
    printNeeds(step, steps),
    printPolicy(step.policy),
    step.requiresConfirmation ? "confirm" : undefined,
  ];
  const own = [
    ...printTransform("arguments", step.transformArguments, steps),
    ...printTransform("results", step.transformResults, steps),
  ];
  const shown = lines.filter((line) => line !== undefined && line !== "").map((line) => `  ${line}`);
  return [`step ${step.id}`, ...shown, ...own, ...printDefinition(step.call)].join("\n");
}

function printCall(call: Call, program: Program): string {
  if (call.kind === "tool") return call.tool;
  return call.kind === "block" ? `agent ${nameOf(program, call.block)}` : `unknown agent ${call.agent}`;
}

/** The called definition's own transforms lie closer to the tool. */
function printDefinition(call: Call): string[] {
  if (call.kind !== "tool") return [];
  return [
    ...printTransform("tool arguments", call.signature?.transformArguments, []),
    ...printTransform("tool results", call.signature?.transformResults, []),
  ];
}

function isEmpty(template: Template): boolean {
  return template.kind === "constant" && equalJson(template.value, {});
}

function printFanOut(fanOut: FanOut, steps: Steps): string {
  const most = fanOut.concurrencyMax === undefined ? "" : `, ${fanOut.concurrencyMax} at once`;
  const errors = fanOut.onError === "collect" ? ", collecting errors" : "";
  return `for each ${fanOut.argument} in ${printTemplate(fanOut.over, steps)}${most}${errors}`;
}

/**
 * References say themselves what they need. Of the explicit needs those are left out that a reference to the same step
 * implies: its result is there only after it has succeeded, and in order.
 */
function printNeeds(step: Step, steps: Steps): string {
  const data = new Set(step.needs.filter((need) => need.mode === "data").map((need) => need.step));
  const explicit = new Set(step.needs.filter((need) => need.mode === "succeeded").map((need) => need.step));
  const shown = step.needs.filter(({ step: number, mode }) => {
    if (mode === "settled") return true;
    if (mode === "succeeded") return !data.has(number);
    return mode === "order" && !data.has(number) && !explicit.has(number);
  });
  if (shown.length === 0) return "";
  const words = {
    settled: " settled",
    succeeded: " succeeded",
    order: "",
    data: "",
    outcome: "",
    handles: "",
  };
  const each = [...shown].sort((a, b) => a.step - b.step);
  return `after ${each.map((need) => `${steps[need.step]?.id}${words[need.mode]}`).join(", ")}`;
}

function printPolicy({ retries, backoff, timeoutMs, optional, placement }: Policy): string {
  const { baseMs, factor, capMs, jitter } = backoff;
  const isDefault =
    baseMs === DEFAULT_BACKOFF.baseMs &&
    factor === DEFAULT_BACKOFF.factor &&
    capMs === DEFAULT_BACKOFF.capMs &&
    jitter === DEFAULT_BACKOFF.jitter;
  const parts = [
    retries === 0 ? "" : `retries ${retries}`,
    isDefault ? "" : `backoff ${baseMs} ms × ${factor} up to ${capMs} ms${jitter ? "" : " without jitter"}`,
    timeoutMs === undefined ? "" : `timeout ${timeoutMs} ms`,
    optional ? "optional" : "",
    placement === undefined ? "" : `placed ${placement}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function printTransform(what: string, transform: Transform | undefined, steps: Steps): string[] {
  if (transform === undefined) return [];
  const { variables, outputs } = transform;
  const line = (word: string, { name, value }: TransformEntry): string => {
    const text =
      value.kind === "template" ? printTemplate(value.template, steps) : printExpression(value.expression);
    return `    ${word} ${name} = ${value.kind === "template" ? `value ${text}` : text}`;
  };
  const body = [
    ...variables.map((entry) => line("let", entry)),
    ...outputs.map((entry) => line("set", entry)),
  ];
  return body.length === 0 ? [] : [`  transform ${what}`, ...body];
}
