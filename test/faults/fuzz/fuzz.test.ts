import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const PROGRAM = join(import.meta.dirname, "run.ts");

/** The same answers in every run; `npm run fuzz` draws others, and more. */
const SEED = 20_261_122;

// A process of its own: it puts another pool in the place of undici's, which other tests must not get. What an answer causes
// comes again with the same seed; a turn in which the machine was busy with something else does not.
it(
  "20,000 mutated answers lead to no exception, no invalid exposition and no figure out of its range",
  { timeout: 300_000, retry: 1 },
  async () => {
    const child = spawn(process.execPath, [PROGRAM, `--seed=${SEED}`, "--runs=20000"]);
    // At the deadline too: it would take the processor from the tests after it.
    onTestFinished(() => void child.kill());
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.on("close", resolve);
    const code = await promise;
    expect(output).toContain("everything holds");
    expect(code).toBe(0);
  },
);
