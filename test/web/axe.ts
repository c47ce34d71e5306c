import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SCRIPT = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds wrong with the page, in light and in dark. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsNow(page)).map((one) => `${colorScheme}: ${one}`));
  }
  return found;
}

async function violationsNow(page: Page): Promise<string[]> {
  // The page's policy lets no script of ours in; the browser's own tools are not bound by it.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: readFileSync(SCRIPT, "utf8") });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 200) + " " + failureSummary).join("; "))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}
