/*
 * Pictures of every page, light and dark, from a real server with realistic runs: `npm run screenshots` writes docs/images. Names of
 * pictures take those alone: `npm run screenshots -- runs run-failed`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { enter, openBrowser, Stage } from "../test/web/browser.ts";
import { completePlan, writeMistakes, writePlan } from "./screenshot-editor.ts";
import { AGENTS, approvals, digest, orders, PICTURE_TOOLS, reports } from "./screenshot-plans.ts";

const IMAGES = fileURLToPath(new URL("images/", import.meta.url));

interface Shot {
  readonly name: string;
  readonly path: string;
  /** What has to be in sight. */
  readonly ready: string;
  readonly act?: (page: Page) => Promise<void>;
  readonly width?: number;
}

async function runsOf(stage: Stage): Promise<Readonly<Record<string, string>>> {
  const go = join(stage.folder, "go");
  const ids: Record<string, string> = {};
  for (const name of ["Monday", "Tuesday", "Wednesday"]) {
    const id = await stage.run(digest(`${name} digest`));
    await stage.until(id, "completed");
  }
  ids.failed = await stage.run(reports("OFFICE-2"));
  await stage.until(ids.failed, "failed");
  ids.cancelled = await stage.run(orders("Reorder paper", go));
  await stage.server.ask(`mutation C($id: ID!) { cancelRun(id: $id, reason: "Not today") { status } }`, {
    id: ids.cancelled,
  });
  ids.asks = await stage.run(approvals());
  await stage.until(ids.asks, "waiting");
  ids.done = await stage.run(orders("Ship orders of the week", join(stage.folder, "tools.mjs")));
  await stage.until(ids.done, "completed");
  ids.live = await stage.run(orders("Ship orders of today", go));
  return ids;
}

function shotsOf(ids: Readonly<Record<string, string>>): Shot[] {
  return [
    { name: "runs", path: "", ready: "td .status" },
    { name: "run", path: `runs/${ids.live}?step=pick`, ready: ".step .status" },
    { name: "run-inside", path: `runs/${ids.done}?step=invoice`, ready: ".node-toggle", act: openInvoice },
    { name: "run-skipped", path: `runs/${ids.done}?step=express`, ready: ".conditions li" },
    { name: "run-failed", path: `runs/${ids.failed}?step=print`, ready: ".attempts .error-text" },
    { name: "run-timeline", path: `runs/${ids.done}?view=timeline&step=pick`, ready: ".timeline-row" },
    { name: "run-context", path: `runs/${ids.done}?view=context`, ready: ".context li" },
    { name: "run-events", path: `runs/${ids.done}?view=events`, ready: ".events-row" },
    { name: "run-replay", path: `runs/${ids.done}`, ready: ".node", act: goBack },
    { name: "questions", path: `runs/${ids.asks}`, ready: ".questions form" },
    { name: "editor", path: "edit", ready: ".cm-content", act: writePlan },
    { name: "editor-mistakes", path: "edit", ready: ".cm-content", act: writeMistakes },
    { name: "editor-completion", path: "edit", ready: ".cm-content", act: completePlan },
    { name: "editor-phone", path: "edit", ready: ".cm-content", act: writePlan, width: 390 },
    { name: "agents", path: "agents?show=%2Foffice%2Finvoice.agent", ready: ".catalogue-details .node" },
    { name: "tools", path: "tools?show=send_email", ready: ".used-by li" },
    { name: "runs-phone", path: "", ready: "td .status", width: 390 },
    { name: "run-phone", path: `runs/${ids.done}`, ready: ".node", width: 390 },
  ];
}

async function openInvoice(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open invoice" }).click();
  await page.locator('.node[data-step="invoice.total"]').waitFor();
}

async function goBack(page: Page): Promise<void> {
  await page.locator('.node[data-status="completed"]').first().waitFor();
  await page.getByRole("slider", { name: "Replay" }).fill("12");
  await page.getByRole("button", { name: "Back to now" }).waitFor();
}

async function take(
  browser: Browser,
  stage: Stage,
  shots: readonly Shot[],
  colorScheme: "light" | "dark",
): Promise<void> {
  for (const { name, path, ready, act, width = 1360 } of shots) {
    const height = width < 600 ? 800 : 860;
    const { page, context } = await enter(browser, stage.server, {
      colorScheme,
      viewport: { width, height },
    });
    await page.goto(stage.server.url + path);
    await page.locator(ready).first().waitFor();
    await act?.(page);
    // Whatever still moves has come to rest by then.
    await page.waitForTimeout(900);
    await page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
    await context.close();
  }
}

const wanted = process.argv.slice(2);
mkdirSync(IMAGES, { recursive: true });
const stage = new Stage(PICTURE_TOOLS, AGENTS);
const browser = await openBrowser();
try {
  await stage.start();
  const all = shotsOf(await runsOf(stage));
  const shots = wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
  await take(browser, stage, shots, "light");
  await take(browser, stage, shots, "dark");
  writeFileSync(join(stage.folder, "go"), "");
} finally {
  await browser.close();
  await stage.stop();
}
