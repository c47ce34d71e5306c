import type { Json } from "../../../src/compiler.ts";
import { Panel } from "../design/panel.tsx";
import { descriptionOf, fieldsOf, isObject, widgetOf } from "../form/value-schema.ts";
import { sourceOf } from "../json/json-source.ts";
import { JsonTree } from "../json/json-tree.tsx";
import { LongText } from "../json/long-text.tsx";

export interface SchemaRow {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string | undefined;
}

const TEXT_MAX = 300;

/** What something takes or gives: its fields as a table, and the schema itself. */
export function SchemaPanel({ title, schema }: { readonly title: string; readonly schema: Json }) {
  const rows = rowsOf(schema);
  return (
    <Panel title={title}>
      {schema === null ? (
        <p className="catalogue-about">It does not say.</p>
      ) : (
        <>
          {rows.length > 0 && <SchemaTable title={title} rows={rows} />}
          <details>
            <summary>As JSON</summary>
            <JsonTree source={sourceOf(schema)} label={`${title}, as JSON`} />
          </details>
        </>
      )}
    </Panel>
  );
}

function SchemaTable({ title, rows }: { readonly title: string; readonly rows: readonly SchemaRow[] }) {
  return (
    <div className="schema-scroll">
      <table className="schema" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, about }) => (
            <tr key={name}>
              <th scope="row">
                <code>
                  <bdi>{name}</bdi>
                </code>
              </th>
              <td>
                {type}
                {!isRequired && ", optional"}
              </td>
              <td>{about !== undefined && <LongText text={about} max={TEXT_MAX} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A JSON Schema of an object, or the fields that an agent declares. */
function rowsOf(schema: Json): SchemaRow[] {
  if (Array.isArray(schema)) {
    return schema.filter(isObject).map((field) => ({
      name: String(field.name ?? ""),
      type: String(field.type_name ?? "any"),
      isRequired: field.required !== false && field.default_value === undefined,
      about: descriptionOf(field),
    }));
  }
  if (!isObject(schema)) return [];
  return fieldsOf(schema).map(({ name, schema: inner, isRequired }) => {
    return { name, type: typeWords(inner), isRequired, about: descriptionOf(inner) };
  });
}

function typeWords(schema: Json): string {
  const widget = widgetOf(schema);
  if (widget.kind === "choice")
    return widget.choices
      .map((choice) => JSON.stringify(choice))
      .join(" or ")
      .slice(0, 200);
  return widget.kind === "list" ? `list of ${typeWords(widget.of)}` : widget.kind;
}
