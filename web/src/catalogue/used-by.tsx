import { Panel } from "../design/panel.tsx";
import { Link } from "../router.tsx";
import type { UsedBy } from "./uses.ts";

const SHOWN_MAX = 20;

/** The plans that call it: agents of the server, and recent runs. */
export function UsedByPanel({ uses: { agents, runs } }: { readonly uses: UsedBy }) {
  return (
    <Panel title="Used by">
      {agents.length === 0 && runs.length === 0 && (
        <p className="catalogue-about">No agent of this server and none of the latest runs calls it.</p>
      )}
      <ul className="used-by">
        {agents.slice(0, SHOWN_MAX).map((path) => (
          <li key={path}>
            <Link to={`/agents?show=${encodeURIComponent(path)}`}>
              <bdi>{path}</bdi>
            </Link>
            <span className="catalogue-about">agent</span>
          </li>
        ))}
        {runs.slice(0, SHOWN_MAX).map(({ id, plan }) => (
          <li key={id}>
            <Link to={`/runs/${encodeURIComponent(id)}`}>
              <bdi>{plan ?? "a plan without a name"}</bdi>
            </Link>
            <span className="catalogue-about">{id}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
