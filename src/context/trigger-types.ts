import type { TriggerType } from "./trigger.ts";
import * as registry from "./triggers/registry.ts";

/** The types of triggers, by the name that a declaration gives. */
export const TRIGGER_TYPES: ReadonlyMap<string, TriggerType> = new Map(
  Object.values(registry).map((type) => [type.type, type]),
);
