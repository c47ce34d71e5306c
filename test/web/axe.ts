import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Everything that axe finds wrong with the page, in light and in dark, in words. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(AXE);
    const results = (await page.evaluate("axe.run()")) as AxeResults;
    for (const { id, nodes } of results.violations)
      for (const { html, failureSummary } of nodes)
        found.push(`${colorScheme}: ${id}: ${html.slice(0, 200)} ${failureSummary ?? ""}`);
  }
  return found;
}
