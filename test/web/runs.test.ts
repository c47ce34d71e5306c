/* People watch runs, stop them, and go on with them; the browser and the server are real. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { enter, hasBrowser, openBrowser, Stage } from "./browser.ts";
import { TOOLS } from "./stage-tools.ts";

describe.skipIf(!hasBrowser)("runs in the browser", { retry: 1 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  async function open(): Promise<Stage> {
    const stage = new Stage(TOOLS);
    onTestFinished(() => stage.stop());
    await stage.start();
    return stage;
  }

  /** find → check → gate → ship, where the gate waits for a file. */
  const plan = (stage: Stage, name = "Ship orders") => ({
    name,
    steps: [
      { id: "find", tool: "find_orders", arguments: { customer: "Ada" } },
      { id: "check", tool: "echo", arguments: { first: "{{find.result.orders[0].id}}" } },
      {
        id: "never",
        tool: "echo",
        arguments: { x: 1 },
        conditions: [
          { param: "{{find.result.orders.length}}", operator: "greater_than", value: 10 },
          { param: "{{find.result.customer}}", operator: "equals", value: "Ada" },
        ],
      },
      {
        id: "gate",
        tool: "gate",
        arguments: { file: join(stage.folder, "go"), value: "{{check.result.first}}" },
      },
      { id: "ship", tool: "ship", arguments: { order: "{{gate.result.value}}" } },
    ],
  });

  /** The page of the plan's run, when it has completed. */
  async function openCompleted(query: string) {
    const stage = await open();
    writeFileSync(join(stage.folder, "go"), "");
    const id = await stage.run(plan(stage));
    await stage.until(id, "completed");
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.goto(`${stage.server.url}runs/${id}${query}`);
    return { page, problems };
  }

  const node = (id: string, status: string): string =>
    `.node[data-step="${id}"][data-status="${status}"] > .node-main`;

  test("a run is watched live, from the list to its last step", async () => {
    const stage = await open();
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.getByText("Nothing has run yet").waitFor();
    const id = await stage.run(plan(stage));
    // The list hears of it by itself.
    await page.getByRole("link", { name: "Ship orders" }).click();
    expect(page.url()).toContain(`/runs/${id}`);
    await page.locator(node("find", "completed")).waitFor();
    await page.locator(node("gate", "running")).waitFor();
    await page.locator(node("ship", "pending")).waitFor();
    await page.getByText("orders[0].id").first().waitFor();
    writeFileSync(join(stage.folder, "go"), "");
    await page.locator(node("ship", "completed")).waitFor();
    await page.locator(".run-plan .status", { hasText: "completed" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("a step tells what it was given, where that came from, what it gave, and why it did not run", async () => {
    const { page, problems } = await openCompleted("?step=ship");
    const panel = page.getByRole("complementary");
    await panel.getByText("{{gate.result.value}}").waitFor();
    await panel.getByRole("group", { name: "Arguments as resolved" }).getByText("order-0").waitFor();
    await panel.getByRole("group", { name: "Result" }).getByText("shipped").waitFor();
    await panel.getByRole("button", { name: "gate.value" }).click();
    await panel.getByRole("heading", { name: "gate" }).waitFor();
    expect(page.url()).toContain("step=gate");
    await page.locator(node("find", "completed")).click();
    await panel.getByText("Found 3 orders of Ada").waitFor();
    await panel.getByText("looking for orders").waitFor();
    await page.locator(node("never", "skipped")).click();
    await panel.getByText("Why it was skipped").waitFor();
    await panel.getByText("it saw 3").waitFor();
    await panel.getByText('it saw "Ada"').waitFor();
    expect(problems).toEqual([]);
  });

  test("the slider moves the whole page through the run's history, and back", async () => {
    const { page, problems } = await openCompleted("");
    await page.locator(node("ship", "completed")).waitFor();
    await page.getByRole("slider", { name: "Replay" }).fill("2");
    await page.locator(node("find", "running")).waitFor();
    await page.locator(node("ship", "pending")).waitFor();
    await page.locator(".run-plan .status", { hasText: "running" }).waitFor();
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.locator(".timeline-row").first().waitFor();
    expect(await page.locator(".timeline-row").count()).toBe(1);
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByText("2 events").waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.getByRole("textbox").or(page.getByRole("searchbox")).first().fill("stepskipped");
    await page.getByText("1 events").waitFor();
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.locator(node("ship", "completed")).waitFor();
    expect(problems).toEqual([]);
  });

  test("the journal can be taken home", async () => {
    const { page } = await openCompleted("?view=events");
    await page.getByText("RunFinished").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks)
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { kind: string });
    expect(lines.at(0)?.kind).toBe("RunStarted");
    expect(lines.at(-1)?.kind).toBe("RunFinished");
  });

  test("a run is cancelled, from the list and from its page", async () => {
    const stage = await open();
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await stage.run(plan(stage, "From the list"));
    await page.getByRole("button", { name: /^Cancel From the list/ }).click();
    await page.locator("td .status", { hasText: "cancelled" }).waitFor();
    const id = await stage.run(plan(stage, "From its page"));
    await page.goto(`${stage.server.url}runs/${id}`);
    await page.locator(node("gate", "running")).waitFor();
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.locator(".run-plan .status", { hasText: "cancelled" }).waitFor();
    await page.locator(node("gate", "cancelled")).waitFor();
    expect(problems).toEqual([]);
  });

  test("a run that failed goes on from where it failed", async () => {
    const stage = await open();
    const id = await stage.run({
      steps: [
        { id: "find", tool: "find_orders", arguments: { customer: "Ada" } },
        {
          id: "print",
          tool: "broken",
          arguments: { file: join(stage.folder, "fixed"), of: "{{find.result.customer}}" },
        },
      ],
    });
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.goto(`${stage.server.url}runs/${id}`);
    await page.locator(".run-error", { hasText: "No connection to the printer" }).waitFor();
    writeFileSync(join(stage.folder, "fixed"), "");
    await page.getByRole("button", { name: "Resume run" }).click();
    await page.locator(".run-plan .status", { hasText: "completed" }).waitFor();
    await page.locator(node("print", "completed")).waitFor();
    expect(await page.locator(".run-error").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("a page outlives the server: it was killed, comes back, and the run goes on before one's eyes", async () => {
    const stage = await open();
    const id = await stage.run(plan(stage));
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.goto(`${stage.server.url}runs/${id}`);
    await page.locator(node("gate", "running")).waitFor();
    const { port } = new URL(stage.server.url);
    await stage.kill();
    await page.getByText("Reconnecting…").waitFor();
    // What was known is still there.
    await page.locator(node("find", "completed")).waitFor();
    writeFileSync(join(stage.folder, "go"), "");
    await stage.start(port);
    // The session was in the memory of the process that is gone: the page asks for a token, and goes on where it was.
    await page.locator("input[type=password]").fill(stage.server.token);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.locator(node("ship", "completed")).waitFor();
    expect(page.url()).toContain(`/runs/${id}`);
    await page.locator(".run-plan .status", { hasText: "completed" }).waitFor();
    expect(await page.getByText("Reconnecting…").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("runs are filtered and searched, and the address keeps it", async () => {
    const stage = await open();
    writeFileSync(join(stage.folder, "go"), "");
    const done = await stage.run(plan(stage, "Ship orders"));
    const failed = await stage.run({
      name: "Print labels",
      steps: [{ id: "p", tool: "broken", arguments: { file: "/nowhere" } }],
    });
    await stage.until(done, "completed");
    await stage.until(failed, "failed");
    const { page, context, problems } = await enter(browser, stage.server);
    onTestFinished(() => context.close());
    await page.getByRole("link", { name: "Print labels" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(2);
    await page.getByLabel("Status").selectOption("failed");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect(page.url()).toContain("status=failed");
    await page.reload();
    await page.getByRole("link", { name: "Print labels" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.getByLabel("Status").selectOption("");
    await page.getByLabel("Search by plan or id").fill("SHIP");
    await expect.poll(() => page.locator("tbody tr").allTextContents()).toHaveLength(1);
    await page.getByRole("link", { name: "Ship orders" }).waitFor();
    await page.getByLabel("Search by plan or id").fill("nothing like this");
    await page.getByRole("button", { name: "Show all runs" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
    expect(problems).toEqual([]);
  });
});
