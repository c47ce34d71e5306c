import { useConnection } from "./data/connection.ts";
import { ThemeSwitch } from "./design/theme-switch.tsx";
import { Link } from "./router.tsx";

const PLACES = [
  { to: "/", name: "Runs" },
  { to: "/edit", name: "Editor" },
  { to: "/agents", name: "Agents" },
  { to: "/tools", name: "Tools" },
] as const;

export function Header({ path }: { readonly path: string }) {
  const isCurrent = (to: string): boolean => path === to || (to === "/" && path.startsWith("/runs/"));
  return (
    <header className="header">
      <Link to="/" className="brand" aria-label="Sequitur: to the runs">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path
            d="M8 10h6a3 3 0 0 1 3 3v6a3 3 0 0 0 3 3h4"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.4"
          />
          <circle cx="8" cy="10" r="3" fill="currentColor" />
          <circle cx="24" cy="22" r="3" fill="currentColor" />
        </svg>
        <span>Sequitur</span>
      </Link>
      <nav aria-label="Pages">
        {PLACES.map(({ to, name }) => (
          <Link key={to} to={to} aria-current={isCurrent(to) ? "page" : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <ConnectionState />
      <ThemeSwitch />
    </header>
  );
}

/** Said where it can be seen and heard, and in nobody's way: what is shown stays, and goes on by itself. */
function ConnectionState() {
  const state = useConnection();
  return (
    <span className="connection" role="status">
      {state === "reconnecting" && "Reconnecting…"}
    </span>
  );
}
