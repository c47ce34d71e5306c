import { STEP_OPTION_FIELDS } from "../lower-step-options.ts";
import { fieldTable } from "../shape.ts";

export const PLAN_FIELDS = fieldTable(["steps", "requestId", "name", "version", "dialect", "$schema"], {
  request_id: "requestId",
});

export const STEP_FIELDS = fieldTable(
  ["tool", "params", "dependsOn", "parallel", "optional", "retryCount", "timeout", ...STEP_OPTION_FIELDS],
  { depends_on: "dependsOn", retry_count: "retryCount" },
  ["tool", "params", "dependsOn", "parallel"],
);
