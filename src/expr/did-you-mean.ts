import { nearest } from "../source/nearest.ts";

/** ` Did you mean "x"?`, to follow a sentence; nothing where no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const found = nearest(name, candidates);
  return found === undefined ? "" : ` Did you mean "${found}"?`;
}
