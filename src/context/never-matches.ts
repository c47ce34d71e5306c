/*
 * Is there no text at all that a pattern is found in? `$a`, `a^`, `[]`, `\b\B`: such a trigger would wait for ever. The
 * answer is certain when it is yes; where the analysis does not know a construct, it takes it for something that matches.
 *
 * A pattern is followed over sets of positions. Of a position only this matters: what stands before it, and what the
 * anchors that were passed allow to stand after it. There are few of those, so every loop comes to an end.
 */

/** What stands before (START: nothing) or after (END: nothing) a position. */
const EDGE = 1;
const WORD = 2;
const OTHER = 4;
const ANYTHING = EDGE | WORD | OTHER;

/** One bit for each pair of what stands before (3) and what may stand after (8). */
type Positions = number;

type Move = (positions: Positions) => Positions;

const bit = (before: number, after: number): Positions => 1 << ((before >> 1) * 8 + after);

function eachPosition(positions: Positions, move: (before: number, after: number) => Positions): Positions {
  let moved = 0;
  for (const before of [EDGE, WORD, OTHER]) {
    for (let after = 1; after <= ANYTHING; after++) {
      if ((positions & bit(before, after)) !== 0) moved |= move(before, after);
    }
  }
  return moved;
}

const stay: Move = (positions) => positions;

/** One character: of a word, another one, or either. */
const character =
  (kinds: number): Move =>
  (positions) =>
    eachPosition(positions, (_before, after) => {
      const word = (kinds & after & WORD) !== 0 ? bit(WORD, ANYTHING) : 0;
      return word | ((kinds & after & OTHER) !== 0 ? bit(OTHER, ANYTHING) : 0);
    });

/** Goes on where `allowed` leaves something that may follow. */
const anchor =
  (allowed: (before: number) => number): Move =>
  (positions) =>
    eachPosition(positions, (before, after) => {
      const left = after & allowed(before);
      return left === 0 ? 0 : bit(before, left);
    });

const TEXT_START = anchor((before) => (before === EDGE ? ANYTHING : 0));
const TEXT_END = anchor(() => EDGE);
const BOUNDARY = anchor((before) => (before === WORD ? EDGE | OTHER : WORD));
const NO_BOUNDARY = anchor((before) => (before === WORD ? WORD : EDGE | OTHER));
const ANY_CHARACTER = character(WORD | OTHER);

const sequence =
  (moves: readonly Move[]): Move =>
  (positions) =>
    moves.reduce((at, move) => move(at), positions);

const choice =
  (moves: readonly Move[]): Move =>
  (positions) =>
    moves.reduce((all, move) => all | move(positions), 0);

const repeated =
  (move: Move): Move =>
  (positions) => {
    let all = positions;
    for (let before = -1; before !== all; ) {
      before = all;
      all |= move(all);
    }
    return all;
  };

export function neverMatches(pattern: string): boolean {
  // Groups that change the meaning of what is in them are beyond this analysis.
  if (/\(\?(?!:|<[^=!])/.test(pattern)) return false;
  const everywhere = bit(EDGE, ANYTHING) | bit(WORD, ANYTHING) | bit(OTHER, ANYTHING);
  return new PatternReader(pattern).alternatives()(everywhere) === 0;
}

/** Reads a pattern that is known to be one. */
class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  alternatives(): Move {
    const moves = [this.#sequence()];
    while (this.#take("|")) moves.push(this.#sequence());
    return choice(moves);
  }

  #sequence(): Move {
    const moves: Move[] = [];
    while (this.#at < this.#text.length && this.#text[this.#at] !== "|" && this.#text[this.#at] !== ")") {
      moves.push(this.#quantified(this.#atom()));
    }
    return sequence(moves);
  }

  #take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  #takeMatch(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #atom(): Move {
    if (this.#takeMatch(/\((\?:|\?<[^>]*>)?/y) !== null) {
      const inside = this.alternatives();
      this.#take(")");
      return inside;
    }
    if (this.#take("^")) return TEXT_START;
    if (this.#take("$")) return TEXT_END;
    if (this.#take(".")) return ANY_CHARACTER;
    const set = this.#takeMatch(/\[(?:\\[\s\S]|[^\]\\])*\]/y);
    if (set !== null) return characterSet(set[0].slice(1, -1));
    const escapeSequence = this.#takeMatch(
      /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/y,
    );
    if (escapeSequence !== null) return escaped(escapeSequence[0].slice(1));
    const [literal = ""] = this.#text.slice(this.#at);
    this.#at += Math.max(1, literal.length);
    return character(kindOf(literal));
  }

  /** More than one time is taken for one and any number after it. */
  #quantified(move: Move): Move {
    const match = this.#takeMatch(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (match === null) return move;
    const [, sign, least, comma, most] = match;
    if (sign === "?") return choice([stay, move]);
    if (sign === "*") return repeated(move);
    if (sign === "+") return sequence([move, repeated(move)]);
    if (Number(least) > 0) return sequence([move, repeated(move)]);
    return comma === undefined || most === "0" ? stay : repeated(move);
  }
}

function kindOf(literal: string): number {
  return /^\w$/.test(literal) ? WORD : OTHER;
}

function escaped(name: string): Move {
  if (name === "b") return BOUNDARY;
  if (name === "B") return NO_BOUNDARY;
  if (name === "d" || name === "w") return character(WORD);
  if (name === "s" || name === "W") return character(OTHER);
  if (/^[tnrvf0]$/.test(name)) return character(OTHER);
  if (/^[^A-Za-z0-9]$/.test(name)) return character(kindOf(name));
  return choice([stay, ANY_CHARACTER]);
}

/** Only sets that are certainly empty matter. */
function characterSet(inside: string): Move {
  const isEmpty = inside === "" || /^\^(\\s\\S|\\S\\s|\\w\\W|\\W\\w|\\d\\D|\\D\\d)$/.test(inside);
  return isEmpty ? () => 0 : ANY_CHARACTER;
}
