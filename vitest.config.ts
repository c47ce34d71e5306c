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
    hookTimeout: 300_000,
    // Only suites with a real browser or cluster, on a machine that may be busy, ask for a second try: `{ retry: 1 }`. What is drawn
    // by chance or judges the durability of runs has none.
    retry: 0,
  },
});
