/**
 * "Did you mean …": the candidate that a mistyped name most likely stands for. Names that differ only in case or
 * in `_`, `-` and camelCase are nearest of all; others are compared by the number of typing mistakes between them
 * (a character missing, added, changed, or two neighbours swapped), of which about one in three characters is allowed.
 */
const LENGTH_MAX = 64;
const CANDIDATES_MAX = 4096;

export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const lower = name.toLowerCase();
  const folded = fold(name);
  const measurable = name.length > 0 && lower.length <= LENGTH_MAX;
  // A name in which every character is wrong is another name, not a typing mistake.
  let allowed = measurable ? Math.min(Math.max(1, Math.floor(name.length / 3)), name.length - 1) : 0;
  let best: string | undefined;
  let bestFolded: string | undefined;
  let looked = 0;
  for (const candidate of candidates) {
    if (looked++ >= CANDIDATES_MAX) break;
    const other = candidate.toLowerCase();
    if (other === lower) return candidate;
    if (folded !== "" && fold(candidate) === folded) bestFolded ??= candidate;
    if (bestFolded !== undefined || allowed === 0 || other.length > LENGTH_MAX) continue;
    const distance = mistakes(lower, other, allowed);
    if (distance > allowed || areNumbered(lower, other)) continue;
    best = candidate;
    // From here on only a strictly nearer candidate counts, so that the first of equals wins.
    allowed = distance - 1;
  }
  return bestFolded ?? best;
}

/** `step1` and `step2`: two of a series, and no typing mistake. */
function areNumbered(a: string, b: string): boolean {
  return /\d/.test(a) && /\d/.test(b) && a.replace(/\d+/g, "0") === b.replace(/\d+/g, "0");
}

export function fold(name: string): string {
  return name.replace(/[_\-\s]/g, "").toLowerCase();
}

/** The rows of the table of distances that are still needed; names are short, so bytes do. */
let beforePrevious = new Uint8Array(LENGTH_MAX + 1);
let previous = new Uint8Array(LENGTH_MAX + 1);
let row = new Uint8Array(LENGTH_MAX + 1);

/** The restricted Damerau-Levenshtein distance, or some number above `limit` as soon as it cannot be within it. */
function mistakes(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  const [a, b] = withoutCommonEnds(left, right);
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  let previousSmallest = 0;
  for (let i = 1; i <= a.length; i++) {
    const smallest = fillRow(a, i, b);
    // A swap reaches back two rows, and costs one more than what it reaches.
    if (smallest > limit && previousSmallest >= limit) return limit + 1;
    previousSmallest = smallest;
    [beforePrevious, previous, row] = [previous, row, beforePrevious];
  }
  return previous[b.length] ?? limit + 1;
}

/** Names in a plan tend to begin alike (`fetch_user`, `fetch_order`); what is the same at both ends costs nothing. */
function withoutCommonEnds(a: string, b: string): readonly [string, string] {
  const shorter = Math.min(a.length, b.length);
  let front = 0;
  while (front < shorter && a.charCodeAt(front) === b.charCodeAt(front)) front++;
  let back = 0;
  while (back < shorter - front && a.charCodeAt(a.length - 1 - back) === b.charCodeAt(b.length - 1 - back))
    back++;
  return [a.slice(front, a.length - back), b.slice(front, b.length - back)];
}

/** The distances of the first `i` characters of `a` from all beginnings of `b`; gives the smallest. */
function fillRow(a: string, i: number, b: string): number {
  const c = a.charCodeAt(i - 1);
  const before = a.charCodeAt(i - 2);
  let left = i;
  let smallest = i;
  row[0] = i;
  for (let j = 1; j <= b.length; j++) {
    const d = b.charCodeAt(j - 1);
    const changed = (previous[j - 1] ?? 0) + (c === d ? 0 : 1);
    let cost = Math.min((previous[j] ?? 0) + 1, left + 1, changed);
    if (i > 1 && j > 1 && before === d && c === b.charCodeAt(j - 2)) {
      cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1);
    }
    row[j] = cost;
    left = cost;
    if (cost < smallest) smallest = cost;
  }
  return smallest;
}
