import { type RefObject, useEffect, useRef } from "react";
import type { CompileOptions, Diagnostic } from "../../../src/compiler.ts";
import { CodeEditor, type EditorEvents } from "./code-editor.ts";
import { own } from "./fixes.ts";
import type { Checked } from "./use-checked.ts";

interface Props {
  readonly text: string;
  readonly checked: Checked;
  readonly options: CompileOptions;
  readonly fixOf: (diagnostic: Diagnostic) => string | undefined;
  readonly onChange: (text: string) => void;
  readonly onFix: (diagnostic: Diagnostic) => void;
  readonly onFixAll: () => void;
  readonly editor: RefObject<CodeEditor | null>;
}

/** The editor lives as long as the page; what it is given anew is looked up when it is needed. */
export function EditorBox(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { checked, editor, text } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once, with the text of that moment.
  useEffect(() => {
    if (box.current === null) return;
    const events: EditorEvents = {
      onChange: (next) => latest.current.onChange(next),
      onFix: (diagnostic) => latest.current.onFix(diagnostic),
      onFixAll: () => latest.current.onFixAll(),
      onRun: () => document.querySelector<HTMLFormElement>(".run-panel")?.requestSubmit(),
      options: () => latest.current.options,
      fixOf: (diagnostic) => latest.current.fixOf(diagnostic),
    };
    const made = new CodeEditor(box.current, text, events);
    editor.current = made;
    return () => {
      editor.current = null;
      made.destroy();
    };
  }, []);
  useEffect(() => {
    if (checked.text === latest.current.text) editor.current?.mark(own(checked.diagnostics));
  }, [checked, editor]);
  return <div className="edit-box" ref={box} />;
}
