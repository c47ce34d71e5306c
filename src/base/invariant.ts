/** Throws when *we* are wrong. A wrong plan gets a diagnostic, a failing world a SequiturError. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

export class InvariantError extends Error {
  override name = "InvariantError";
  constructor(message: string) {
    super(`${message}. This is a bug in Sequitur, not in your plan.`);
  }
}

/** The end of an exhaustive switch. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
