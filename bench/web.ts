/*
 * The web application with large runs: a graph of 2,000 steps, and a fan-out of 100,000 items. Prints what the page's main
 * thread did; nothing is asserted.
 *
 *   npm run build && npm run bench:web
 */
import type { Browser, CDPSession, Page } from "playwright-core";
import { enter, openBrowser, Stage } from "../test/web/browser.ts";
import { TOOLS } from "../test/web/stage-tools.ts";

const STEPS = 2_000;
const ITEMS = 100_000;
const PANS = 24;

interface LongTask {
  readonly start: number;
  readonly ms: number;
}

/** Every task over 50 ms, as the browser itself reports them. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: LongTask[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, ms: duration });
    }).observe({ type: "longtask", buffered: true });
  });
}

const tasksOf = (page: Page): Promise<LongTask[]> =>
  page.evaluate(() => (window as unknown as { longTasks: LongTask[] }).longTasks);

/** Seconds that the main thread was busy since the page began, as DevTools counts them. */
async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

/** Twenty chains, each joined with its neighbour at every tenth step. */
function wideplan(): unknown {
  const width = 20;
  const steps = Array.from({ length: STEPS }, (_, i) => {
    const above = i - width;
    const beside = i % 10 === 0 && above > 0 ? { other: `{{s${above - 1}.result.n}}` } : {};
    const from = above < 0 ? {} : { from: `{{s${above}.result.n}}` };
    return { id: `s${i}`, tool: "echo", arguments: { n: i, ...from, ...beside } };
  });
  return { name: `${STEPS} steps`, steps };
}

async function graph(browser: Browser, stage: Stage): Promise<void> {
  const id = await stage.run(wideplan());
  await stage.until(id, "completed");
  const { page, context } = await enter(browser, stage.server);
  await watchTasks(page);
  await page.goto(`${stage.server.url}runs/${id}`);
  await page.locator(".graph[data-laid-out]").waitFor();
  await page.locator('.node[data-status="completed"]').first().waitFor();
  const laidOut = await page.evaluate(() => performance.now());
  await page.waitForTimeout(1_000);
  const settled = await page.evaluate(() => performance.now());
  const box = await page.locator(".react-flow").boundingBox();
  if (box === null) throw new Error("There is no graph.");
  const zoom = page.getByRole("button", { name: "Zoom In" });
  const out = page.getByRole("button", { name: "Zoom Out" });
  for (let i = 0; i < 4 && (await out.isEnabled()); i++) await out.click();
  for (let i = 0; i < 2 && (await zoom.isEnabled()); i++) await zoom.click();
  const middle = box.y + box.height / 2;
  const seen: number[] = [];
  for (let i = 0; i < PANS; i++) {
    // Ever further into the plan, and up and down.
    await page.mouse.move(box.x + box.width - 40, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, middle + (i % 2 === 0 ? 150 : -150), { steps: 8 });
    await page.mouse.up();
    seen.push(await page.locator(".node").count());
  }
  const tasks = await tasksOf(page);
  const longest = (from: number): string => {
    const later = tasks.filter(({ start }) => start >= from).map(({ ms }) => ms);
    return `${Math.round(Math.max(0, ...later))} ms (${later.length} over 50 ms)`;
  };
  print(`a graph of ${STEPS.toLocaleString("en")} steps`, {
    "laid out and drawn after": `${Math.round(laidOut)} ms`,
    "longest task until then": longest(0),
    "longest task after layout": longest(laidOut),
    [`longest task while zooming and panning ${PANS} times`]: longest(settled),
    "nodes in the page at once": `${Math.min(...seen)} to ${Math.max(...seen)}`,
  });
  await context.close();
}

async function fanOut(browser: Browser, stage: Stage): Promise<void> {
  const id = await stage.run({
    instructions: [
      {
        execution_id: "list",
        agent_definition: { system_event_endpoint: "numbers" },
        arguments: { count: ITEMS },
      },
      {
        execution_id: "each",
        agent_definition: { system_event_endpoint: "echo" },
        arguments: {},
        parallel_execution: { iterate_over: "REF:list.list", child_argument_name: "n" },
      },
    ],
    response_reference_map: {},
  });
  await stage.until(id, "completed");
  const { page, context } = await enter(browser, stage.server);
  await watchTasks(page);
  const session = await context.newCDPSession(page);
  // Time that the thread itself has used, whatever else the machine does.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await busySeconds(session);
  await page.goto(`${stage.server.url}runs/${id}?step=each`);
  await page
    .getByText(`${ITEMS.toLocaleString("en")} of ${ITEMS.toLocaleString("en")} done`)
    .waitFor({ timeout: 300_000 });
  await page.locator(".rows .step-row").first().waitFor();
  const opened = await page.evaluate(() => performance.now());
  const busy = await busySeconds(session);
  const tasks = await tasksOf(page);
  await page.locator(".rows").evaluate((list) => {
    list.scrollTop = list.scrollHeight;
  });
  await page.getByText(`each[${ITEMS - 1}]`).waitFor();
  print(`a run with a fan-out of ${ITEMS.toLocaleString("en")}`, {
    "opened, with all its events, after": `${(opened / 1_000).toFixed(1)} s`,
    "main thread busy until then": `${(busy - before).toFixed(2)} s`,
    "longest task until then": `${Math.round(Math.max(0, ...tasks.map(({ ms }) => ms)))} ms`,
    "busy for a jump to the last item": `${((await busySeconds(session)) - busy).toFixed(2)} s`,
    "rows in the page at once": await page.locator(".rows .step-row").count(),
  });
  await context.close();
}

function print(title: string, figures: Readonly<Record<string, string | number>>): void {
  process.stdout.write(`${title}\n`);
  for (const [name, value] of Object.entries(figures)) process.stdout.write(`  ${name}: ${value}\n`);
}

const stage = new Stage(TOOLS);
const browser = await openBrowser();
try {
  await stage.start();
  await graph(browser, stage);
  await fanOut(browser, stage);
} finally {
  await browser.close();
  await stage.stop();
}
