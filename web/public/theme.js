// Before the first paint, so that a page in the chosen theme does not flash in the other one.
try {
  const theme = localStorage.getItem("sequitur-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's theme holds.
}
