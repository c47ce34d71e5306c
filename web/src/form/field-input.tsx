import type { Json, JsonObject } from "../../../src/compiler.ts";
import { Field } from "./field.tsx";
import { ListInput } from "./list-input.tsx";
import { AnyInput, BooleanInput, FileInput, NumberInput } from "./simple-inputs.tsx";
import { isObject, type Widget } from "./value-schema.ts";

export interface InputProps {
  readonly id: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** The ids of what describes it. */
  readonly about?: string | undefined;
  readonly isWrong?: boolean | undefined;
}

export function FieldInput({ widget, ...props }: InputProps & { readonly widget: Widget }) {
  const { id, value, onChange, about, isWrong } = props;
  const shared = { id, "aria-describedby": about, "aria-invalid": isWrong || undefined };
  switch (widget.kind) {
    case "text":
      return (
        <textarea
          {...shared}
          className="input"
          rows={1}
          dir="auto"
          value={typeof value === "string" ? value : ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        />
      );
    case "choice":
      return (
        <select
          {...shared}
          className="input"
          value={widget.choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value))}
          onChange={({ target }) => onChange(widget.choices[Number(target.value)])}
        >
          <option value={-1}>Choose…</option>
          {widget.choices.map((choice, i) => (
            <option key={JSON.stringify(choice)} value={i}>
              {typeof choice === "string" ? choice : JSON.stringify(choice)}
            </option>
          ))}
        </select>
      );
    case "object":
      return (
        <div className="field-group">
          {widget.fields.map(({ name, schema, isRequired }) => (
            <Field
              key={name}
              name={name}
              schema={schema}
              isRequired={isRequired}
              value={isObject(value) ? value[name] : undefined}
              onChange={(next) => onChange(withKey(isObject(value) ? value : {}, name, next))}
            />
          ))}
        </div>
      );
    case "list":
      return <ListInput {...props} of={widget.of} />;
    case "number":
      return <NumberInput {...props} />;
    case "boolean":
      return <BooleanInput {...props} />;
    case "file":
      return <FileInput {...props} />;
    case "any":
      return <AnyInput {...props} />;
  }
}

/** Without the key where there is no value; nothing at all where nothing is left. */
function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject | undefined {
  const rest = Object.entries(object).filter(([name]) => name !== key);
  const entries = value === undefined ? rest : [...rest, [key, value] as const];
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
