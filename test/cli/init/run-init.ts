import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execute } from "../../../src/cli/execute.ts";
import { loadRecording } from "../../e2e/support/recording.ts";
import { startRecordingServer, type RecordingServerOptions } from "../../e2e/support/recording-server.ts";
import { temporaryFolder } from "../../e2e/support/temporary-folder.ts";
import { afterThisTest } from "../../support/cleanup.ts";
import { writtenSystem } from "../../support/written-system.ts";

/** What `avax-exporter init` did. */
export type InitRun = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly file: string | undefined;
  readonly valid: string;
};

/** Runs the command; the addresses, the folder and what the clock changes are replaced in its texts. */
export async function init(...urls: readonly string[]): Promise<InitRun> {
  const folder = await temporaryFolder();
  afterThisTest.add(folder.remove);
  const path = join(folder.path, "c.yaml");
  const { system, written } = writtenSystem();
  const code = await execute(["init", `--output=${path}`, ...urls], system);
  const plain = (text: string): string =>
    urls
      .reduce((all, url, index) => all.replaceAll(url, `http://node-${index + 1}`), text)
      .replaceAll(path, "c.yaml")
      .replaceAll(/ \(in [^)]+\)/g, " (in …)")
      .replace(/on \d{4}-\d\d-\d\d$/m, "on …");
  const file = existsSync(path) ? plain(readFileSync(path, "utf8")) : undefined;
  const check = writtenSystem();
  if (file !== undefined) await execute(["check-config", `--config.file=${path}`], check.system);
  return {
    code,
    out: plain(written.out),
    // Without the progress, which a loaded machine shows.
    err: plain(written.err.replaceAll(/^\[[#-]+\] .*\n/gm, "")),
    file,
    valid: plain(check.written.out + check.written.err),
  };
}

/** The part about the nodes: the time changes what the doctor finds. */
export const surveyOf = ({ out }: InitRun): string => out.slice(0, out.indexOf("Wrote "));

/** The URL of a recorded node. */
export async function recording(name: string, options: RecordingServerOptions = {}): Promise<string> {
  const { url, close } = await startRecordingServer(loadRecording(name), options);
  afterThisTest.add(close);
  return url;
}
