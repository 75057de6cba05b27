import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startChild } from "./child.ts";
import { runPrometheus } from "./run-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { requireTool } from "./tools.ts";

/** A series as text, such as `up{job="a"}`, with its samples as time (Unix seconds) and value. */
export type OldSeries = readonly [series: string, samples: ReadonlyArray<readonly [at: number, value: number]>];

export type OldPrometheus = { readonly url: string; readonly stop: () => Promise<void> };

/** A real Prometheus whose storage holds these series, of any time in the past. It scrapes nothing. */
export async function startOldPrometheus(series: readonly OldSeries[], rules?: string): Promise<OldPrometheus> {
  const folder = await temporaryFolder();
  const data = join(folder.path, "data");
  await mkdir(data);
  const lines = series.flatMap(([name, samples]) => samples.map(([at, value]) => `${name} ${value} ${at}`));
  const file = join(folder.path, "series.txt");
  await writeFile(file, [...lines, "# EOF", ""].join("\n"));
  // Blocks of two hours would need a pass over the file each.
  const quiet = ["--quiet", "--max-block-duration=720h"];
  const args = ["tsdb", "create-blocks-from", "openmetrics", ...quiet, file, data];
  const code = await startChild(requireTool("promtool"), args).exited;
  if (code !== 0) throw new Error(`promtool ended with ${code}`);
  if (rules !== undefined) await writeFile(join(folder.path, "rules.yaml"), rules);
  const config = rules === undefined ? {} : { rule_files: ["rules.yaml"] };
  const flags = ["--storage.tsdb.retention.time=30y"];
  const { child, url } = await runPrometheus(folder.path, config, { flags });
  return {
    url,
    async stop() {
      await child.stop();
      await folder.remove();
    },
  };
}
