import { JsonTree } from "../json/json-tree.tsx";
import { useSource } from "./use-run.ts";
import type { NamedValue } from "./worker/messages.ts";

/** A value that the run's worker keeps. */
export function ValueTree({ value, label }: { readonly value: NamedValue; readonly label: string }) {
  return <JsonTree source={useSource(value)} label={label} />;
}
