/** The status of a run or a step: a word and a shape, and a colour for those who see it. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <span className="status" data-status={status}>
      <StatusIcon status={status} />
      {status.replaceAll("_", " ")}
    </span>
  );
}

const STROKE = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

const SHAPES: Readonly<Record<string, string>> = {
  completed: "M3.5 8.5 6.5 11.5 12.5 5",
  failed: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  running: "M8 2.5a5.5 5.5 0 1 1-5.5 5.5",
  waiting: "M5.5 4.5v7M10.5 4.5v7",
  skipped: "M4 4.5 8 8l-4 3.5M9 4.5 13 8l-4 3.5",
  blocked: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M4.2 4.2l7.6 7.6",
  cancelled: "M4 8h8",
  partial_success: "M3 8.5 5 10.5 9 6M10 11.5h4",
};

export function StatusIcon({ status }: { readonly status: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[status] ?? "M8 4.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7"} {...STROKE} />
    </svg>
  );
}
