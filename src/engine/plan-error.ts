import { SequiturError } from "../base/error.ts";
import type { Diagnostic } from "../source/diagnostic.ts";

/** A plan that cannot start: nothing has been called. `diagnostics` hold everything that is wrong, at once. */
export class PlanError extends SequiturError {
  override name = "PlanError";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
    super("PLAN_ERROR", `${first?.message ?? "The plan is wrong."}${more}`);
    this.diagnostics = diagnostics;
  }
}
