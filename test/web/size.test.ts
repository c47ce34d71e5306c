/* What a browser has to load before the runs, and a run, can be seen. */
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { TOOLS } from "./stage-tools.ts";

const BYTES_MAX = 300_000;

describe.skipIf(!hasBrowser)("first load", { retry: 1 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test.each(["the list of runs", "a run"])("of %s is under 300 kB, compressed", async (which) => {
    const stage = new Stage(TOOLS);
    onTestFinished(() => stage.stop());
    const server = await stage.start();
    const id = await stage.run({ steps: [{ id: "a", tool: "echo", arguments: {} }] });
    const { page, context } = await enter(browser, server);
    onTestFinished(() => context.close());
    const paths = new Set<string>();
    // Workers ask for their scripts on their own: the context hears of those, too.
    context.on("request", (request) => paths.add(new URL(request.url()).pathname));
    await page.goto(which === "a run" ? `${server.url}runs/${id}` : server.url);
    await page
      .locator(which === "a run" ? ".node" : "td .status")
      .first()
      .waitFor();
    paths.delete("/graphql");
    // Fetched anew: what the browser has in its cache counts as well.
    const counted = await Promise.all(
      [...paths].map(async (path) => {
        const response = await fetch(new URL(path, server.url), { headers: { accept: "text/html" } });
        expect(response.status).toBe(200);
        // Sent as it is counted.
        expect(response.headers.get("content-encoding")).toBe("gzip");
        return { path, bytes: gzipSync(Buffer.from(await response.arrayBuffer())).length };
      }),
    );
    const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
    process.stdout.write(`${which}: ${total} bytes compressed, in ${counted.length} files\n`);
    expect(counted.some(({ path }) => path.endsWith(".js"))).toBe(true);
    expect(total).toBeLessThan(BYTES_MAX);
  });
});
