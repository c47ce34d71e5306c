/** The world failed, or was asked for something that isn't there. `code` is for programs, the message for people. */
export class SequiturError extends Error {
  override name = "SequiturError";
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
