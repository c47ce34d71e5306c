/* Addresses: a path names the page, the query holds what is filtered, opened or selected. */
import { type AnchorHTMLAttributes, type MouseEvent, useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}

const address = (): string => window.location.pathname + window.location.search;

/** Goes to a page of ours. `replace` leaves no entry in the history: for what is typed or dragged. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === address()) return;
  if (replace) window.history.replaceState(null, "", to);
  else window.history.pushState(null, "", to);
  for (const listener of listeners) listener();
}

export function useAddress(): { readonly path: string; readonly query: URLSearchParams } {
  const [path = "/", query = ""] = useSyncExternalStore(subscribe, address).split("?");
  return { path, query: new URLSearchParams(query) };
}

/** Sets some parameters of the query and keeps the others; undefined or empty takes one out. */
export function useSetQuery(): (
  values: Readonly<Record<string, string | undefined>>,
  options?: { replace?: boolean },
) => void {
  return useCallback((values, options) => {
    const query = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined || value === "") query.delete(key);
      else query.set(key, value);
    }
    const text = query.toString();
    navigate(window.location.pathname + (text === "" ? "" : `?${text}`), options);
  }, []);
}

/** A link that changes the page without loading it anew; all that a browser does with links still works. */
export function Link({
  to,
  onClick,
  ...rest
}: { readonly to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(to);
  };
  return <a href={to} onClick={follow} {...rest} />;
}
