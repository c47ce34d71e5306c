/** A failure as a value: what events carry, what results show, what `REF:task.error` gives. */
export interface StepError {
  /** The kind: `ToolError`, `TimeoutError`, `InvalidReferenceError`, … */
  readonly name: string;
  /** The tool's own code, or the kind's: `TIMEOUT`, `INVALID_REFERENCE`, … */
  readonly code: string;
  readonly message: string;
  /** False: another attempt would fail the same way. */
  readonly retryable?: boolean;
}

/** Thrown inside the core while a step's values are worked out, and caught where the step is started or ended. */
export class StepFailure extends Error {
  readonly error: StepError;
  constructor(error: StepError) {
    super(error.message);
    this.error = error;
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

/** An error of the run's own making; another attempt would fail the same way. */
export function failure(name: keyof typeof CODES & string, message: string): StepError {
  return { name, code: CODES[name] ?? "ERROR", message, retryable: false };
}
