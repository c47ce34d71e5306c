/* Whoever sees little, or has only a keyboard, gets as far as anybody else. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { violations } from "./axe.ts";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { TOOLS } from "./stage-tools.ts";

describe.skipIf(!hasBrowser)("everybody", { retry: 1 }, () => {
  let browser: Browser;
  let stage: Stage;
  let done = "";
  let failed = "";

  beforeAll(async () => {
    browser = await openBrowser();
    stage = new Stage(TOOLS);
    await stage.start();
    writeFileSync(join(stage.folder, "go"), "");
    done = await stage.run({
      name: "Ship orders",
      steps: [
        { id: "find", tool: "find_orders", arguments: { customer: "Ada" } },
        {
          id: "retry",
          tool: "flaky",
          arguments: { value: "{{find.result.orders}}" },
          policy: { retries: 3 },
        },
        {
          id: "never",
          tool: "echo",
          arguments: { x: "{{find.result.customer}}" },
          conditions: [{ param: "{{find.result.customer}}", operator: "equals", value: "Bob" }],
        },
      ],
    });
    failed = await stage.run({
      name: "Print labels",
      steps: [{ id: "p", tool: "broken", arguments: { file: join(stage.folder, "fixed") } }],
    });
    await stage.until(done, "completed");
    await stage.until(failed, "failed");
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });

  const pages: readonly { readonly name: string; readonly path: () => string; readonly ready: string }[] = [
    { name: "the runs", path: () => "", ready: "td .status" },
    { name: "no run that fits", path: () => "?search=nothing", ready: ".state button" },
    { name: "a run's graph, with a step", path: () => `runs/${done}?step=never`, ready: ".conditions li" },
    { name: "a run that failed", path: () => `runs/${failed}?step=p`, ready: ".attempts .error-text" },
    { name: "its timeline", path: () => `runs/${done}?view=timeline&step=retry`, ready: ".timeline-row" },
    { name: "its context", path: () => `runs/${done}?view=context`, ready: ".state h2" },
    { name: "its events", path: () => `runs/${done}?view=events`, ready: ".events-row" },
    { name: "no such run", path: () => "runs/nobody", ready: ".state a" },
  ];

  test.each(pages)("axe finds nothing on $name, in light and in dark", async ({ path, ready }) => {
    const { page, context } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.goto(stage.server.url + path());
    await page.locator(ready).first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("the theme is the system's until one is chosen, which is kept", async () => {
    const { page, context } = await enter(browser, stage.server, { colorScheme: "light" });
    onTestFinished(() => context.close());
    const [light, dark] = ["rgb(246, 247, 248)", "rgb(15, 17, 21)"];
    const pageColour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await pageColour()).toBe(light);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await pageColour()).toBe(dark);
    await page.getByRole("button", { name: /^Theme/ }).click();
    expect(await pageColour()).toBe(light);
    await page.reload();
    expect(await pageColour()).toBe(light);
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await pageColour()).toBe(dark);
  });

  /** Presses Tab until what has the focus is what is wanted. */
  async function tabTo(page: Page, wanted: string): Promise<void> {
    for (let i = 0; i < 200; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((selector) => document.activeElement?.matches(selector) === true, wanted))
        return;
    }
    throw new Error(`The keyboard does not reach ${wanted}.`);
  }

  test("a run is found, opened, looked into, replayed and resumed with the keyboard alone", async () => {
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.locator("tbody tr").nth(1).waitFor();
    await tabTo(page, "input[type=search]");
    await page.keyboard.type("print");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await tabTo(page, ".run-name a");
    await page.keyboard.press("Enter");
    await page.locator(".node").first().waitFor();
    await tabTo(page, "#replay");
    await page.keyboard.press("Home");
    await page.getByText("Event 1 of").waitFor();
    await page.keyboard.press("End");
    await page.locator(".run-plan .status", { hasText: "failed" }).waitFor();
    await tabTo(page, ".tabs [aria-selected=true]");
    await page.keyboard.press("ArrowRight");
    await page.locator(".timeline-row").waitFor();
    await page.keyboard.press("ArrowLeft");
    await tabTo(page, ".node-main");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary").getByText("No connection to the printer").first().waitFor();
    writeFileSync(join(stage.folder, "fixed"), "");
    await tabTo(page, ".run-buttons button");
    await page.keyboard.press("Enter");
    await page.locator(".run-plan .status", { hasText: "completed" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("a run is cancelled with the keyboard alone", async () => {
    const id = await stage.run({
      name: "Waits",
      steps: [{ id: "g", tool: "gate", arguments: { file: "/nowhere" } }],
    });
    const { page, context } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.goto(`${stage.server.url}runs/${id}`);
    await page.locator('.node[data-status="running"]').waitFor();
    await tabTo(page, ".run-buttons button");
    await page.keyboard.press("Enter");
    await page.locator(".run-plan .status", { hasText: "cancelled" }).waitFor();
  });

  test("a phone shows the runs and a run without scrolling sideways", async () => {
    const { page, context } = await enter(browser, stage.server, { viewport: { width: 375, height: 720 } });
    onTestFinished(() => context.close());
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await page.locator("td .status").first().waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    for (const view of ["graph", "timeline", "events"]) {
      await page.goto(`${stage.server.url}runs/${done}?view=${view}&step=retry`);
      await page.locator(".attempts li").first().waitFor();
      expect(await overflow()).toBeLessThanOrEqual(0);
    }
  });
});
