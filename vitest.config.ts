import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Test files of four seconds and more, longest first: begun last, one of them would keep a single core busy to the end. */
const LONG = [
  "e2e/dashboards",
  "e2e/stack",
  "faults/fuzz/fuzz",
  "poller/single-word",
  "http/status-page/status-page-layout",
  "daemon/examine",
  "faults/fields/fields",
  "e2e/storage",
  "e2e/prometheus-restart",
  "poller/hosted/hosted-budget",
  "e2e/recordings",
  "e2e/discovery",
  "cli/one-shot",
  "e2e/following",
  "api/transport/client-network",
  "http/validator-page/validator-page-browser",
  "cli/doctor-unknown",
  "generate/rules",
  "generate/runbook-commands",
  "main",
  "tidy/examples",
  "http/inspection",
  "cli/doctor",
  "contract/recorded-metrics",
  "diagnosis/restart/simulated",
  "scripts/build-package",
];

/** Begins with the long files. vitest asks for a class. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? LONG.length : at;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: ["test/e2e/support/global-setup.ts"],
    setupFiles: ["test/support/clean-up-after-each.ts"],
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    // A failure shows whole values, also where its message alone is kept.
    chaiConfig: { truncateThreshold: 0 },
    hookTimeout: 120_000,
    // The many processes that tests start compile the same files.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    pool: "forks",
    // Modules have no state that tests could see of each other; loading them for each file takes a third of the time.
    isolate: false,
    // Of two processors: many tests mostly wait. CI runs other suites beside these.
    maxWorkers: process.env["CI"] === undefined ? 3 : 2,
    sequence: { sequencer: LongFirst },
  },
});
