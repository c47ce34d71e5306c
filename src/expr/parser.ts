/*
 * The grammar, above the words that lexer.ts defines. White space may stand between any two words.
 *
 *   expression  = and, { ( "or" | "||" ), and }
 *   and         = not, { ( "and" | "&&" ), not }
 *   not         = ( "not" | "!" ), not | comparison
 *   comparison  = primary, [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ), primary ]
 *   primary     = literal | name | reference | call | object | list | "(", expression, ")"
 *   literal     = number | string | "true" | "false" | "null"
 *   call        = name without path, "(", [ argument, { ",", argument } ], ")"
 *   argument    = [ name without path, "=" ], expression
 *   object      = "{", [ entry, { ",", entry } ], "}"
 *   entry       = ( name without path | string ), ":", expression
 *   list        = "[", [ expression, { ",", expression } ], "]"
 *
 * `true false null and or not` are words of their own, not names (but may be keys of an object).
 *
 * A string that is the argument for an item, a condition or operations is an expression in quotes. It is parsed here,
 * once, so that the tree has no text left to be parsed; that needs the table of functions.
 *
 * No tree is higher than nesting.ts allows, so whoever walks one may recurse.
 */

import { parameterOf } from "./call-binding.ts";
import type { Argument, CompareOperator, Expression } from "./expression.ts";
import type { FunctionTable, Parameter } from "./functions/function.ts";
import { KEYWORDS, offsetsInString, type Token } from "./lexer.ts";
import { Nesting } from "./nesting.ts";
import type { Reference } from "./reference.ts";
import { ExpressionSyntaxError, excerpt, type SyntaxProblem } from "./syntax-problem.ts";
import { TokenCursor } from "./token-cursor.ts";

export interface ParseOptions {
  /** Resolves `REF:…` (the text with its `REF:`). Undefined: the binder has reported the problem; null stands in. */
  readonly bind: (refText: string, from: number, to: number) => Reference | undefined;
  /** The functions whose quoted arguments are expressions. Without them every string is a constant. */
  readonly functions?: FunctionTable;
}

/** `expression` is there when there are no problems. */
export interface ParseResult {
  readonly expression?: Expression;
  readonly problems: readonly SyntaxProblem[];
}

const COMPARISONS: readonly string[] = ["==", "!=", "<", "<=", ">", ">="] satisfies CompareOperator[];

export function parseExpression(text: string, options: ParseOptions): ParseResult {
  const problems: SyntaxProblem[] = [];
  const parsed = parseWhole(text, options, problems, (offset) => offset, 0);
  return parsed === undefined || problems.length > 0
    ? { problems }
    : { expression: parsed.expression, problems };
}

/** Also for the texts in quotes inside a text. Undefined where a problem was noted. */
function parseWhole(
  text: string,
  options: ParseOptions,
  problems: SyntaxProblem[],
  locate: (offset: number) => number,
  depth: number,
): { readonly expression: Expression; readonly height: number } | undefined {
  try {
    const parser = new Parser(new TokenCursor(text), options, problems, locate, depth);
    const expression = parser.whole();
    return { expression, height: parser.height };
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    problems.push({ code: "syntax", message: error.message, at: locate(error.at), to: locate(error.to) });
    return undefined;
  }
}

const CALL_START = /^\s*([\p{L}_][\p{L}\p{M}\p{N}_-]*)\s*\(/u;

/** Whether the whole text is one call of a known function. Cheap for texts that do not look like one. */
export function looksLikeCall(text: string, isKnownFunction: (name: string) => boolean): boolean {
  const name = CALL_START.exec(text)?.[1];
  if (name === undefined || !isKnownFunction(name) || !text.trimEnd().endsWith(")")) return false;
  const bind = (refText: string): Reference => ({ root: { kind: "arguments" }, path: [], text: refText });
  return parseExpression(text, { bind }).expression?.kind === "call";
}

class Parser {
  readonly #cursor: TokenCursor;
  readonly #options: ParseOptions;
  readonly #problems: SyntaxProblem[];
  /** From an offset in the cursor's text to one in the text that the author wrote: they differ inside quotes. */
  readonly #locate: (offset: number) => number;
  readonly #nesting: Nesting;

  constructor(
    cursor: TokenCursor,
    options: ParseOptions,
    problems: SyntaxProblem[],
    locate: (offset: number) => number,
    depth: number,
  ) {
    this.#cursor = cursor;
    this.#options = options;
    this.#problems = problems;
    this.#locate = locate;
    this.#nesting = new Nesting(cursor, depth);
  }

  whole(): Expression {
    if (this.#cursor.isEnd())
      throw new ExpressionSyntaxError("the expression is empty", 0, this.#cursor.text.length);
    const expression = this.#expression();
    if (!this.#cursor.isEnd()) throw this.#cursor.unexpected(this.#afterwards());
    return expression;
  }

  get height(): number {
    return this.#nesting.height;
  }

  #expression(): Expression {
    return this.#chain("or", "||", () => this.#chain("and", "&&", () => this.#not()));
  }

  #chain(kind: "and" | "or", mark: string, operand: () => Expression): Expression {
    let left = operand();
    let { height } = this.#nesting;
    while (this.#cursor.isWord(kind) || this.#cursor.isMark(mark)) {
      this.#cursor.advance();
      const right = operand();
      height = Math.max(height, this.#nesting.height) + 1;
      this.#nesting.height = height;
      left = { kind, left, right, from: left.from, to: right.to };
    }
    return left;
  }

  #not(): Expression {
    if (!this.#cursor.isWord("not") && !this.#cursor.isMark("!")) return this.#comparison();
    const from = this.#locate(this.#cursor.token.from);
    this.#nesting.enter();
    this.#cursor.advance();
    const operand = this.#not();
    this.#nesting.leave();
    this.#nesting.height++;
    return { kind: "not", operand, from, to: operand.to };
  }

  #comparison(): Expression {
    const left = this.#primary();
    const operator = this.#takeComparison();
    if (operator === undefined) return left;
    const { height } = this.#nesting;
    const right = this.#primary();
    this.#nesting.height = Math.max(height, this.#nesting.height) + 1;
    if (this.#cursor.token.kind === "mark" && COMPARISONS.includes(this.#cursor.token.mark)) {
      throw this.#cursor.unexpected("comparisons do not chain; write a < b and b < c");
    }
    return { kind: "compare", operator, left, right, from: left.from, to: right.to };
  }

  #takeComparison(): CompareOperator | undefined {
    if (this.#cursor.token.kind !== "mark" || !COMPARISONS.includes(this.#cursor.token.mark))
      return undefined;
    const operator = this.#cursor.token.mark as CompareOperator;
    this.#cursor.advance();
    return operator;
  }

  #primary(): Expression {
    const token = this.#cursor.token;
    const from = this.#locate(token.from);
    const to = this.#locate(token.to);
    this.#nesting.height = 1;
    switch (token.kind) {
      case "number":
      case "string":
        this.#cursor.advance();
        return { kind: "literal", value: token.value, from, to };
      case "reference": {
        this.#cursor.advance();
        const reference = this.#options.bind(token.text, from, to);
        return reference === undefined
          ? { kind: "literal", value: null, from, to }
          : { kind: "reference", reference, from, to };
      }
      case "name":
        return KEYWORDS.has(token.name)
          ? this.#constant(token.name, token)
          : this.#nameOrCall(token.name, token);
      case "mark":
        if (token.mark === "(") return this.#group();
        if (token.mark === "{") return this.#object();
        if (token.mark === "[") return this.#list();
    }
    throw this.#cursor.unexpected(
      "a value is expected: a name, REF:…, a call, a string in quotes, a number, {…} or […]",
    );
  }

  #constant(word: string, token: Token & { kind: "name" }): Expression {
    if (word === "and" || word === "or" || word === "not")
      throw this.#cursor.unexpected("a value is expected before it");
    if (token.path.length > 0) throw this.#cursor.unexpected(`${word} has nothing below it`);
    this.#cursor.advance();
    const value = word === "null" ? null : word === "true";
    return { kind: "literal", value, from: this.#locate(token.from), to: this.#locate(token.to) };
  }

  #nameOrCall(name: string, token: Token & { kind: "name" }): Expression {
    this.#cursor.advance();
    const from = this.#locate(token.from);
    if (!this.#cursor.isMark("("))
      return { kind: "name", name, path: token.path, from, to: this.#locate(token.to) };
    if (token.path.length > 0) throw this.#cursor.unexpected("only a name alone can be called, not a path");
    const args: Argument[] = [];
    const to = this.#sequence("(", ")", () => {
      args.push(this.#argument(name, args.length));
    });
    return { kind: "call", name, arguments: args, from, to };
  }

  #argument(functionName: string, position: number): Argument {
    const first = this.#cursor.token;
    let value = this.#expression();
    let name: string | undefined;
    // Only a bare name, not one in parentheses, is the name of an argument.
    if (
      this.#cursor.isMark("=") &&
      first.kind === "name" &&
      value.kind === "name" &&
      value.path.length === 0
    ) {
      name = value.name;
      this.#cursor.advance();
    }
    const opening = name === undefined ? first : this.#cursor.token;
    if (name !== undefined) value = this.#expression();
    const fn = this.#options.functions?.get(functionName);
    const parameter = fn && parameterOf(fn, { name, value }, position);
    return { name, value: parameter === undefined ? value : this.#withoutQuotes(parameter, value, opening) };
  }

  /** An argument that may be an expression in quotes, or (operations) a list of them. */
  #withoutQuotes(parameter: Parameter, value: Expression, opening: Token): Expression {
    if (parameter.kind === "value") return value;
    const bare = this.#unquoted(value, opening);
    if (parameter.kind !== "operations" || bare.kind !== "list") return bare;
    return { ...bare, items: bare.items.map((item) => this.#unquoted(item, undefined)) };
  }

  #unquoted(value: Expression, opening: Token | undefined): Expression {
    if (value.kind !== "literal" || typeof value.value !== "string" || value.value.trim() === "")
      return value;
    const locate = this.#locateIn(value, opening);
    const parsed = parseWhole(value.value, this.#options, this.#problems, locate, this.#nesting.depth);
    if (parsed === undefined) return { kind: "literal", value: null, from: value.from, to: value.to };
    this.#nesting.height = Math.max(this.#nesting.height, parsed.height + 1);
    return parsed.expression;
  }

  /** Exact where the quotes are the argument's own; elsewhere somewhere between them. */
  #locateIn(value: Expression, opening: Token | undefined): (offset: number) => number {
    if (opening?.kind === "string") {
      const offsets = offsetsInString(this.#cursor.text, opening.from, opening.to);
      return (offset) => this.#locate(offsets[offset] ?? opening.to);
    }
    return (offset) => Math.min(value.from + 1 + offset, value.to);
  }

  #group(): Expression {
    this.#nesting.enter();
    this.#cursor.advance();
    const inner = this.#expression();
    if (!this.#cursor.isMark(")")) throw this.#cursor.unexpected('")" is expected');
    this.#nesting.leave();
    this.#cursor.advance();
    return inner;
  }

  #object(): Expression {
    const from = this.#locate(this.#cursor.token.from);
    const entries: [string, Expression][] = [];
    const seen = new Set<string>();
    const to = this.#sequence("{", "}", () => {
      const key = this.#key(seen);
      entries.push([key, this.#expression()]);
    });
    return { kind: "object", entries, from, to };
  }

  #key(seen: Set<string>): string {
    const token = this.#cursor.token;
    const bare = token.kind === "name" && token.path.length === 0;
    if (!bare && token.kind !== "string")
      throw this.#cursor.unexpected("a key is expected: a name, or a string in quotes");
    const key = token.kind === "string" ? token.value : token.name;
    if (seen.has(key)) throw this.#cursor.unexpected(`the key "${excerpt(key)}" stands twice in this object`);
    seen.add(key);
    this.#cursor.advance();
    if (!this.#cursor.isMark(":"))
      throw this.#cursor.unexpected(`":" is expected after the key "${excerpt(key)}"`);
    this.#cursor.advance();
    return key;
  }

  #list(): Expression {
    const from = this.#locate(this.#cursor.token.from);
    const items: Expression[] = [];
    const to = this.#sequence("[", "]", () => {
      items.push(this.#expression());
    });
    return { kind: "list", items, from, to };
  }

  #sequence(open: string, close: string, element: () => void): number {
    this.#nesting.enter();
    let height = 0;
    const to = this.#cursor.sequence(open, close, () => {
      element();
      height = Math.max(height, this.#nesting.height);
    });
    this.#nesting.leave();
    this.#nesting.height = height + 1;
    return this.#locate(to);
  }

  #afterwards(): string {
    if (this.#cursor.isMark("=")) return `"==" compares; a single "=" names an argument of a call`;
    return "the expression ends before it; put text in quotes, and a comma between arguments";
  }
}
