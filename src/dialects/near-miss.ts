import { type Findings, spliceFix } from "../source/findings.ts";
import type { Place } from "../source/place.ts";

/** What a match was meant to be, or undefined where it is just text. */
export type Meant = (match: RegExpExecArray) => string | undefined;

/**
 * Warns of text that looks like a reference with other marks around it: it stays text, and the fix writes what was
 * probably meant. Patterns must be global, and linear in the length of the text.
 */
export function warnNearMisses(
  text: string,
  place: Place,
  pattern: RegExp,
  meant: Meant,
  findings: Findings,
): void {
  for (const match of text.matchAll(pattern)) {
    const instead = meant(match);
    if (instead === undefined) continue;
    const spot = { place, from: match.index, to: match.index + match[0].length };
    const fix = spliceFix(`write ${instead}`, spot, instead);
    findings.report("looks-like-reference", spot, { text: match[0], instead }, fix);
  }
}
