import type { CoreAgent } from "./core-agent.ts";

interface Params {
  readonly file_path: string;
}

export const describeFile: CoreAgent = {
  name: "describe_file",
  description: "Says what stands at a path of the file store, without reading it.",
  sideEffects: false,
  arguments: [{ name: "file_path", type_name: "file", description: "A path in the file store." }],
  responses: [
    { name: "exists", type_name: "boolean", description: "Whether there is a file or folder." },
    { name: "kind", type_name: "string", description: "file or directory.", required: false },
    { name: "path", type_name: "string", description: "The path, as the store spells it." },
    { name: "file_name", type_name: "string", description: "The last part of the path." },
    { name: "parent_directory", type_name: "string", description: "The folder it is in." },
    { name: "size_bytes", type_name: "number", description: "The length of the file.", required: false },
    {
      name: "modified_at",
      type_name: "string",
      description: "When it was last written, ISO 8601.",
      required: false,
    },
  ],
  tool:
    () =>
    ({ file_path }: Params, { files }) =>
      files.describe(file_path),
};
