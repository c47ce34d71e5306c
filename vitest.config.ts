import { defineConfig } from "vitest/config";

export default defineConfig({
  // The file that Node itself takes, as GraphQL Yoga does: two copies of graphql do not know each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/build.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // No test asserts a time: the limit is there to end one that hangs, on a machine however busy.
    testTimeout: 300_000,
    // Browsers, servers and clusters are real, and the machine may be busy: what fails once is tried once more. What is drawn by
    // chance is drawn from a fixed seed, and fails again.
    retry: 1,
    hookTimeout: 300_000,
  },
});
