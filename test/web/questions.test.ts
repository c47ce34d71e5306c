/* A run that asks people: one form, widgets by schema, and the server's own objections where they belong. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { EDITOR_TOOLS, tabTo } from "./editor-stage.ts";

const ASKED = ["body", "copies", "urgent", "tone", "tags", "from", "attachment"];
const PLAN = [
  {
    id: "send",
    tool: "send_mail",
    arguments: Object.fromEntries(ASKED.map((name) => [name, `{{PLACEHOLDER_${name}}}`])),
    requires_confirmation: true,
  },
];

describe.skipIf(!hasBrowser)("questions", { retry: 1 }, () => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  const stage = new Stage(EDITOR_TOOLS);

  beforeAll(async () => {
    browser = await openBrowser();
    await stage.start();
    ({ page, problems } = await enter(browser, stage.server));
  });
  afterAll(async () => {
    await browser.close();
    await stage.stop();
  });

  test("are answered in one form, by keyboard, and a wrong answer is marked where it stands", async () => {
    const id = await stage.run(PLAN);
    await stage.until(id, "waiting");
    await page.goto(`${stage.server.url}runs/${id}`);
    const form = page.locator(".questions form");
    await form.waitFor();
    expect(await page.locator(".questions h2").textContent()).toBe("This run asks 7 things");
    await expect.poll(() => form.locator(".effects").textContent()).toContain("will call send_mail once");
    await tabTo(page, "body");
    await page.keyboard.type("Dear Ada, مرحبا <b>you</b>");
    await tabTo(page, "Answer and go on");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => form.locator(".field-error").allTextContents())
      .toContain("An answer is missing.");
    await form.getByLabel("copies").focus();
    await page.keyboard.type("two");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await tabTo(page, "tone");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "Add an item");
    await page.keyboard.press("Enter");
    await expect.poll(() => form.getByLabel("Item 1", { exact: true }).count()).toBe(1);
    await form.getByLabel("Item 1", { exact: true }).focus();
    await page.keyboard.type("news");
    await tabTo(page, "name");
    await page.keyboard.type("Grace");
    await form
      .locator("input[type=file]")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("attached text") });
    // A file is read while other things go on.
    await form.getByText("13 characters").waitFor();
    await tabTo(page, "Answer and go on");
    await page.keyboard.press("Enter");
    const copies = form.locator(".field", { has: page.getByLabel("copies") });
    await expect.poll(() => copies.locator(".field-error").textContent()).toMatch(/integer|whole number/);
    await form.getByLabel("copies").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await form.getByText("Run the step").waitFor();
    await expect.poll(() => form.textContent()).toContain("{{PLACEHOLDER_attachment}}");
    await form.getByLabel("Yes, run it").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await stage.until(id, "completed");
    const { data } = await stage.server.ask(
      'query R($id: ID!) { run(id: $id) { step(id: "send") { arguments } } }',
      { id },
    );
    expect(data.run.step.arguments).toEqual({
      body: "Dear Ada, مرحبا <b>you</b>",
      copies: 2,
      urgent: true,
      tone: "friendly",
      tags: ["news"],
      from: { name: "Grace" },
      attachment: "attached text",
    });
    await expect.poll(() => form.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("that come while one is being answered leave what was typed alone", async () => {
    const id = await stage.run([
      { id: "a", tool: "send_mail", arguments: { body: "{{PLACEHOLDER_body}}", to: "{{PLACEHOLDER_to}}" } },
    ]);
    await page.goto(`${stage.server.url}runs/${id}`);
    const form = page.locator(".questions form");
    await form.getByLabel("body").focus();
    await page.keyboard.type("half of an ans");
    // Somebody else answers the other question.
    await stage.server.ask(
      "mutation A($id: ID!, $inputs: JSON!) { provideInputs(id: $id, inputs: $inputs) { id } }",
      {
        id,
        inputs: { to: "Grace" },
      },
    );
    await expect.poll(() => page.locator(".questions h2").textContent()).toBe("This run asks one thing");
    await page.keyboard.type("wer");
    await tabTo(page, "Answer and go on");
    await page.keyboard.press("Enter");
    await stage.until(id, "completed");
    const query = 'query R($id: ID!) { run(id: $id) { step(id: "a") { arguments } } }';
    const { data } = await stage.server.ask(query, { id });
    expect(data.run.step.arguments).toEqual({ body: "half of an answer", to: "Grace" });
  });

  test("with hostile names and schemas are shown as text", async () => {
    const script = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">';
    const id = await stage.run([
      {
        id: "h",
        tool: "hostile",
        intent: script,
        arguments: {
          [script]: "{{PLACEHOLDER_x}}",
          deep: "{{PLACEHOLDER_deep}}",
          long: "{{PLACEHOLDER_long}}",
        },
      },
    ]);
    await page.goto(`${stage.server.url}runs/${id}`);
    await page.locator(".questions form").waitFor();
    expect(await page.locator(".questions").textContent()).toContain(script.slice(0, 30));
    expect(await page.evaluate(() => (window as { hacked?: unknown }).hacked)).toBeUndefined();
    expect(problems).toEqual([]);
  });
});
