import { defineConfig } from "vitest/config";

/** The long runs, time compressed, two idle processors: every alert (`npm run test:alerts`), every
 * failure (`npm run test:stories`), in real time every fault of a node (`npm run test:faults`), what a release publishes
 * (`npm run test:install`): the executable, the Debian package and the image, and the chart and the manifests before an API
 * server of Kubernetes (`npm run test:kube`). */
export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/global-setup.ts"],
    setupFiles: ["test/support/clean-up-after-each.ts"],
    include: ["test/{deploy,e2e,faults,kubernetes,scripts}/*.long.ts"],
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
