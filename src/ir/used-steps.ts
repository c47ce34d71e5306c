import type { Block } from "./program.ts";
import { forEachReference } from "./template.ts";

/** The steps whose results, or ends, something in the block looks at. */
export function usedSteps({ steps, response }: Block): Set<number> {
  const used = new Set<number>();
  for (const { needs } of steps) {
    for (const { step, mode } of needs) if (mode !== "order") used.add(step);
  }
  if (response !== undefined) {
    forEachReference(response, ({ root }) => {
      if (root.kind === "result" || root.kind === "outcome") used.add(root.step);
    });
  }
  return used;
}
