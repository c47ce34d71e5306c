/* Where the workers of a cluster tell of their runs: the store itself, or, from other machines, whoever has it. */
import { SequiturError } from "../../base/error.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Collections, Driver, MirroredRun } from "../driver.ts";
import { RECORDS_SERVICE } from "./wire.ts";

/** Events of a run that follow on the first `after` ones. */
export interface Told {
  readonly run: MirroredRun;
  readonly after: number;
  readonly events: readonly RunEvent[];
}

export interface ReadModel {
  /** Takes everything or nothing; gives how many events of each run are known now. May be told the same again. */
  tell(told: readonly Told[]): Promise<readonly number[]>;
}

export function storeModel(store: Driver): ReadModel {
  return { tell: async (told) => takeIn(store, told) };
}

export function takeIn(store: Driver, told: readonly Told[]): number[] {
  const known: number[] = [];
  store.together(() => {
    for (const { run, after, events } of told) known.push(store.mirror?.(run, after, events) ?? 0);
  });
  return known;
}

/** By way of Restate, to the recorder: for workers on other machines than the store's. */
export function remoteModel(url: string): ReadModel {
  return {
    async tell(told) {
      const response = await fetch(new URL(`/${RECORDS_SERVICE}/tell`, url), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(told),
      });
      if (response.ok) return (await response.json()) as number[];
      const advice = response.status === 404 ? "Start the recorder beside the store: sequitur recorder." : "";
      throw new SequiturError("NOT_TOLD", `${await response.text()} ${advice}`.trim());
    },
  };
}

const refuse = (): never => {
  throw new SequiturError(
    "COLLECTIONS_ELSEWHERE",
    "This worker is not on the store's machine, so that it cannot write to the store's collections.",
  );
};

/** Of a worker that has no store. */
export const collectionsElsewhere: Collections = {
  put: refuse,
  find: refuse,
  replace: refuse,
  remove: refuse,
};
