/**
 * Patterns are matched by a linear-time engine, which has no backreferences and no lookaround. What is wrong with a pattern,
 * as the end of a sentence, or undefined.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > 10_000) return "it is longer than 10,000 characters";
  const unsupported = findUnsupported(pattern);
  if (unsupported !== undefined) return unsupported;
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch {
    return withoutUnicode(pattern);
  }
}

/** Some patterns in use escape more than the unicode mode allows. */
function withoutUnicode(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : "";
    return `it is not a regular expression (${reason.slice(0, 200)})`;
  }
}

function findUnsupported(pattern: string): string | undefined {
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at];
    if (c === "\\") {
      const next = pattern[++at] ?? "";
      if (!inClass && (/[1-9]/.test(next) || next === "k")) {
        return `"\\${next}" refers back to a group, which needs more than linear time`;
      }
      if (inClass && next === "b") return `"[\\b]" is not known; write "\\x08" for the backspace`;
      const property = /^[pP]\{[^}]*=[^}]*\}/.exec(pattern.slice(at, at + 60))?.[0];
      if (property !== undefined)
        return `"\\${property}" is not known; write the value alone, as in \\p{Greek}`;
    } else if (c === "[") inClass = true;
    else if (c === "]") inClass = false;
    else if (c === "{" && !inClass && repeatsTooOften(pattern.slice(at, at + 20)))
      return "a repetition is longer than 1,000";
    else if (c === "(" && !inClass && /^\(\?<?[=!]/.test(pattern.slice(at, at + 4))) {
      return `"${pattern.slice(at, at + 4)}" looks around, which needs more than linear time`;
    }
  }
  return undefined;
}

function repeatsTooOften(text: string): boolean {
  const counts = /^\{(\d+)(?:,(\d*))?\}/.exec(text);
  return counts !== null && (Number(counts[1]) > 1_000 || Number(counts[2] ?? 0) > 1_000);
}
