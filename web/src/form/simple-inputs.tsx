import { useState } from "react";
import type { InputProps } from "./field-input.tsx";

/** What is no number stays as it was typed, for the server to say what is wrong with it. */
export function NumberInput({ id, value, onChange, about, isWrong }: InputProps) {
  const [text, setText] = useState(value === undefined ? "" : String(value));
  const change = (typed: string): void => {
    setText(typed);
    const number = Number(typed);
    onChange(typed.trim() === "" ? undefined : Number.isFinite(number) ? number : typed);
  };
  return (
    <input
      id={id}
      aria-describedby={about}
      aria-invalid={isWrong || undefined}
      className="input"
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  );
}

/** Neither is chosen before a person has chosen. */
export function BooleanInput({
  id,
  value,
  onChange,
  yes = "Yes",
  no = "No",
}: InputProps & { yes?: string; no?: string }) {
  const choice = (label: string, is: boolean) => (
    <label className="choice">
      <input type="radio" name={id} checked={value === is} onChange={() => onChange(is)} />
      {label}
    </label>
  );
  return (
    <div className="choices">
      {choice(yes, true)}
      {choice(no, false)}
    </div>
  );
}

const FILE_MAX = 5_000_000;

/** The text of a file. */
export function FileInput({ id, value, onChange, about, isWrong }: InputProps) {
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | undefined): Promise<void> => {
    setProblem(undefined);
    if (file === undefined) onChange(undefined);
    else if (file.size > FILE_MAX) setProblem("This file is larger than 5 MB.");
    else onChange(await file.text());
  };
  return (
    <>
      <input
        id={id}
        type="file"
        aria-describedby={about}
        aria-invalid={isWrong || undefined}
        className="input"
        onChange={({ target }) => void read(target.files?.[0])}
      />
      {typeof value === "string" && (
        <p className="field-about">{value.length.toLocaleString("en")} characters</p>
      )}
      {problem !== undefined && <p className="field-error">{problem}</p>}
    </>
  );
}

/** Text, or JSON where a person says so: nothing is known of what is wanted. */
export function AnyInput({ id, value, onChange, about, isWrong }: InputProps) {
  const [isJson, setJson] = useState(value !== undefined && typeof value !== "string");
  const [text, setText] = useState(
    typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value),
  );
  const [problem, setProblem] = useState<string>();
  const change = (typed: string, asJson: boolean): void => {
    setText(typed);
    setJson(asJson);
    setProblem(undefined);
    if (!asJson || typed === "") {
      onChange(typed === "" ? undefined : typed);
      return;
    }
    try {
      onChange(JSON.parse(typed));
    } catch (error) {
      onChange(undefined);
      setProblem(`This is not JSON yet: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <>
      <textarea
        id={id}
        aria-describedby={about}
        aria-invalid={isWrong || problem !== undefined || undefined}
        className="input"
        rows={isJson ? 4 : 1}
        dir="auto"
        value={text}
        onChange={({ target }) => change(target.value, isJson)}
      />
      <label className="choice">
        <input type="checkbox" checked={isJson} onChange={({ target }) => change(text, target.checked)} />
        This is JSON
      </label>
      {problem !== undefined && <p className="field-error">{problem}</p>}
    </>
  );
}
