import { Button } from "./button.tsx";

/** Something went wrong, in the words of whoever knows, and a way to try again. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <div className="state" role="alert">
      <h2>This could not be shown</h2>
      <p className="error-text">{messageOf(error)}</p>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
