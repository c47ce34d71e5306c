/* BM25: how much a text has of what a goal speaks of, with rare words counting more than common ones. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Words that say nothing of what a text is about. */
const COMMON = new Set(
  "a an and are as at be by for from has in is it its not of on or that the this to was what which who with string number boolean unknown record null".split(
    " ",
  ),
);

/** A score for each text; 0 where nothing is shared. */
export function relevance(goal: string, texts: readonly string[]): number[] {
  const documents = texts.map((text) => countWords(text));
  const lengths = documents.map((words) => [...words.values()].reduce((sum, count) => sum + count, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const scores = texts.map(() => 0);
  for (const word of countWords(goal).keys()) {
    const having = documents.filter((words) => words.has(word)).length;
    const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    for (const [i, words] of documents.entries()) {
      const count = words.get(word) ?? 0;
      const length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * ((lengths[i] ?? 0) / Math.max(1, mean));
      scores[i] = (scores[i] ?? 0) + (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
    }
  }
  return scores;
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  for (const [word] of apart.matchAll(/[\p{L}\p{N}]+/gu)) {
    const stem = stemOf(word);
    if (COMMON.has(word) || word.length === 1) continue;
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return counts;
}

/** `emails`, `mailing` and `mailed` are about the same. Enough to rank by, and no more. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(ies|ing|ed|es|s)$/, "") : word;
}
