import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/global-setup.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    // Modules have no state that tests could see of each other; loading them for each file takes a fifth of the time.
    isolate: false,
    maxWorkers: 2,
  },
});
