import { type ReactNode, useId } from "react";
import type { Json } from "../../../src/compiler.ts";
import { LongText } from "../json/long-text.tsx";
import { FieldInput } from "./field-input.tsx";
import { descriptionOf, isObject, widgetOf } from "./value-schema.ts";
import "./form.css";

const TEXT_MAX = 600;

/** One value that a person is asked for: its name, what it is, the widget for its schema, and what is wrong with it. */
export function Field({
  name,
  schema,
  description = descriptionOf(schema),
  isRequired,
  value,
  onChange,
  error,
}: {
  readonly name: string;
  readonly schema: Json | null;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly error?: string | undefined;
}) {
  const id = useId();
  const widget = widgetOf(schema);
  const isGroup = widget.kind === "list" || widget.kind === "object" || widget.kind === "boolean";
  const about = [description && `${id}-about`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const input = (
    <FieldInput
      id={id}
      widget={widget}
      value={value}
      onChange={onChange}
      about={about}
      isWrong={error !== undefined}
    />
  );
  const label = (
    <>
      <bdi>{name}</bdi>
      {!isRequired && <span className="field-optional"> optional{defaultOf(schema)}</span>}
    </>
  );
  const notes: ReactNode = (
    <>
      {description !== undefined && (
        <p className="field-about" id={`${id}-about`}>
          <LongText text={description} max={TEXT_MAX} />
        </p>
      )}
    </>
  );
  const wrong = error !== undefined && (
    <p className="field-error" id={`${id}-error`}>
      {error}
    </p>
  );
  return isGroup ? (
    <fieldset className="field" aria-describedby={about}>
      <legend>{label}</legend>
      {notes}
      {input}
      {wrong}
    </fieldset>
  ) : (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {notes}
      {input}
      {wrong}
    </div>
  );
}

function defaultOf(schema: Json | null): string {
  return isObject(schema) && schema.default !== undefined
    ? `, ${JSON.stringify(schema.default).slice(0, 60)} if left out`
    : "";
}
