/** `12 ms`, `1.3 s`, `2 min 5 s`, `3 h 20 min`, `4 d 1 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return twoUnits(seconds, 60, "min", 1, "s");
  if (seconds < 86_400) return twoUnits(seconds, 3_600, "h", 60, "min");
  return twoUnits(seconds, 86_400, "d", 3_600, "h");
}

function twoUnits(seconds: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)} ${bigName}${rest > 0 ? ` ${rest} ${smallName}` : ""}`;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `30d`, `12h`, `90min`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(text.trim()) ?? [];
  const unitMs = Object.hasOwn(UNITS_MS, unit) ? UNITS_MS[unit] : undefined;
  return unitMs === undefined ? undefined : Number(number) * unitMs;
}
