import { STEP_OPTION_FIELDS } from "../lower-step-options.ts";
import { fieldTable } from "../shape.ts";

export const DEFINITION_FIELDS = fieldTable(
  [
    "arguments",
    "responses",
    "instructions",
    "system_event_endpoint",
    "response_reference_map",
    "transform_arguments",
    "transform_results",
    "context_variables",
    "name",
    "version",
    "dialect",
    "$schema",
  ],
  { transform_responses: "transform_results" },
);

export const INSTRUCTION_FIELDS = fieldTable(
  [
    "execution_id",
    "agent_definition_path",
    "agent_definition",
    "arguments",
    "dependencies",
    "parallel_execution",
    "transform_arguments",
    "transform_results",
    ...STEP_OPTION_FIELDS,
  ],
  {
    transform_responses: "transform_results",
    tool_definition_path: "agent_definition_path",
    tool_definition: "agent_definition",
  },
  ["execution_id", "agent_definition_path", "agent_definition", "arguments"],
);

export const FAN_OUT_FIELDS = fieldTable([
  "iterate_over",
  "child_argument_name",
  "max_concurrency",
  "on_error",
]);

export const TRANSFORM_FIELDS = fieldTable(["variables", "transforms"]);

export const SCHEMA_FIELDS = fieldTable([
  "name",
  "type_name",
  "required",
  "default_value",
  "enum",
  "regex_pattern",
  "required_conditions",
]);
