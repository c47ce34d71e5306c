import { SequiturError } from "../base/error.ts";

/** A file that may not be, or cannot be, read or written. The message never holds a token or a path of the host. */
export class FileAccessError extends SequiturError {
  override name = "FileAccessError";
  /** False: another attempt would fail the same way. */
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable?: boolean } = {}) {
    super("FILE_ACCESS", message);
    this.retryable = options.retryable ?? false;
  }
}
