import { useRef } from "react";
import type { Json } from "../../../src/compiler.ts";
import { Button } from "../design/button.tsx";
import { Field } from "./field.tsx";
import type { InputProps } from "./field-input.tsx";

/** Items one below the other; an item that is still empty is null until something is typed. */
export function ListInput({ value, onChange, of }: InputProps & { readonly of: Json }) {
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  const box = useRef<HTMLDivElement>(null);
  const put = (next: readonly Json[]): void => onChange(next.length === 0 ? undefined : next);
  const add = (): void => {
    put([...items, null]);
    // The new item is there after this turn.
    setTimeout(() => [...(box.current?.querySelectorAll<HTMLElement>(".input") ?? [])].at(-1)?.focus());
  };
  return (
    <div className="field-group" ref={box}>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place in the list.
        <div className="list-item" key={i}>
          <Field
            name={`Item ${i + 1}`}
            schema={of}
            isRequired
            value={item ?? undefined}
            onChange={(next) => put(items.with(i, next ?? null))}
          />
          <Button kind="quiet" aria-label={`Remove item ${i + 1}`} onClick={() => put(items.toSpliced(i, 1))}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={add}>Add an item</Button>
      </div>
    </div>
  );
}
