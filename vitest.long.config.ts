import { defineConfig } from "vitest/config";

/** The long runs, time compressed, two idle processors: every alert (`npm run test:alerts`), every
 * failure (`npm run test:stories`), in real time every fault of a node (`npm run test:faults`), and the executable with its Debian
 * package (`npm run test:install`): building both takes half a minute to one. */
export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/global-setup.ts"],
    setupFiles: ["test/support/clean-up-after-each.ts"],
    include: ["test/{e2e,faults,scripts}/*.long.ts"],
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
