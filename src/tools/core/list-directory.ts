import type { CoreAgent } from "./core-agent.ts";

interface Params {
  readonly directory_path?: string | null;
  readonly recursive?: boolean | null;
  readonly extension?: string | null;
}

export const listDirectory: CoreAgent = {
  name: "list_directory",
  description: "Lists a folder of the file store, sorted by path.",
  sideEffects: false,
  arguments: [
    {
      name: "directory_path",
      type_name: "string",
      description: "The folder, as a path in the file store.",
      required: false,
      default_value: "/",
    },
    {
      name: "recursive",
      type_name: "boolean",
      description: "Everything below the folder, not only what is in it.",
      required: false,
      default_value: false,
    },
    {
      name: "extension",
      type_name: "string",
      description: 'Only files whose names end with this, such as ".txt".',
      required: false,
    },
  ],
  responses: [
    {
      name: "entries",
      type_name: "list",
      description:
        "Files and folders: path, file_name, parent_directory, kind (file or directory), size_bytes, modified_at.",
    },
    { name: "files", type_name: "list", description: "The paths of the files." },
    { name: "directories", type_name: "list", description: "The paths of the folders." },
  ],
  tool:
    () =>
    async ({ directory_path, recursive, extension }: Params, { files }) => {
      const all = await files.list(directory_path ?? "/", { recursive: recursive ?? false });
      const entries = extension
        ? all.filter((entry) => entry.kind === "file" && entry.file_name.endsWith(extension))
        : all;
      const pathsOf = (kind: string) =>
        entries.filter((entry) => entry.kind === kind).map((entry) => entry.path);
      return { entries, files: pathsOf("file"), directories: pathsOf("directory") };
    },
};
