import { checkArguments } from "./arguments.ts";
import { checkConditions } from "./conditions.ts";
import { checkContext } from "./context.ts";
import { checkCycles } from "./cycles.ts";
import type { Pass } from "./pass.ts";
import { checkReachability } from "./reachability.ts";
import { checkReferences } from "./references.ts";
import { checkResponses } from "./responses.ts";
import { checkSecrets } from "./secrets.ts";
import { checkTransforms } from "./transforms.ts";

/** Every check, in the order in which they run. Names are checked while a plan is lowered, since references need them. */
export const passes: readonly Pass[] = [
  checkCycles,
  checkReferences,
  checkContext,
  checkConditions,
  checkTransforms,
  checkArguments,
  checkResponses,
  checkReachability,
  checkSecrets,
];
