import type { Workload } from "../play.ts";
import { AGENT_WORKLOADS } from "./agents.ts";
import { PLAN_WORKLOADS } from "./plans.ts";

/** Every language and every feature, each in a plan of a few steps. */
export const WORKLOADS: readonly Workload[] = [...AGENT_WORKLOADS, ...PLAN_WORKLOADS];
