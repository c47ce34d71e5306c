import type { ReactNode } from "react";

/** There is nothing here, why, and what to do about it. Where it is all of the page, its title is the page's. */
export function EmptyState({
  title,
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <div className="state">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
