import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { countRepairs, type Diagnostic, spanOf } from "../../../src/compiler.ts";
import { type ServerAgent, useCompileOptions, useSurroundings } from "../data/surroundings.ts";
import { Button } from "../design/button.tsx";
import { messageOf } from "../design/error-state.tsx";
import { Panel } from "../design/panel.tsx";
import { PlanGraph } from "../graph/plan-graph.tsx";
import { useAddress, useSetQuery } from "../router.tsx";
import type { CodeEditor } from "./code-editor.ts";
import { ConvertDialog } from "./convert-dialog.tsx";
import { keepDraft, readDraft } from "./draft.ts";
import { EditorBox } from "./editor-box.tsx";
import { ExamplesDialog } from "./examples-dialog.tsx";
import { fixed, fixWords, own, repaired } from "./fixes.ts";
import { LANGUAGES } from "./languages.ts";
import { Problems } from "./problems.tsx";
import { RunPanel } from "./run-panel.tsx";
import { type Checked, useChecked } from "./use-checked.ts";
import "./edit.css";

export default function EditPage() {
  const [text, setText] = useState(() => readDraft() ?? "");
  const { data, error } = useSurroundings();
  const options = useCompileOptions(data);
  const checked = useChecked(text, options);
  const [dialog, setDialog] = useState<"examples" | "convert">();
  const editor = useRef<CodeEditor>(null);
  useEffect(() => keepDraft(text), [text]);

  const show = useCallback((next: string) => {
    editor.current?.show(next);
    setDialog(undefined);
    editor.current?.focus();
  }, []);
  useAgentOfAddress(data?.agents, show);
  const fixOf = useMemo(() => fixWords(checked.text), [checked.text]);
  const fix = (diagnostic: Diagnostic): void => show(fixed(text, diagnostic));
  const fixAll = (): void => show(repaired(text, options));
  const repairs = checked.text === text ? countRepairs(text, own(checked.diagnostics)) : 0;
  const errors = checked.diagnostics.filter(({ severity }) => severity === "error").length;
  const isStale = checked.program === undefined && checked.outline !== undefined;
  const goToStep = (id: string): void => {
    const step = checked.program?.blocks[0].steps.find((one) => one.id === id);
    const span = step && spanOf(step.place);
    if (span !== undefined) editor.current?.goTo(span.from);
  };
  return (
    <div className="edit-page">
      <div className="edit-head">
        <h1>Editor</h1>
        <p className="edit-state" role="status">
          {stateOf(checked, errors)}
        </p>
        <div className="edit-tools">
          <Button onClick={() => setDialog("examples")}>Examples…</Button>
          <Button disabled={checked.program === undefined} onClick={() => setDialog("convert")}>
            Convert…
          </Button>
          <Button disabled={repairs === 0} onClick={fixAll}>
            {repairs === 0 ? "Fix all" : `Fix all (${repairs})`}
          </Button>
        </div>
      </div>
      <div className="edit-columns">
        <div className="edit-text">
          <EditorBox
            text={text}
            checked={checked}
            options={options}
            fixOf={fixOf}
            onChange={setText}
            onFix={fix}
            onFixAll={fixAll}
            editor={editor}
          />
          <p className="edit-keys">
            <kbd>Ctrl</kbd>+<kbd>Space</kbd> completes · <kbd>Ctrl</kbd>+<kbd>.</kbd> fixes · <kbd>F8</kbd>{" "}
            next problem · <kbd>Ctrl</kbd>+<kbd>Enter</kbd> runs
          </p>
          {checked.diagnostics.length > 0 && (
            <Problems
              diagnostics={checked.diagnostics}
              fixOf={fixOf}
              onFix={fix}
              onGoTo={(diagnostic) => editor.current?.goToProblem(diagnostic)}
            />
          )}
        </div>
        <div className="edit-side">
          <Panel
            title="Graph"
            className="edit-graph"
            actions={isStale && <span className="edit-note">of the last text without errors</span>}
          >
            {checked.outline === undefined ? (
              <p className="edit-note">
                {text.trim() === ""
                  ? "Write a plan, or start from an example."
                  : "The graph appears when the plan has no errors."}
              </p>
            ) : (
              <PlanGraph plan={checked.outline} onSelect={goToStep} />
            )}
          </Panel>
          <Panel title="Run">
            {error !== undefined && (
              <p className="edit-note" role="alert">
                The server’s tools and agents are not known, so nothing is said of unknown ones:{" "}
                {messageOf(error)}
              </p>
            )}
            <RunPanel
              text={text}
              program={checked.text === text ? checked.program : undefined}
              explanation={checked.explanation}
            />
          </Panel>
        </div>
      </div>
      {dialog === "examples" && <ExamplesDialog onChoose={show} onClose={() => setDialog(undefined)} />}
      {dialog === "convert" && checked.program !== undefined && (
        <ConvertDialog program={checked.program} onConvert={show} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

function stateOf({ diagnostics, dialect, text }: Checked, errors: number): string {
  if (text.trim() === "") return "Nothing to check yet";
  const language = dialect === undefined ? "Language not known yet" : LANGUAGES[dialect].name;
  const warnings = diagnostics.length - errors;
  const said = [
    errors > 0 && `${errors} ${errors === 1 ? "error" : "errors"}`,
    warnings > 0 && `${warnings} ${warnings === 1 ? "warning" : "warnings"}`,
  ].filter(Boolean);
  return `${language} · ${said.length === 0 ? "no problems" : said.join(", ")}`;
}

/** `/edit?agent=…` opens the definition of an agent. */
function useAgentOfAddress(agents: readonly ServerAgent[] | undefined, show: (text: string) => void): void {
  const path = useAddress().query.get("agent");
  const setQuery = useSetQuery();
  useEffect(() => {
    const found = agents?.find((agent) => agent.path === path);
    if (found === undefined) return;
    show(`${JSON.stringify(found.definition, null, 2)}\n`);
    setQuery({ agent: undefined }, { replace: true });
  }, [agents, path, show, setQuery]);
}
