import { join } from "node:path";
import type { Log } from "../runtime/events.ts";
import type { System } from "../runtime/system.ts";
import { replaceFile, wordsOf } from "../daemon/storage/files.ts";

type Options = {
  /** The value of `--storage.path`; standard error receives the report without it. */
  readonly folder: string | undefined;
  readonly system: Pick<System, "err" | "diagnosticReport">;
  readonly log: Log;
};

/**
 * Writes a report about the process: stacks, memory, handles, limits. It has no environment, which can hold secrets. The next one
 * replaces it, so that no number of signals fills a disk. Never rejects: a failure is logged.
 */
export async function writeDiagnosticReport({ folder, system, log }: Options): Promise<void> {
  const report = `${system.diagnosticReport?.() ?? "{}"}\n`;
  if (folder === undefined) return system.err(report);
  const file = join(folder, "report.json");
  try {
    await replaceFile(file, report);
    log.info({ file }, "wrote a diagnostic report");
  } catch (error) {
    log.warn({ file, why: wordsOf(error) }, "cannot write the diagnostic report");
  }
}
