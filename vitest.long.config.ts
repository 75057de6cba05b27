import { defineConfig } from "vitest/config";

/**
 * The long runs, for two idle processors. The compiler, the linter and the formatter (`npm run test:tools`). Backtests of a real Prometheus (`npm run test:backtest`). Time compressed: what is sent about each failure (`npm run test:stories`), about the exporter (`npm run test:pages`) and in an upgrade by the planned order (`npm run test:restarts`). In real time: every
 * fault of a node (`npm run test:faults`), a process without a processor (`npm run test:overload`), what a release publishes
 * (`npm run test:install`): the executable, the Debian package and the image, and the chart and the manifests before an API server of
 * Kubernetes (`npm run test:kube`).
 */
export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/global-setup.ts"],
    setupFiles: ["test/support/clean-up-after-each.ts"],
    include: ["test/{cli,deploy,e2e,faults,kubernetes,poller,scripts,spec,tidy}/**/*.long.ts"],
    hookTimeout: 300_000,
    // A failure shows whole values, also where its message alone is kept.
    chaiConfig: { truncateThreshold: 0 },
    pool: "forks",
    maxWorkers: 1,
  },
});
