/* Agents and tools: search, schemas, who uses them; and all of our pages as axe sees them, and with hostile data. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { EDITOR_TOOLS, saysState, tabTo, write } from "./editor-stage.ts";

const AGENTS = {
  "agents/mail/answer.agent": {
    description: "Finds a mail and answers it.",
    arguments: [{ name: "who", type_name: "string", description: "Who wrote" }],
    instructions: [
      {
        execution_id: "find",
        agent_definition: { system_event_endpoint: "find_mails" },
        arguments: { sender: "REF:arguments.who" },
      },
    ],
  },
};

describe.skipIf(!hasBrowser)("agents and tools", { retry: 1 }, () => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  const stage = new Stage(EDITOR_TOOLS, AGENTS);

  beforeAll(async () => {
    browser = await openBrowser();
    await stage.start();
    ({ page, problems } = await enter(browser, stage.server));
    const id = await stage.run([{ id: "a", tool: "find_mails", arguments: { sender: "Ada" } }]);
    await stage.until(id, "completed");
  });
  afterAll(async () => {
    expect(problems).toEqual([]);
    await browser.close();
    await stage.stop();
  });

  test("a tool is found by keyboard, with its schema and the plans that use it", async () => {
    await page.goto(`${stage.server.url}tools`);
    await page.getByRole("heading", { name: "Tools" }).waitFor();
    await tabTo(page, "Search tools");
    await page.keyboard.type("find_m");
    await expect.poll(() => page.locator(".catalogue-entry").count()).toBe(1);
    const details = page.locator(".catalogue-details");
    await expect.poll(() => details.textContent()).toContain("Who wrote");
    await expect.poll(() => page.locator(".used-by li").count()).toBe(2);
    expect(await page.locator(".used-by").textContent()).toContain("/mail/answer.agent");
    expect(new URL(page.url()).search).toBe("?search=find_m");
    expect(await violations(page)).toEqual([]);
  });

  test("an agent leads to its graph and into the editor", async () => {
    await page.goto(`${stage.server.url}agents?show=%2Fmail%2Fanswer.agent`);
    await expect.poll(() => page.locator(".catalogue-details .node").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await tabTo(page, "Open in the editor");
    await page.keyboard.press("Enter");
    await saysState(page, "Agent · no problems");
  });

  test("axe finds nothing wrong with the editor, whatever state it is in", async () => {
    await page.goto(`${stage.server.url}edit`);
    await write(page, `[{ "id": "a", "tol": "find_mails", "arguments": {} }]`);
    await expect.poll(() => page.locator(".problems li").count()).toBeGreaterThan(0);
    expect(await violations(page)).toEqual([]);
    await write(page, `[{ "id": "a", "tool": "find_mails", "arguments": { "sender": "x" } }]`);
    await saysState(page, "Action plan · no problems");
    await expect.poll(() => page.locator(".node").count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Convert…" }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Examples…" }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("axe finds nothing wrong with questions", async () => {
    const asked = ["body", "copies", "urgent", "tone", "tags", "from", "attachment"];
    const args = Object.fromEntries(asked.map((name) => [name, `{{PLACEHOLDER_${name}}}`]));
    const id = await stage.run([{ id: "send", tool: "send_mail", arguments: args }]);
    await page.goto(`${stage.server.url}runs/${id}`);
    await page.getByRole("button", { name: "Answer and go on" }).click();
    await expect.poll(() => page.locator(".questions .field-error").count()).toBeGreaterThan(5);
    expect(await violations(page)).toEqual([]);
  });

  test("hostile tools are shown as text, and cut where they are long", async () => {
    await page.goto(`${stage.server.url}tools?show=hostile`);
    await expect
      .poll(() => page.locator(".catalogue-details .schema").first().textContent())
      .toContain("<script>");
    expect((await page.locator(".catalogue-details").textContent())?.length).toBeLessThan(20_000);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: /^Show all 1,000,\d+ characters$/ }).click();
    await expect.poll(() => page.getByRole("dialog").textContent()).toContain("Part 1 of 21");
    await page.keyboard.press("Escape");
    await page.goto(`${stage.server.url}edit`);
    const script = "<script>window.hacked=1</script>";
    await write(page, JSON.stringify([{ id: "a", tool: script, arguments: { [script]: "مرحبا" } }]));
    await expect.poll(() => page.locator(".problems").textContent()).toContain(script);
    await write(
      page,
      JSON.stringify([{ id: "a", tool: "send_mail", arguments: { body: "x".repeat(500_000) } }]),
    );
    await saysState(page, "Action plan · no problems");
    let deep: unknown = "bottom";
    for (let i = 0; i < 400; i++) deep = [deep];
    await write(page, JSON.stringify([{ id: "a", tool: "send_mail", arguments: { deep } }]));
    await expect.poll(() => page.locator(".edit-state").textContent()).toMatch(/^Action plan|^Language/);
    expect(await page.evaluate(() => (window as { hacked?: unknown }).hacked)).toBeUndefined();
  });

  test("nothing is wider than a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ["edit", "tools", "agents"]) {
      await page.goto(`${stage.server.url}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
  });
});
