/* What the editor shows in its pictures: a plan that is fine, one with mistakes, and a list of what can be written. */
import type { Page } from "playwright-core";

const PLAN = `{
  "name": "Late orders",
  "plan": [
    {
      "id": "find",
      "tool": "find_orders",
      "arguments": { "customer": "Ada Almeida", "status": "late" }
    },
    {
      "id": "courier",
      "tool": "book_courier",
      "arguments": { "city": "{{find.result.customer.city}}" },
      "policy": { "retries": 2 }
    },
    {
      "id": "tell",
      "tool": "send_email",
      "intent": "Say when the orders will be there",
      "arguments": {
        "to": "ada@example.org",
        "subject": "{{find.result.orders.length}} orders are on their way",
        "body": "{{PLACEHOLDER_message}}"
      },
      "conditions": [
        { "param": "{{courier.result.courier}}", "operator": "exists" }
      ]
    }
  ]
}
`;

export async function writePlan(page: Page): Promise<void> {
  await write(page, PLAN);
  await page.locator(".node").nth(2).waitFor();
}

export async function writeMistakes(page: Page): Promise<void> {
  await write(
    page,
    PLAN.replace("find_orders", "find_order").replace("{{find.result.customer", "{{fnd.result.customer"),
  );
  await page.locator(".problems li").first().waitFor();
  await page.locator(".cm-lintRange").first().hover();
  await page.locator(".cm-tooltip-lint").waitFor();
}

export async function completePlan(page: Page): Promise<void> {
  const [before = "", after = ""] = PLAN.split("{{find.result.customer.city}}");
  await write(page, `${before}{{find.result.}}${after}`);
  for (let i = 0; i < 11; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete").waitFor();
}

async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Control+Home");
}
