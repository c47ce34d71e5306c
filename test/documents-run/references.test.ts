/* Documents 1 and 2: every type of reference with every attribute. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { createEngine } from "../../src/index.ts";
import { call, field, scene } from "../scene.ts";

async function echoed(
  sources: Record<string, Json>,
  args: JsonObject,
  given: JsonObject = {},
): Promise<Json> {
  const stage = await scene();
  const result = await stage.run(
    {
      arguments: Object.keys(given).map((name) => field(name, "any")),
      instructions: [
        ...Object.entries(sources).map(([id, value]) => call(id, "give", { value })),
        call("x", "echo", args),
      ],
    },
    { arguments: given },
  );
  expect(result.error).toBeUndefined();
  return result.steps.x?.result ?? null;
}

describe("references", () => {
  test("to strings, numbers and booleans keep their type", async () => {
    const result = await echoed(
      {
        text_processor: { cleaned_text: "clean" },
        calculator: { result: 0.5 },
        validator: { is_valid: false },
      },
      {
        a: "REF:arguments.user_name",
        b: "REF:text_processor.cleaned_text",
        c: "REF:calculator.result",
        d: "REF:arguments.max_iterations",
        e: "REF:validator.is_valid",
        f: "REF:arguments.debug_mode",
      },
      { user_name: "Ada", max_iterations: 10, debug_mode: true },
    );
    expect(result).toEqual({ a: "Ada", b: "clean", c: 0.5, d: 10, e: false, f: true });
  });

  test("to lists: whole, length, first, last, index", async () => {
    const documents = ["a", "b", "c", "d", "e", "f"];
    const result = await echoed(
      { file_scanner: { documents } },
      {
        all_files: "REF:file_scanner.documents",
        file_count: "REF:file_scanner.documents.length",
        first_file: "REF:file_scanner.documents.first",
        last_file: "REF:file_scanner.documents.last",
        third_file: "REF:file_scanner.documents.2",
        sixth: "REF:file_scanner.documents.5",
      },
    );
    expect(result).toEqual({
      all_files: documents,
      file_count: 6,
      first_file: "a",
      last_file: "f",
      third_file: "c",
      sixth: "f",
    });
  });

  test("to objects: whole and by key, at any depth", async () => {
    const response = { name: "Ada", profile: { email: "ada@x" } };
    const result = await echoed(
      { api_call: { response } },
      {
        user_data: "REF:api_call.response",
        user_name: "REF:api_call.response.name",
        user_email: "REF:api_call.response.profile.email",
      },
    );
    expect(result).toEqual({ user_data: response, user_name: "Ada", user_email: "ada@x" });
  });

  test("nested in structures", async () => {
    const result = await echoed(
      {
        user_data: { profile: { name: "Ada" } },
        user_settings: { display: { theme: "dark" } },
        file_scan: { documents: ["one", "two"] },
      },
      {
        user_profile: {
          name: "REF:user_data.profile.name",
          preferences: {
            theme: "REF:user_settings.display.theme",
            language: "REF:arguments.default_language",
          },
        },
        file_list: ["REF:file_scan.documents.0", "REF:file_scan.documents.1"],
      },
      { default_language: "en" },
    );
    expect(result).toEqual({
      user_profile: { name: "Ada", preferences: { theme: "dark", language: "en" } },
      file_list: ["one", "two"],
    });
  });
});

describe("file references", () => {
  const plan: JsonObject = {
    instructions: [
      call("write", "put", {}),
      call(
        "file_uploader",
        "give",
        { value: { document: "/docs/report.txt" } },
        { definition: { responses: [field("document", "file")] }, dependencies: ["write"] },
      ),
      call("x", "echo", {
        file_content: "REF:file_uploader.document",
        file_path: "REF:file_uploader.document.path",
        file_name: "REF:file_uploader.document.file_name",
        parent_dir: "REF:file_uploader.document.parent_directory",
      }),
    ],
  };

  test("give contents with a token, and attributes", async () => {
    const root = await mkdtemp(join(tmpdir(), "sequitur-"));
    try {
      const { mkdir, writeFile } = await import("node:fs/promises");
      const engine = await createEngine({
        files: { root },
        tools: {
          put: async () => {
            await mkdir(join(root, "docs"), { recursive: true });
            await writeFile(join(root, "docs", "report.txt"), "REF:is.text here");
          },
          give: ({ value }: { value: Json }) => value,
          echo: (params: JsonObject) => params,
        },
      });
      const fileToken = await engine.issueFileToken({ read: ["/docs"], write: [] });
      const result = await engine.run(plan, { fileToken });
      expect(result.steps.x?.result).toEqual({
        file_content: "REF:is.text here",
        file_path: "/docs/report.txt",
        file_name: "report.txt",
        parent_dir: "/docs",
      });
      const refused = await engine.run(plan);
      expect(refused.steps.x).toMatchObject({ status: "failed", error: { name: "RuntimeResolutionError" } });
      expect(refused.error?.message).toContain("token");
    } finally {
      await rm(root, { recursive: true });
    }
  });

  test("attributes need no token and no store", async () => {
    const stage = await scene();
    const result = await stage.run({
      instructions: [
        call("u", "give", { value: { f: "/a/b.txt" } }, { definition: { responses: [field("f", "file")] } }),
        call("x", "echo", { p: "REF:u.f.path", n: "REF:u.f.file_name", d: "REF:u.f.parent_directory" }),
      ],
    });
    expect(result.steps.x?.result).toEqual({ p: "/a/b.txt", n: "b.txt", d: "/a" });
  });
});
