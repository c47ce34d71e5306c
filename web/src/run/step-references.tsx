import type { OutlineReference } from "../../../src/compiler.ts";
import { type FoundStep, originOf, originText } from "./step-origin.ts";

/** Each reference, with a way to where its value came from. */
export function StepReferences({
  found,
  onSelect,
}: {
  readonly found: FoundStep;
  readonly onSelect: (id: string) => void;
}) {
  const { references } = found.step;
  if (references.length === 0) return null;
  return (
    <ul className="references">
      {references.map((reference) => {
        const origin = originOf(reference, found);
        const where = whereOf(reference);
        return (
          <li key={`${where} ${reference.text}`}>
            <span className="reference-at">{where}</span>
            {origin === undefined ? (
              <bdi>{originText(reference)}</bdi>
            ) : (
              <button type="button" className="link" onClick={() => onSelect(origin)}>
                <bdi>{originText(reference)}</bdi>
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function whereOf({ in: place, at }: OutlineReference): string {
  if (place === "items") return "for each of";
  if (place === "conditions") return "only if";
  return at
    .map((key) => (typeof key === "number" ? `[${key}]` : key))
    .join(".")
    .replaceAll(".[", "[");
}
