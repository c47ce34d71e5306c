/*
 * CodeMirror, in a shadow root: there it uses constructed style sheets, which the strict policy of the page allows, and no style
 * elements, which it does not.
 */
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap, type Diagnostic as Marked, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Completion, type CompletionOptions, complete, type Diagnostic } from "../../../src/compiler.ts";
import { editorTheme } from "./editor-theme.ts";

export interface EditorEvents {
  readonly onChange: (text: string) => void;
  readonly onFix: (diagnostic: Diagnostic) => void;
  readonly onFixAll: () => void;
  readonly onRun: () => void;
  readonly options: () => CompletionOptions;
  /** What repairs a problem, in words; undefined where a person has to. */
  readonly fixOf: (diagnostic: Diagnostic) => string | undefined;
}

/** Colour means status here as elsewhere, so the text is told apart by weight. */
const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--ink)", fontWeight: "600" },
  { tag: [tags.string, tags.number, tags.bool, tags.null], color: "var(--ink)" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--ink-soft)" },
]);

export class CodeEditor {
  readonly #view: EditorView;
  readonly #events: EditorEvents;
  #shown: readonly { readonly from: number; readonly to: number; readonly diagnostic: Diagnostic }[] = [];

  constructor(box: HTMLElement, text: string, events: EditorEvents) {
    this.#events = events;
    const root = box.shadowRoot ?? box.attachShadow({ mode: "open" });
    root.replaceChildren();
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    this.#view = new EditorView({
      root,
      parent,
      state: EditorState.create({ doc: text, extensions: this.#extensions() }),
    });
  }

  destroy(): void {
    this.#view.destroy();
  }

  focus(): void {
    this.#view.focus();
  }

  /** Puts another text in; what is the same at both ends stays, and so does the cursor, and Undo brings the old one back. */
  show(text: string): void {
    const before = this.#view.state.doc.toString();
    if (before === text) return;
    let from = 0;
    while (from < before.length && before[from] === text[from]) from++;
    let end = 0;
    const most = Math.min(before.length, text.length) - from;
    while (end < most && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
    const insert = text.slice(from, text.length - end);
    // A step of its own, however fast it follows what was typed.
    const annotations = isolateHistory.of("full");
    this.#view.dispatch({ changes: { from, to: before.length - end, insert }, annotations });
  }

  mark(diagnostics: readonly Diagnostic[]): void {
    this.#shown = diagnostics.map((diagnostic) => ({ ...this.#span(diagnostic), diagnostic }));
    const marks = this.#shown.map(({ from, to, diagnostic }): Marked => {
      const name = this.#events.fixOf(diagnostic);
      return {
        from,
        to,
        severity: diagnostic.severity,
        message: [diagnostic.message, ...diagnostic.hints].join("\n"),
        actions: name === undefined ? [] : [{ name, apply: () => this.#events.onFix(diagnostic) }],
      };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  goTo(from: number, to = from): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
    this.#view.focus();
  }

  goToProblem(diagnostic: Diagnostic): void {
    this.goTo(this.#span(diagnostic).from);
  }

  #span({ line, column, endLine, endColumn }: Diagnostic): { readonly from: number; readonly to: number } {
    const from = this.#offset(line ?? 1, column ?? 1);
    const to = endLine === undefined ? from : this.#offset(endLine, endColumn ?? 1);
    return { from, to: Math.max(from, to) };
  }

  #offset(line: number, column: number): number {
    const { doc } = this.#view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return Math.min(found.from + column - 1, found.to);
  }

  /** The fix of the problem at the cursor, or of the first one after it. */
  #fixHere(): boolean {
    const at = this.#view.state.selection.main.head;
    const fixable = this.#shown.filter(({ diagnostic }) => this.#events.fixOf(diagnostic) !== undefined);
    const found =
      fixable.find(({ from, to }) => at >= from && at <= to) ??
      fixable.find(({ from }) => from >= at) ??
      fixable[0];
    if (found !== undefined) this.#events.onFix(found.diagnostic);
    return found !== undefined;
  }

  #extensions() {
    return [
      lineNumbers(),
      history(),
      drawSelection(),
      json(),
      syntaxHighlighting(highlighting),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      highlightActiveLine(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "The plan, as JSON", spellcheck: "false" }),
      placeholder("Ctrl+Space begins a plan"),
      autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
      keymap.of([
        { key: "Mod-.", run: () => this.#fixHere() },
        { key: "Mod-Shift-.", run: () => this.#then(this.#events.onFixAll) },
        { key: "Mod-Enter", run: () => this.#then(this.#events.onRun) },
        { key: "Tab", run: acceptCompletion },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#events.onChange(update.state.doc.toString());
      }),
      editorTheme,
    ];
  }

  #then(act: () => void): true {
    act();
    return true;
  }

  #complete(context: CompletionContext): CompletionResult | null {
    const text = context.state.doc.toString();
    if (!context.explicit && /\s/.test(text[context.pos - 1] ?? " ")) return null;
    const found = complete(text, context.pos, this.#events.options());
    if (found.length === 0) return null;
    const options = found.map((item) => ({
      label: item.label,
      ...(item.detail !== undefined && { detail: item.detail.slice(0, 80) }),
      apply: (view: EditorView) => insert(view, item),
    }));
    return { from: context.pos, options, filter: false };
  }
}

function insert(view: EditorView, { edit, caret }: Completion): void {
  const { from, to, text } = edit;
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + (caret ?? text.length) },
    userEvent: "input.complete",
  });
}
