/* The text that is being written survives a reload. */
const KEY = "sequitur-draft";
const LENGTH_MAX = 2_000_000;

export function readDraft(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(text: string): void {
  try {
    if (text.length <= LENGTH_MAX) localStorage.setItem(KEY, text);
  } catch {
    // No storage, or a full one: the text is still in the editor.
  }
}
