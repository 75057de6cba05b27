import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Test files of ten seconds and more, longest first: begun last, one of them would keep a single core busy to the end. */
const LONG = [
  "e2e/stack",
  "e2e/dashboards",
  "e2e/discovery",
  "http/inspection",
  "generate/rules",
  "http/status-page/status-page-layout",
  "e2e/following",
  "daemon/examine",
  "poller/hosted/hosted-budget",
  "cli/call",
  "faults/fuzz/fuzz",
  "e2e/recordings",
  "generate/restricted-rules",
  "poller/lying-node",
  "e2e/configuration",
  "e2e/hosted-key",
  "http/validator-page/validator-page-browser",
  "e2e/storage",
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
    hookTimeout: 120_000,
    // The many processes that tests start compile the same files.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    pool: "forks",
    // Modules have no state that tests could see of each other; loading them for each file takes a third of the time.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
});
