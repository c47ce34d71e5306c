import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { TokenDialog } from "./data/token-dialog.tsx";
import { EmptyState } from "./design/empty-state.tsx";
import { ErrorBoundary } from "./design/error-boundary.tsx";
import { Loading } from "./design/loading.tsx";
import { Toasts } from "./design/toasts.tsx";
import { Header } from "./header.tsx";
import { Link, useAddress } from "./router.tsx";

type Page = ComponentType<{ readonly params: readonly string[] }>;

/** Pages are loaded when they are opened. What a pattern catches is handed to the page. */
const PAGES: readonly { readonly pattern: RegExp; readonly page: Page }[] = [
  { pattern: /^\/$/, page: lazy(() => import("./runs/runs-page.tsx")) },
  { pattern: /^\/runs\/([^/]+)$/, page: lazy(() => import("./run/run-page.tsx")) },
  { pattern: /^\/edit$/, page: lazy(() => import("./edit/edit-page.tsx")) },
  { pattern: /^\/agents$/, page: lazy(() => import("./agents/agents-page.tsx")) },
  { pattern: /^\/tools$/, page: lazy(() => import("./tools/tools-page.tsx")) },
];

export function App() {
  const { path } = useAddress();
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(path, main);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <Header path={path} />
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={path}>
          <Suspense fallback={<Loading what="the page" />}>
            <CurrentPage path={path} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <TokenDialog />
      <Toasts />
    </>
  );
}

function CurrentPage({ path }: { readonly path: string }) {
  for (const { pattern, page: Page } of PAGES) {
    const found = pattern.exec(path);
    if (found !== null) return <Page params={found.slice(1).map(decoded)} />;
  }
  return (
    <EmptyState isPage title="There is no such page">
      <p>
        Nothing is at <code>{path}</code>.
      </p>
      <Link to="/">Go to the runs</Link>
    </EmptyState>
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whoever reads by ear, or goes by keyboard, is taken to what has changed. */
function useFocusOnNewPage(path: string, main: React.RefObject<HTMLElement | null>): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path, main]);
}
