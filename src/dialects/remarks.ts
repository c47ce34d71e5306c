/** What is to be said of a conversion, each thing once. */
export class Remarks {
  readonly #reasons = new Set<string>();
  readonly #changes = new Set<string>();

  /** The other language cannot say this. */
  refuse(reason: string): void {
    this.#reasons.add(reason);
  }

  /** The other language says this in another way, or does without. */
  note(change: string): void {
    this.#changes.add(change);
  }

  get reasons(): readonly string[] {
    return [...this.#reasons];
  }

  get changes(): readonly string[] {
    return [...this.#changes];
  }
}
