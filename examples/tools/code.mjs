/** Looks at source code through the run's file store: no network, no model, nothing is changed. */
export const count_lines = {
  name: "count_lines",
  description: "Counts the lines of a file.",
  sideEffects: false,
  run: async ({ file }, { files }) => {
    const text = await files.readText(file);
    const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
    return { file, lines, is_test: /\.test\.\w+$/.test(file) };
  },
};

export const rank_files = {
  name: "rank_files",
  description: "The longest files of all folders.",
  sideEffects: false,
  run: ({ folders, top }) => {
    const files = folders.flatMap((folder) => folder.files).filter((file) => !file.is_test);
    return { files: files.sort((a, b) => b.lines - a.lines || (a.file < b.file ? -1 : 1)).slice(0, top) };
  },
};

export const advise_on_files = {
  name: "advise_on_files",
  description: "Says which files should be looked at.",
  sideEffects: false,
  run: ({ files, lines_max }) => {
    const long = files.filter((file) => file.lines > lines_max).length;
    return { text: `${long} of these have more than ${lines_max} lines: look for the second thing in each.` };
  },
};

const BAR = 24;

export const draw_report = {
  name: "draw_report",
  description: "A table of the folders with bars, and the longest files.",
  sideEffects: false,
  run: ({ folder, folders, longest, advice }) => {
    const sorted = [...folders].sort((a, b) => b.lines - a.lines);
    const most = Math.max(1, ...sorted.map(({ lines }) => lines));
    const width = Math.max(6, ...sorted.map((one) => one.folder.length - folder.length));
    const row = (name, files, lines, tests, bar) =>
      `${name.padEnd(width)} ${String(files).padStart(6)} ${String(lines).padStart(7)} ${String(tests).padStart(7)}  ${bar}`;
    const rows = sorted.map((one) => {
      const code = Math.round(((one.lines - one.tests) / most) * BAR);
      const all = Math.round((one.lines / most) * BAR);
      const bar = "█".repeat(code) + "░".repeat(all - code);
      return row(one.folder.slice(folder.length + 1), one.files.length, one.lines, one.tests, bar);
    });
    const sum = (of) => sorted.reduce((total, one) => total + of(one), 0);
    const total = row(
      "",
      sum((one) => one.files.length),
      sum((one) => one.lines),
      sum((one) => one.tests),
      "",
    );
    const ranked = longest.map(({ file, lines }) => `${String(lines).padStart(6)}  ${file}`);
    return {
      text: [
        row("folder", "files", "lines", "tests", "█ code ░ tests"),
        ...rows,
        total.trimEnd(),
        "",
        "The longest files:",
        ...ranked,
        ...(advice ? ["", advice] : []),
      ].join("\n"),
    };
  },
};
