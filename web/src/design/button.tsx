import type { ButtonHTMLAttributes } from "react";

/** `primary` is what one came for: at most one on a page. `quiet` stands back until it is needed. */
export function Button({
  kind = "plain",
  className = "",
  ...rest
}: { readonly kind?: "plain" | "primary" | "quiet" } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" className={`button ${className}`} data-kind={kind} {...rest} />;
}
