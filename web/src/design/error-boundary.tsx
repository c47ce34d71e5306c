import { Component, type ReactNode } from "react";
import { ErrorState } from "./error-state.tsx";

/** A part of the page that fails does not take the rest with it. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (!("error" in this.state)) return this.props.children;
    return <ErrorState error={this.state.error} onRetry={() => window.location.reload()} />;
  }
}
