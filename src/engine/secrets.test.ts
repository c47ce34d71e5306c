import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { readSecret } from "../ir/secret.ts";
import { below, rootPlace } from "../source/place.ts";
import { createEngine } from "./engine.ts";
import { readSecretsFile, SecretVault } from "./secrets.ts";

const PLACE = below(rootPlace({ file: undefined, text: undefined, value: null }), "x");

function marker(name: string): Json {
  const template = readSecret({ $secret: name }, PLACE);
  return template?.kind === "secret" ? template.marker : null;
}

describe("a vault", () => {
  test("puts values in the place of markers, and leaves what only looks like one", () => {
    const vault = new SecretVault({ KEY: "swordfish" });
    const args = { a: marker("KEY"), b: [{ c: marker("KEY") }], d: { $secret: "KEY" } };
    expect(vault.fill(args)).toEqual({ a: "swordfish", b: [{ c: "swordfish" }], d: { $secret: "KEY" } });
  });

  test("takes a value out of everything, whatever stands around it", () => {
    const vault = new SecretVault({ KEY: "sword/fish+&" });
    vault.fill(marker("KEY"));
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (before, after, other) => {
        const text = `${before}sword/fish+&${after}`;
        const scrubbed = vault.scrub({ text, list: [text], [text]: other as Json });
        return !JSON.stringify(scrubbed).includes("sword/fish+&");
      }),
    );
  });

  test("leaves everything alone as long as no tool was given anything", () => {
    const vault = new SecretVault({ KEY: "swordfish" });
    expect(vault.scrub("swordfish")).toBe("swordfish");
  });

  test("of two secrets, one inside the other, leaves nothing of either", () => {
    const vault = new SecretVault({ SHORT: "abcd", LONG: "xxabcdxx" });
    vault.fill([marker("SHORT"), marker("LONG")]);
    expect(vault.scrub("-xxabcdxx-abcd-")).toBe("-[secret LONG]-[secret SHORT]-");
  });
});

describe("the environment", () => {
  afterEach(() => {
    delete process.env.SEQUITUR_SECRET_API_KEY;
    delete process.env.SEQUITUR_SECRETS_FILE;
  });

  const PLAN = [{ id: "a", tool: "length", arguments: { key: { $secret: "API_KEY" } } }];

  async function run() {
    const engine = await createEngine({ tools: { length: ({ key }: { key: string }) => key.length } });
    return engine.run(PLAN);
  }

  test("has them under SEQUITUR_SECRET_NAME", async () => {
    process.env.SEQUITUR_SECRET_API_KEY = "from-the-environment";
    expect((await run()).steps.a).toMatchObject({ result: 20, arguments: { key: { $secret: "API_KEY" } } });
  });

  test("names a file of them", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "sequitur-secrets-")), "secrets.json");
    writeFileSync(file, JSON.stringify({ API_KEY: "from-a-file" }));
    process.env.SEQUITUR_SECRETS_FILE = file;
    expect((await run()).steps.a?.result).toBe(11);
  });

  test("without them the plan does not start", async () => {
    await expect(run()).rejects.toMatchObject({
      diagnostics: [{ code: "unknown-secret", pointer: "/0/arguments/key" }],
    });
  });

  test("one that is too short to be kept secret is given to nobody", async () => {
    process.env.SEQUITUR_SECRET_API_KEY = "abc";
    expect(await run()).toMatchObject({ status: "failed", error: { code: "WEAK_SECRET" } });
  });

  test("a file that cannot be read is named, and nothing of it repeated", () => {
    const file = join(mkdtempSync(join(tmpdir(), "sequitur-secrets-")), "secrets.json");
    writeFileSync(file, `{ "API_KEY": "half-a-secr`);
    expect(() => readSecretsFile(file)).toThrow(`The secrets in ${file} cannot be read: it is not JSON.`);
    writeFileSync(file, `{ "API_KEY": 5 }`);
    expect(() => readSecretsFile(file)).toThrow("must be an object of names and texts");
    expect(() => readSecretsFile(`${file}.none`)).toThrow("ENOENT");
  });
});
