/** What is wrong with an expression's text, from `at` up to `to`. */
export interface SyntaxProblem {
  readonly code: "syntax";
  readonly message: string;
  readonly at: number;
  readonly to: number;
}

/** Carries a problem out of the lexer and the parser; `parseExpression` turns it into data, so callers never see it. */
export class ExpressionSyntaxError extends Error {
  override name = "ExpressionSyntaxError";
  readonly at: number;
  readonly to: number;
  constructor(message: string, at: number, to: number) {
    super(message);
    this.at = at;
    this.to = to;
  }
}

const QUOTED_MAX = 40;

/** A piece of the author's text for a message, cut where it gets long. */
export function excerpt(text: string, lengthMax = QUOTED_MAX): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
}
