/** Throws when *we* are wrong. A wrong plan gets a diagnostic, a failing world a SequiturError. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

class InvariantError extends Error {
  override name = "InvariantError";
  constructor(message: string) {
    super(`${message}. This is a bug in Sequitur, not in your plan.`);
  }
}
