/* Document 2: the patterns of composition, each run. */
import { expect, test } from "vitest";
import { field, scene } from "../scene.ts";
import { echo, library, type Params } from "./library.ts";

test("basic structure: one step, its result mapped to the response", async () => {
  const stage = await scene(
    { agent: ({ param }: Params) => ({ result: `got ${param}` }) },
    { agents: { "/path/to/agent.agent": { system_event_endpoint: "agent" } } },
  );
  const result = await stage.run(
    {
      description: "Description of what this agent does",
      arguments: [
        {
          name: "input_parameter",
          type_name: "string",
          description: "Description of the parameter",
          required: true,
        },
      ],
      instructions: [
        {
          execution_id: "step_1",
          agent_definition_path: "/path/to/agent.agent",
          arguments: { param: "value" },
        },
      ],
      responses: [
        {
          name: "output_value",
          type_name: "string",
          description: "Description of the response",
          required: true,
        },
      ],
      response_reference_map: { output_value: "REF:step_1.result" },
    },
    { arguments: { input_parameter: "x" } },
  );
  expect(result.response).toEqual({ output_value: "got value" });
});

test("automatic dependency resolution: fetch_data, process_data, generate_report, and a manual dependency", async () => {
  const stage = await library({
    report_generator: echo,
    data_processor: ({ raw_data }: Params) => ({ cleaned_data: [raw_data, "cleaned"] }),
    api_client: ({ endpoint }: Params) => ({ response_data: `data of ${endpoint}`, metadata: { rows: 3 } }),
    cleanup: echo,
  });
  const result = await stage.run(
    {
      arguments: [field("api_endpoint", "string"), field("temp_dir", "string")],
      instructions: [
        {
          execution_id: "cleanup_task",
          agent_definition_path: "/agents/cleanup.agent",
          dependencies: ["fetch_data", "process_data"],
          arguments: { working_directory: "REF:arguments.temp_dir" },
        },
        {
          execution_id: "generate_report",
          agent_definition_path: "/agents/report_generator.agent",
          arguments: { processed_data: "REF:process_data.cleaned_data", metadata: "REF:fetch_data.metadata" },
        },
        {
          execution_id: "process_data",
          agent_definition_path: "/agents/data_processor.agent",
          arguments: { raw_data: "REF:fetch_data.response_data" },
        },
        {
          execution_id: "fetch_data",
          agent_definition_path: "/agents/api_client.agent",
          arguments: { endpoint: "REF:arguments.api_endpoint" },
        },
      ],
    },
    { arguments: { api_endpoint: "/v1", temp_dir: "/tmp/x" } },
  );
  expect(stage.called).toEqual(["fetch_data", "process_data", "cleanup_task", "generate_report"]);
  expect(result.steps.generate_report?.result).toEqual({
    processed_data: ["data of /v1", "cleaned"],
    metadata: { rows: 3 },
  });
  expect(result.steps.cleanup_task?.result).toEqual({ working_directory: "/tmp/x" });
});
