import { describe } from "../../base/describe.ts";
import type { ExpressionFunction } from "./function.ts";
import { failure, textOr } from "./reading.ts";

function padded(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}

const DAY_MS = 86_400_000;

/** The directives of strftime that need no locale. All in UTC. */
const DIRECTIVES: Readonly<Record<string, (at: Date) => string>> = {
  Y: (at) => padded(at.getUTCFullYear(), 4),
  y: (at) => padded(at.getUTCFullYear() % 100),
  m: (at) => padded(at.getUTCMonth() + 1),
  d: (at) => padded(at.getUTCDate()),
  H: (at) => padded(at.getUTCHours()),
  I: (at) => padded(at.getUTCHours() % 12 || 12),
  p: (at) => (at.getUTCHours() < 12 ? "AM" : "PM"),
  M: (at) => padded(at.getUTCMinutes()),
  S: (at) => padded(at.getUTCSeconds()),
  L: (at) => padded(at.getUTCMilliseconds(), 3),
  f: (at) => padded(at.getUTCMilliseconds() * 1000, 6),
  j: (at) => padded(Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY_MS) + 1, 3),
  F: (at) => at.toISOString().slice(0, 10),
  T: (at) => at.toISOString().slice(11, 19),
  s: (at) => String(Math.floor(at.getTime() / 1000)),
  z: () => "+0000",
  Z: () => "UTC",
  "%": () => "%",
};

const NAMED: Readonly<Record<string, (at: Date) => string | number>> = {
  iso: (at) => at.toISOString(),
  date: (at) => at.toISOString().slice(0, 10),
  time: (at) => at.toISOString().slice(11, 19),
  unix: (at) => Math.floor(at.getTime() / 1000),
  unix_ms: (at) => at.getTime(),
};

/** The recorded time of the event being handled, in UTC: `datetime_now()`, `datetime_now("%Y-%m-%d")`. */
const datetimeNow: ExpressionFunction = {
  name: "datetime_now",
  parameters: [{ name: "format", kind: "value", type: "string", optional: true }],
  result: "any",
  run(call) {
    const format = textOr(call, "format", "iso");
    const at = new Date(call.nowMs);
    const named = Object.hasOwn(NAMED, format) ? NAMED[format] : undefined;
    if (named !== undefined) return named(at);
    if (!format.includes("%")) {
      throw failure(
        call,
        `"format" is ${describe(format)}; ${Object.keys(NAMED).join(", ")} or a pattern such as "%Y-%m-%d" is expected`,
      );
    }
    call.budget.produceText(format.length);
    return format.replace(/%(.?)/gsu, (written, letter: string) => {
      const directive = Object.hasOwn(DIRECTIVES, letter) ? DIRECTIVES[letter] : undefined;
      if (directive !== undefined) return directive(at);
      throw failure(
        call,
        `"${written}" is not known in "format"; there are %${Object.keys(DIRECTIVES).join(" %")}`,
      );
    });
  },
};

export const timeFunctions: readonly ExpressionFunction[] = [datetimeNow];
