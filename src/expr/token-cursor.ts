import { nextToken, type Token } from "./lexer.ts";
import { ExpressionSyntaxError, excerpt } from "./syntax-problem.ts";

/** The word that the parser is at, and the questions it asks of it. */
export class TokenCursor {
  readonly text: string;
  #token: Token;

  constructor(text: string) {
    this.text = text;
    this.#token = nextToken(text, 0);
  }

  get token(): Token {
    return this.#token;
  }

  advance(): void {
    this.#token = nextToken(this.text, this.#token.to);
  }

  isEnd(): boolean {
    return this.#token.kind === "end";
  }

  isMark(mark: string): boolean {
    return this.#token.kind === "mark" && this.#token.mark === mark;
  }

  isWord(word: string): boolean {
    return this.#token.kind === "name" && this.#token.name === word && this.#token.path.length === 0;
  }

  /** `open`, elements with commas between them, `close`; gives the offset after `close`. */
  sequence(open: string, close: string, element: () => void): number {
    const opening = this.#token;
    this.advance();
    while (!this.isMark(close)) {
      if (this.isEnd()) throw neverClosed(open, close, opening);
      element();
      if (this.isMark(",")) {
        this.advance();
        if (this.isMark(close)) throw this.unexpected("something is expected after the comma");
      } else if (!this.isMark(close)) {
        throw this.isEnd()
          ? neverClosed(open, close, opening)
          : this.unexpected(`"," or "${close}" is expected`);
      }
    }
    const { to } = this.#token;
    this.advance();
    return to;
  }

  unexpected(why: string): ExpressionSyntaxError {
    const { kind, from, to } = this.#token;
    if (kind === "end") return new ExpressionSyntaxError(`the expression ends too early: ${why}`, from, to);
    return new ExpressionSyntaxError(
      `"${excerpt(this.text.slice(from, to))}" cannot stand here: ${why}`,
      from,
      to,
    );
  }
}

function neverClosed(open: string, close: string, opening: Token): ExpressionSyntaxError {
  return new ExpressionSyntaxError(
    `"${open}" is never closed; "${close}" is expected`,
    opening.from,
    opening.to,
  );
}
