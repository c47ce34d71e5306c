import type { Clock } from "../base/clock.ts";
import type { Driver } from "./driver.ts";
import { memoryDriver } from "./memory/driver.ts";

export type Store = "memory" | SqliteStore | Driver;

export interface SqliteStore {
  readonly sqlite: string;
  /** `full` (the default) survives a power cut, `relaxed` the end of the process. */
  readonly durability?: "full" | "relaxed";
}

/** Loads only the driver that is used. */
export async function openStore(store: Store, clock: Clock | undefined): Promise<Driver> {
  if (store === "memory") return memoryDriver();
  if (!("sqlite" in store)) return store;
  const { sqliteDriver } = await import("./sqlite/driver.ts");
  const { sqlite, durability } = store;
  return sqliteDriver(sqlite, { ...(durability && { durability }), ...(clock && { clock }) });
}
