import type { Diagnostic } from "../../../src/compiler.ts";
import { Button } from "../design/button.tsx";

const SHOWN_MAX = 100;
const STATUS = { error: "failed", warning: "waiting", info: "running" } as const;

/** Everything that is wrong, with the way to it and out of it. */
export function Problems({
  diagnostics,
  fixOf,
  onFix,
  onGoTo,
}: {
  readonly diagnostics: readonly Diagnostic[];
  readonly fixOf: (diagnostic: Diagnostic) => string | undefined;
  readonly onFix: (diagnostic: Diagnostic) => void;
  readonly onGoTo: (diagnostic: Diagnostic) => void;
}) {
  return (
    <ul className="problems" aria-label="Problems">
      {diagnostics.slice(0, SHOWN_MAX).map((diagnostic, i) => {
        const { severity, message, hints, line, file } = diagnostic;
        const fix = fixOf(diagnostic);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two problems may be the same in every word.
          <li key={i} data-status={STATUS[severity]}>
            <p>
              <span className="problem-kind">{severity}</span> <bdi>{message}</bdi>
            </p>
            {hints.map((hint) => (
              <p key={hint} className="problem-hint">
                <bdi>{hint}</bdi>
              </p>
            ))}
            <div className="problem-actions">
              {file === undefined ? (
                <Button kind="quiet" onClick={() => onGoTo(diagnostic)}>
                  Go to line {line ?? 1}
                </Button>
              ) : (
                <span className="problem-hint">
                  in <bdi>{file}</bdi>, line {line ?? 1}
                </span>
              )}
              {fix !== undefined && <Button onClick={() => onFix(diagnostic)}>Fix: {fix}</Button>}
            </div>
          </li>
        );
      })}
      {diagnostics.length > SHOWN_MAX && <li>{diagnostics.length - SHOWN_MAX} more are not listed.</li>}
    </ul>
  );
}
