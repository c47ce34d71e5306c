import { type ReactNode, useId } from "react";

/** A titled box. `actions` stand at the right of the title. */
export function Panel({
  title,
  actions,
  children,
  className = "",
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div>{actions}</div>}
      </div>
      <div className="panel-body">{children}</div>
    </section>
  );
}
