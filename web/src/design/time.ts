/** `850 ms`, `3.2 s`, `4 min 5 s`, `2 h 3 min` */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const TIME = new Intl.DateTimeFormat("en", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});
const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });

/** The time of today, and the day before that. */
export function timeText(time: string | number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? TIME.format(date) : `${DAY.format(date)}, ${TIME.format(date)}`;
}

export function clockText(time: string | number): string {
  const date = new Date(time);
  return `${TIME.format(date)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
