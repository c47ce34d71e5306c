import { STEP_OPTION_FIELDS } from "../lower-step-options.ts";
import { fieldTable } from "../shape.ts";

export const PLAN_FIELDS = fieldTable(["plan", "steps", "name", "version", "dialect", "$schema"]);

/** Recorded by an earlier run; ignored, with a warning. */
export const RECORDED_FIELDS = ["status", "result", "error"];

export const STEP_FIELDS = fieldTable(
  ["id", "tool", "arguments", "intent", "dependencies", ...STEP_OPTION_FIELDS, ...RECORDED_FIELDS],
  {},
  ["id", "tool", "arguments", "intent"],
);
