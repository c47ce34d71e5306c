import { quote } from "../base/describe.ts";
import {
  type Backoff,
  DEFAULT_BACKOFF,
  DEFAULT_POLICY,
  type Placement,
  type Policy,
  type Repeat,
} from "../ir/program.ts";
import { lowerConditions } from "./lower-condition.ts";
import type { TemplateReader } from "./lower-template.ts";
import { fieldTable, Shape } from "./shape.ts";

const POLICY_FIELDS = fieldTable(["retries", "backoff", "timeout_ms", "optional", "placement"]);
const BACKOFF_FIELDS = fieldTable(["base_ms", "factor", "cap_ms", "jitter"]);
const REPEAT_FIELDS = fieldTable(["until", "max"]);

/** The most attempts, and the longest times, that are taken for meant. */
const RETRIES_MAX = 1_000;

/** `policy: { retries, backoff, timeout_ms, optional, placement }`, as every language has it. */
export function lowerPolicy(step: Shape): Policy {
  const object = step.object("policy");
  if (object === undefined) return DEFAULT_POLICY;
  const shape = new Shape(object, step.at("policy"), "A policy", POLICY_FIELDS, step.findings);
  return {
    retries: readRetries(shape, "retries") ?? 0,
    backoff: lowerBackoff(shape),
    timeoutMs: readTimeout(shape, "timeout_ms"),
    optional: shape.boolean("optional") ?? false,
    placement: lowerPlacement(shape),
  };
}

function lowerPlacement(shape: Shape): Placement | undefined {
  const placement = shape.string("placement");
  if (placement === undefined || placement === "inline" || placement === "anywhere") return placement;
  const data = { what: `"placement"`, got: quote(placement), expected: `"inline" or "anywhere"` };
  shape.findings.report("invalid-value", shape.at("placement"), data);
  return undefined;
}

export function readRetries(shape: Shape, name: string): number | undefined {
  return shape.number(name, `a whole number from 0 to ${RETRIES_MAX}`, (value) => {
    return Number.isInteger(value) && value >= 0 && value <= RETRIES_MAX;
  });
}

export function readTimeout(shape: Shape, name: string): number | undefined {
  return shape.number(
    name,
    "a number of milliseconds above 0",
    (value) => value > 0 && Number.isFinite(value),
  );
}

function lowerBackoff(policy: Shape): Backoff {
  const object = policy.object("backoff");
  if (object === undefined) return DEFAULT_BACKOFF;
  const shape = new Shape(object, policy.at("backoff"), "A backoff", BACKOFF_FIELDS, policy.findings);
  const duration = (name: string) =>
    shape.number(name, "a number of milliseconds from 0", (value) => value >= 0);
  return {
    baseMs: duration("base_ms") ?? DEFAULT_BACKOFF.baseMs,
    factor: shape.number("factor", "a number from 1", (value) => value >= 1) ?? DEFAULT_BACKOFF.factor,
    capMs: duration("cap_ms") ?? DEFAULT_BACKOFF.capMs,
    jitter: shape.boolean("jitter") ?? DEFAULT_BACKOFF.jitter,
  };
}

/** `repeat: { until: [conditions], max: N }`. */
export function lowerRepeat(step: Shape, reader: TemplateReader): Repeat | undefined {
  const object = step.object("repeat");
  if (object === undefined) return undefined;
  const shape = new Shape(object, step.at("repeat"), `"repeat"`, REPEAT_FIELDS, step.findings);
  const until = lowerConditions(shape.raw("until"), shape.at("until"), reader, step.findings);
  const turnsMax = shape.integer("max", 1);
  requireField(shape, "until", `"until": [{ "param": …, "operator": …, "value": … }]`);
  requireField(shape, "max", `"max": 20`);
  return until && { until, turnsMax: turnsMax ?? 1 };
}

function requireField(shape: Shape, field: string, example: string): void {
  if (!shape.has(field))
    shape.findings.report("missing-field", shape.place, { what: shape.what, field, example });
}
