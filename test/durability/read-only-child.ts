/* Run by somebody who may read a store but not write to it: says what can be done with it. */

import type { Driver } from "../../src/drivers/driver.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";

const [file = ""] = process.argv.slice(2);

function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
}

const driver: Driver | string = await sqliteDriver(file).catch(
  (error: { readonly code: string }) => error.code,
);
const said =
  typeof driver === "string"
    ? { open: driver }
    : {
        list: outcome(() => driver.list({}).map(({ id }) => id)),
        events: outcome(() => [...driver.events("r")].length),
        claim: outcome(() => driver.claim("r")),
        close: outcome(() => driver.close()),
      };
process.stdout.write(JSON.stringify(said));
