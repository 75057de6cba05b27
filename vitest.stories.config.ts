import { defineConfig } from "vitest/config";

/** The stories of failures through Prometheus and Alertmanager, time compressed (`npm run test:stories`): two idle processors. */
// eslint-disable-next-line no-restricted-syntax -- vitest asks for it
export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/global-setup.ts"],
    setupFiles: ["test/support/clean-up-after-each.ts"],
    include: ["test/e2e/stories.long.ts"],
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
