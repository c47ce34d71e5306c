/** No variables: other programs than browsers read these pictures, too. */
export const STYLE = `
text { font: 12px ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.title { font: 600 16px system-ui, "Helvetica Neue", Arial, sans-serif }
.counts, .level { font: 11px system-ui, "Helvetica Neue", Arial, sans-serif }
.level { text-anchor: middle }
.id { font-weight: 700 }
.page { fill: #ffffff }
.title, .id { fill: #0f172a }
.calls { fill: #475569 }
.counts, .level { fill: #94a3b8 }
.box { fill: #f8fafc; stroke: #94a3b8; stroke-width: 1.25 }
.composite { stroke: #64748b }
.unknown { fill: #ffffff; stroke-dasharray: 2 3 }
.maybe { stroke-dasharray: 6 4 }
.behind { fill: #eef2f7; stroke: #cbd5e1 }
.frame { fill: none; stroke: #cbd5e1 }
.condition { fill: #7c3aed } .conditional { stroke: #a78bfa }
.fanOut, .repeat, .retries { fill: #0369a1 }
.optional { fill: #64748b }
.question { fill: #b45309 }
.confirmation { fill: #b91c1c }
.edge { fill: none; stroke-width: 1.5 }
.edge.data { stroke: #94a3b8 } .tip.data { fill: #94a3b8 }
.edge.control { stroke: #94a3b8; stroke-dasharray: 4 4 } .tip.control { fill: #94a3b8 }
.edge.chain { stroke: #2563eb; stroke-width: 2 } .tip.chain { fill: #2563eb }
@media (prefers-color-scheme: dark) {
.page { fill: #0b1120 }
.title, .id { fill: #e2e8f0 }
.calls { fill: #94a3b8 }
.counts, .level { fill: #64748b }
.box { fill: #1e293b; stroke: #475569 }
.composite { stroke: #64748b }
.unknown { fill: #0b1120 }
.behind { fill: #172033; stroke: #334155 }
.frame { stroke: #334155 }
.condition { fill: #c4b5fd } .conditional { stroke: #7c3aed }
.fanOut, .repeat, .retries { fill: #7dd3fc }
.optional { fill: #94a3b8 }
.question { fill: #fbbf24 }
.confirmation { fill: #fca5a5 }
.edge.data, .edge.control { stroke: #475569 } .tip.data, .tip.control { fill: #475569 }
.edge.chain { stroke: #60a5fa } .tip.chain { fill: #60a5fa }
}
`;
