/** Replaces the characters `from` to `to` of a text. An insertion has `from` equal to `to`. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Applied {
  readonly text: string;
  /** Fixes that were carried out, and fixes that were left out because another had changed the same characters. */
  readonly applied: number;
  readonly skipped: number;
}

/** Carries out edits that are in order and do not overlap. */
export function spliceText(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.from), edit.text);
    at = edit.to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/**
 * Carries out groups of edits, all of a group or none: the first group that claims some characters gets them. This
 * repairs syntax, where there is no value yet that an `Edit` could point at.
 */
export function applyTextEdits(text: string, groups: readonly (readonly TextEdit[])[]): Applied {
  const taken = new Claims();
  let applied = 0;
  for (const group of groups) if (taken.claim(group)) applied++;
  return { text: spliceText(text, taken.inOrder()), applied, skipped: groups.length - applied };
}

/** The edits taken so far, in the order of the text. */
class Claims {
  readonly #edits: TextEdit[] = [];

  claim(group: readonly TextEdit[]): boolean {
    const taken: TextEdit[] = [];
    for (const edit of group) {
      const index = this.#indexAfter(edit);
      if (this.#collides(edit, index)) {
        for (const undone of taken) this.#edits.splice(this.#edits.indexOf(undone), 1);
        return false;
      }
      this.#edits.splice(index, 0, edit);
      taken.push(edit);
    }
    return true;
  }

  inOrder(): readonly TextEdit[] {
    return this.#edits;
  }

  /** Where the edit goes: behind every edit that begins before it or at the same place. */
  #indexAfter(edit: TextEdit): number {
    let low = 0;
    let high = this.#edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#edits[middle];
      if (other !== undefined && other.from <= edit.from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #collides(edit: TextEdit, index: number): boolean {
    const before = this.#edits[index - 1];
    const after = this.#edits[index];
    if (before !== undefined && before.to > edit.from) return true;
    return after !== undefined && edit.to > after.from;
  }
}
