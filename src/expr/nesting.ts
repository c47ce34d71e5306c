import { ExpressionSyntaxError } from "./syntax-problem.ts";
import type { TokenCursor } from "./token-cursor.ts";

const DEPTH_MAX = 200;

/**
 * Keeps trees low, so that whoever walks one may recurse. Depth is counted on the way down, to keep the parser itself
 * from going too deep; height on the way up, because a chain of `and` makes a high tree without going down.
 */
export class Nesting {
  readonly #cursor: TokenCursor;
  #depth: number;
  /** Of the tree that was parsed last. */
  #height = 1;

  constructor(cursor: TokenCursor, depth: number) {
    this.#cursor = cursor;
    this.#depth = depth;
  }

  get depth(): number {
    return this.#depth;
  }

  get height(): number {
    return this.#height;
  }

  /** A leaf was parsed, or a tree of a known height. */
  set height(height: number) {
    this.#height = height;
    if (height > DEPTH_MAX) throw this.#tooDeep();
  }

  enter(): void {
    if (++this.#depth > DEPTH_MAX) throw this.#tooDeep();
  }

  leave(): void {
    this.#depth--;
  }

  #tooDeep(): ExpressionSyntaxError {
    const { from, to } = this.#cursor.token;
    const message = `the expression is nested deeper than ${DEPTH_MAX} levels; split it with variables`;
    return new ExpressionSyntaxError(message, from, to);
  }
}
