import type { JsonObject } from "../../../../src/compiler.ts";

/** As the server tells it. */
export interface RunEvent {
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly step: string | null;
  readonly data: JsonObject;
}

export interface ErrorRecord {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** `outer.x[3]` of `outer.x[3].y`, then `outer.x`, then `outer`: what a step is inside of, from the inside out. */
export function* ancestorsOf(id: string): Generator<string> {
  for (let at = id.length - 1; at > 0; at--) {
    const char = id[at];
    if (char === "." || char === "[") yield id.slice(0, at);
  }
}

/** The item of a fan-out, or something inside of one. */
export function isInItem(id: string): boolean {
  return id.includes("[");
}
