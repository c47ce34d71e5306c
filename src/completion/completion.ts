import type { TextEdit } from "../source/text-edits.ts";

/** Something that can be written at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind:
    | "step"
    | "key"
    | "tool"
    | "agent"
    | "argument"
    | "field"
    | "word"
    | "function"
    | "placeholder"
    | "reference";
  /** A few words on it: a type, a signature, what a tool does. */
  readonly detail?: string;
  readonly edit: TextEdit;
  /** Where the cursor goes, in the text that is inserted; behind it where absent. */
  readonly caret?: number;
}

/** A thing to offer, before it is known where it goes. */
export interface Offer extends Pick<Completion, "label" | "kind"> {
  readonly detail?: string | undefined;
  /** What is inserted, where that is not the label. */
  readonly insert?: string;
  readonly caret?: number | undefined;
}

const SHOWN_MAX = 200;

/** Those that fit what has been typed: what begins with it first, then what has it inside. */
export function fitting(offers: Iterable<Offer>, typed: string): Offer[] {
  const wanted = typed.toLowerCase();
  const all = [...offers];
  const starts = all.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const holds = all.filter(({ label }) => label.toLowerCase().indexOf(wanted) > 0);
  return [...starts, ...holds].slice(0, SHOWN_MAX);
}

export function place(offer: Offer, from: number, to: number): Completion {
  const { label, kind, detail, insert = label, caret } = offer;
  return {
    label,
    kind,
    ...(detail !== undefined && detail !== "" && { detail }),
    edit: { from, to, text: insert },
    ...(caret !== undefined && { caret }),
  };
}
