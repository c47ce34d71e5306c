import { SequiturError } from "../base/error.ts";
import type { Usage } from "../core/usage.ts";
import { refuse } from "../tools/core/refuse.ts";

/** What the models of one run may take, all together. */
export interface Budget {
  /** Tokens that go in and come out. */
  readonly tokens?: number;
  /** In the currency of the models' prices. */
  readonly cost?: number;
}

/** What has been spent, counted at once: the record of it may still be on its way. */
export class RunBudget {
  readonly #budget: Budget;
  #tokens = 0;
  #cost = 0;

  /** `spent` is what the run's journal has, for one that goes on. */
  constructor(budget: Budget, spent: Iterable<Usage>) {
    this.#budget = budget;
    for (const usage of spent) this.add(usage);
  }

  add({ inputTokens, outputTokens, cost = 0 }: Omit<Usage, "calls">): void {
    this.#tokens += inputTokens + outputTokens;
    this.#cost += cost;
  }

  refuseIfSpent(): void {
    const { tokens, cost } = this.#budget;
    if (tokens !== undefined && this.#tokens >= tokens)
      throw spent(`${tokens} tokens`, `${this.#tokens} tokens`);
    if (cost !== undefined && this.#cost >= cost) throw spent(`cost ${cost}`, String(this.#cost));
  }
}

function spent(budget: string, used: string): Error {
  const message = `The run's budget for models (${budget}) is spent: ${used} so far. No model is called any more.`;
  return refuse("BUDGET_SPENT", message);
}

/** Refuses what is no budget. */
export function checkBudget(budget: Budget): Budget {
  for (const [name, limit] of Object.entries(budget)) {
    if (name !== "tokens" && name !== "cost")
      throw new SequiturError("INVALID_OPTION", `A budget has "tokens" and "cost", not "${name}".`);
    if (typeof limit !== "number" || !(limit >= 0))
      throw new SequiturError("INVALID_OPTION", `budget.${name} must be a number from 0.`);
  }
  return budget;
}
