/** A failure as a value: what events carry, what results show, what `REF:task.error` gives. */
export interface StepError {
  /** The kind: `ToolError`, `TimeoutError`, `InvalidReferenceError`, … */
  readonly name: string;
  /** The tool's own code, or the kind's: `TIMEOUT`, `INVALID_REFERENCE`, … */
  readonly code: string;
  readonly message: string;
  /** False: another attempt would fail the same way. */
  readonly retryable?: boolean;
  /** Not before so long: the service has asked for it. */
  readonly retryAfterMs?: number;
}

/** Thrown inside the core while a step's values are worked out, and caught where the step is started or ended. */
export class StepFailure extends Error {
  readonly error: StepError;
  /** Where several things are wrong: each of them. */
  readonly problems: readonly string[];
  constructor(error: StepError, problems: readonly string[] = [error.message]) {
    super(error.message);
    this.error = error;
    this.problems = problems;
  }
}

const CODES: Readonly<Record<string, string>> = {
  InvalidReferenceError: "INVALID_REFERENCE",
  RuntimeResolutionError: "RUNTIME_RESOLUTION",
  MappingError: "MAPPING",
  SchemaValidationError: "SCHEMA_VALIDATION",
  DefinitionError: "DEFINITION",
  TimeoutError: "TIMEOUT",
  CancelledError: "CANCELLED",
  FileAccessError: "FILE_ACCESS",
};

/** Values that do not fit what is declared. */
export function schemaFailure(what: string, problems: readonly string[]): StepFailure {
  const shown = problems.slice(0, PROBLEMS_SHOWN).join("; ");
  const more = problems.length > PROBLEMS_SHOWN ? `; and ${problems.length - PROBLEMS_SHOWN} more` : "";
  return new StepFailure(failure("SchemaValidationError", `${what}: ${shown}${more}`), problems);
}

const PROBLEMS_SHOWN = 5;

/** An error of the run's own making; another attempt would fail the same way. */
export function failure(name: keyof typeof CODES & string, message: string): StepError {
  return { name, code: CODES[name] ?? "ERROR", message, retryable: false };
}

/** The step failed because a reference led nowhere, or to a step that had failed. */
export function isReferenceFailure({ name }: Pick<StepError, "name">): boolean {
  return name === "InvalidReferenceError" || name === "RuntimeResolutionError";
}
