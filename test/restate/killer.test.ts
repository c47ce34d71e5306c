import { expect, test } from "vitest";
import { kill } from "./killer.ts";
import { hasServer } from "./server.ts";

test.skipIf(!hasServer())(
  "workers and the server are killed: every run ends right, nothing recorded is called again",
  async () => {
    const report = await kill({ workers: 6, servers: 2, seed: 5 });
    expect(report.runs).toBeGreaterThanOrEqual(6);
    expect(report.calls).toBeGreaterThanOrEqual(report.steps);
  },
);
