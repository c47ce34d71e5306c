/* What a browser has to load before the runs, and a run, can be seen. */
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { TOOLS } from "./stage-tools.ts";

const BYTES_MAX = 300_000;

describe.skipIf(!hasBrowser)("first load", () => {
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
    const sizes = new Map<string, Promise<number>>();
    // Workers ask for their scripts on their own: the context hears of those, too.
    context.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === "/graphql" || response.status() !== 200) return;
      sizes.set(
        pathname,
        response.body().then(
          (body) => gzipSync(body).length,
          () => 0,
        ),
      );
    });
    await page.goto(which === "a run" ? `${server.url}runs/${id}` : server.url);
    await page
      .locator(which === "a run" ? ".node" : "td .status")
      .first()
      .waitFor();
    const counted = await Promise.all([...sizes].map(async ([path, size]) => ({ path, bytes: await size })));
    const total = counted.reduce((sum, { bytes }) => sum + bytes, 0);
    process.stdout.write(`${which}: ${total} bytes compressed, in ${counted.length} files\n`);
    expect(counted.some(({ path }) => path.endsWith(".js"))).toBe(true);
    expect(total).toBeLessThan(BYTES_MAX);
  });
});
