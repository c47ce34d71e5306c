/* Writing a plan in the browser: checks, fixes, completion, conversion, and its start. Every flow goes by keyboard alone. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { EDITOR_TOOLS, editorText, saysState, tabTo, write } from "./editor-stage.ts";

const PLAN = `[
  { "id": "find", "tool": "find_mails", "arguments": { "sender": "Ada" } },
  { "id": "send", "tool": "send_mail", "arguments": { "to": "{{find.result.mails[0].id}}", "body": "Hi" } }
]`;

describe.skipIf(!hasBrowser)("the editor", { retry: 1 }, () => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  const stage = new Stage(EDITOR_TOOLS);

  beforeAll(async () => {
    browser = await openBrowser();
    await stage.start();
  });
  afterAll(async () => {
    await browser.close();
    await stage.stop();
  });
  beforeEach(async () => {
    ({ page, problems } = await enter(browser, stage.server));
    await page.goto(`${stage.server.url}edit`);
    await page.locator(".cm-content").waitFor();
  });
  afterEach(async () => {
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test("checks while one types, says what a plan will do, and starts it", async () => {
    await write(page, PLAN);
    await saysState(page, "Action plan · no problems");
    const effects = page.locator(".effects");
    await expect.poll(() => effects.textContent()).toContain("Changes something: will call send_mail once.");
    expect(await effects.textContent()).toContain("Will also call find_mails once.");
    await expect.poll(() => page.locator(".node").count()).toBe(2);
    await page.getByRole("button", { name: /send/ }).first().click();
    await expect.poll(() => page.locator(".cm-activeLine").textContent()).toContain('"id": "send"');
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/runs\//);
    const id = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
    await stage.until(id, "completed");
    const { data } = await stage.server.ask(
      'query R($id: ID!) { run(id: $id) { step(id: "send") { arguments } } }',
      { id },
    );
    expect(data.run.step.arguments).toEqual({ to: "m1", body: "Hi" });
  });

  test("asks for the arguments of an agent, and says at its field what the server has against one", async () => {
    const agent = {
      arguments: [
        { name: "who", type_name: "string", description: "Who is looked for" },
        { name: "count", type_name: "number" },
      ],
      instructions: [
        {
          execution_id: "find",
          agent_definition: { system_event_endpoint: "find_mails" },
          arguments: { sender: "REF:arguments.who", limit: "REF:arguments.count" },
        },
      ],
    };
    await write(page, JSON.stringify(agent, null, 2));
    await saysState(page, "Agent · no problems");
    await tabTo(page, "who");
    await page.keyboard.type("Ada");
    await tabTo(page, "count");
    await page.keyboard.type("many");
    await tabTo(page, "Run");
    await page.keyboard.press("Enter");
    await expect
      .poll(() =>
        page.locator(".run-panel .field", { hasText: "count" }).locator(".field-error").textContent(),
      )
      .toMatch(/count/);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("3");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\//);
  });

  test("mends a broken plan with a quick fix: by a click, by a key, and all at once", async () => {
    await write(
      page,
      PLAN.replace("find.result", "fnd.result").replace('"tool": "find_mails"', '"tol": "find_mail"'),
    );
    await saysState(page, "Action plan · 3 errors");
    expect(await page.locator(".cm-lintRange-error").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: 'Fix: refer to "find"' }).click();
    await saysState(page, "Action plan · 2 errors");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+.");
    await saysState(page, "Action plan · 1 error");
    await page.keyboard.press("Control+Shift+.");
    await saysState(page, "Action plan · no problems");
    expect(await editorText(page)).toBe(PLAN);
  });

  test("repairs what is not JSON", async () => {
    await write(page, PLAN.replace('"Ada" }', "'Ada', }"));
    await expect.poll(() => page.locator(".problems").textContent()).toContain("error");
    await tabTo(page, /^Fix: repair the JSON/);
    await page.keyboard.press("Enter");
    await saysState(page, "Action plan · no problems");
  });

  test("begins a plan from nothing", async () => {
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "step plan" }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => editorText(page)).toContain('"steps": [');
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "find_mails" }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await expect.poll(() => editorText(page)).toContain('"tool": "find_mails"');
    await saysState(page, "Step plan · 1 error");
  });

  test("completes the keys of a result", async () => {
    await write(page, PLAN.replace("{{find.result.mails[0].id}}", ""));
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    for (let i = 0; i < 17; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    await expect
      .poll(() => page.locator(".cm-tooltip-autocomplete li").allTextContents())
      .toContainEqual(expect.stringContaining("{{find.result}}"));
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await expect.poll(() => editorText(page)).toContain('"to": "{{find.result}}"');
    await page.keyboard.type(".ma");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "mails" }).waitFor();
    await page.waitForTimeout(100);
    await page.keyboard.press("Enter");
    await expect.poll(() => editorText(page)).toContain('"to": "{{find.result.mails}}"');
  });

  test("converts a plan, and Undo takes it back", async () => {
    await write(page, PLAN);
    await saysState(page, "Action plan · no problems");
    await page.keyboard.press("Escape");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+Tab");
    await tabTo(page, "Convert…");
    await page.keyboard.press("Enter");
    await tabTo(page, "Convert to a step plan");
    await page.keyboard.press("Enter");
    await saysState(page, "Step plan · no problems");
    expect(await editorText(page)).toContain("${step[0].data.mails[0].id}");
    await page.keyboard.press("Control+z");
    await saysState(page, "Action plan · no problems");
  });

  test("keeps the text over a reload, and starts from an example", async () => {
    await write(page, PLAN);
    await saysState(page, "Action plan · no problems");
    await page.reload();
    await page.locator(".cm-content").waitFor();
    expect(await editorText(page)).toBe(PLAN);
    await tabTo(page, "Examples…");
    await page.keyboard.press("Enter");
    await tabTo(page, /^02 dependent pair steps$/);
    await page.keyboard.press("Enter");
    await expect.poll(() => editorText(page)).toContain("facilities_list");
    await expect
      .poll(() => page.locator(".problems").textContent())
      .toContain('There is no tool called "facilities_list"');
  });
});
