/* Results that pages are afraid of: everything is text, cut where it is long, and all of it can be had. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { TOOLS } from "./stage-tools.ts";

const LONG = 10 * 1024 * 1024 + 3;

describe.skipIf(!hasBrowser)("hostile data", { retry: 1 }, () => {
  let browser: Browser;
  let stage: Stage;
  let id: string;
  const name = `<img src=x onerror="window.hacked=1">\u202e‏شحن`;

  beforeAll(async () => {
    browser = await openBrowser();
    stage = new Stage(TOOLS);
    await stage.start();
    id = await stage.run({
      name,
      steps: [
        {
          id: "bad",
          tool: "hostile",
          intent: "<script>window.hacked=1</script>",
          arguments: { "<i>x</i>": "</script><script>window.hacked=1</script>" },
        },
        { id: "fails", tool: "broken", arguments: { file: "/nowhere" }, policy: { optional: true } },
      ],
    });
    await stage.until(id, "completed");
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });

  async function openResult() {
    const { page, context, problems } = await enter(browser, stage.server, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    onTestFinished(() => context.close());
    await page.goto(`${stage.server.url}runs/${id}?step=bad`);
    const result = page.locator(".step-section", { has: page.getByRole("heading", { name: "Result" }) });
    await result.getByText("html:").waitFor();
    return { page, result, problems };
  }

  test("HTML and script in names, keys and values are shown and not run", async () => {
    const { page, result, problems } = await openResult();
    await result.getByText("<img src=x onerror=").first().waitFor();
    await result.getByText("<b>key</b><script>window.hacked=1</script>").waitFor();
    await page.locator(".run-plan", { hasText: "<img src=x onerror=" }).waitFor();
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator("main img, main script, main b, main i:not([style])").count()).toBe(0);
    await page.goto(stage.server.url);
    await page.locator("td.run-name", { hasText: "<img src=x onerror=" }).waitFor();
    expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test("text from right to left stays in its place", async () => {
    const { page, result } = await openResult();
    await result.getByText("مرحبا").waitFor();
    // Each name and value is isolated: it cannot turn round what stands beside it.
    expect(await page.locator(".run-plan bdi").count()).toBe(1);
    const value = result.locator(".json-row", { hasText: "arabic" });
    expect(await value.locator("bdi").count()).toBe(2);
    const [key, text] = await Promise.all([
      value.locator(".json-key").boundingBox(),
      value.locator(".json-string").boundingBox(),
    ]);
    expect(key?.x).toBeLessThan(text?.x ?? 0);
  });

  test("a string of ten megabytes is cut, searched to its end, and seen and copied in full", async () => {
    const { page, result, problems } = await openResult();
    await page.getByRole("searchbox", { name: "Search in Result" }).fill("END");
    await result.getByText("1 of 1").waitFor();
    const row = result.locator(".json-row[data-found]");
    expect((await row.textContent())?.length).toBeLessThan(500);
    await row.getByRole("button", { name: `See all ${LONG.toLocaleString("en")} characters` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Part 1 of").waitFor();
    expect((await dialog.locator("pre").textContent())?.length).toBeLessThanOrEqual(50_000);
    await dialog.getByRole("button", { name: "Copy all" }).click();
    await page.getByText("Copied.").waitFor();
    const copied = await page.evaluate(async () => {
      const text = await navigator.clipboard.readText();
      return { length: text.length, end: text.slice(-3) };
    });
    expect(copied).toEqual({ length: LONG, end: "END" });
    expect(problems).toEqual([]);
  });

  test("a deep nest is opened as deep as one goes, and found at its bottom", async () => {
    const { page, result, problems } = await openResult();
    await page.getByRole("searchbox", { name: "Search in Result" }).fill("bottom");
    await result.getByText("1 of 1").waitFor();
    await result.locator(".json-row[data-found]", { hasText: "bottom" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("a long list is loaded as far as one looks", async () => {
    const { result, problems } = await openResult();
    await result.getByRole("button", { name: "Open many" }).click();
    await result.locator(".json-rows").evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await result.getByRole("button", { name: /^Show more: 19,9/ }).click();
    await result.getByText("item 110").first().waitFor();
    expect(await result.locator(".json-row").count()).toBeLessThan(100);
    expect(problems).toEqual([]);
  });
});
