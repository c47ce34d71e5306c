import { useMemo } from "react";
import { sourceOf } from "../json/json-source.ts";
import { JsonTree } from "../json/json-tree.tsx";
import type { FoundStep } from "./step-origin.ts";

export function WrittenArguments({ found: { step } }: { readonly found: FoundStep }) {
  const source = useMemo(() => sourceOf(step.arguments), [step]);
  return <JsonTree source={source} label="Arguments as written" />;
}
