import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Tools with schemas that say something, and some that pages are afraid of. */
export const EDITOR_TOOLS = `
export const find_mails = {
  name: "find_mails", description: "Finds mails.", sideEffects: false,
  input: { type: "object", properties: { sender: { type: "string", description: "Who wrote" }, limit: { type: "integer" } }, required: ["sender"] },
  output: { type: "object", properties: { mails: { type: "array", items: { type: "object", properties: { id: { type: "string" }, subject: { type: "string" } } } } } },
  run: ({ sender }) => ({ mails: [{ id: "m1", subject: "Hello from " + sender }] }),
};
export const send_mail = {
  name: "send_mail", description: "Sends a mail.", sideEffects: true,
  input: { type: "object", properties: {
    to: { type: "string" }, body: { type: "string", description: "What to write" },
    copies: { type: "integer", description: "How many" }, urgent: { type: "boolean" },
    tone: { enum: ["formal", "friendly"] }, tags: { type: "array", items: { type: "string" } },
    from: { type: "object", properties: { name: { type: "string" }, age: { type: "number" } }, required: ["name"] },
    attachment: { type: "string", contentMediaType: "text/plain" },
  } },
  run: (params) => ({ sent: params }),
};
let deep = { type: "string" };
for (let i = 0; i < 120; i++) deep = { type: "object", properties: { down: deep } };
const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
export const hostile = {
  name: "hostile", description: script + " \\u202eمرحبا بالعالم\\u202c " + "x".repeat(1_000_000),
  input: { type: "object", properties: { [script]: { type: "string", description: script }, deep, long: { enum: ["y".repeat(100_000), script] } } },
  run: (params) => params,
};
`;

/** The plan as it stands in the editor. */
export async function editorText(page: Page): Promise<string> {
  const lines = await page.locator(".cm-line").allInnerTexts();
  return lines.map((line) => line.replace(/\n$/, "")).join("\n");
}

/** Puts a text into the editor as a paste does; the keyboard is in it then. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

export async function saysState(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.locator(".edit-state").textContent(), { timeout: 60_000 }).toBe(text);
}

/** Goes on with Tab until something of that name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const names: string[] = [];
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const labels =
        element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement
          ? [...(element.labels ?? [])]
          : [];
      const label = labels.map((one) => one.textContent).join(" ");
      return (element?.getAttribute("aria-label") ?? (label || element?.textContent) ?? "").trim();
    });
    names.push(found);
    if (typeof name === "string" ? found === name : name.test(found)) return;
  }
  throw new Error(`Tab never came to ${name}, only to ${names.join(" | ")}`);
}
