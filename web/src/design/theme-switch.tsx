import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

type Theme = "system" | "light" | "dark";

const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const KEY = "sequitur-theme";

function chosen(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** The system's theme, light, dark, and round again. `public/theme.js` reads the choice before the first paint. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosen);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    try {
      if (theme === "system") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // No storage: the choice holds for this page.
    }
  }, [theme]);
  return (
    <Button kind="quiet" className="theme-switch" onClick={() => setTheme(NEXT[theme])}>
      <span className="visually-hidden">Theme: </span>
      {theme === "system" ? "Auto" : theme === "light" ? "Light" : "Dark"}
    </Button>
  );
}
