import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import { startChild } from "./child.ts";
import { freePort } from "./recording-server.ts";
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
  const flags = ["--quiet", "--max-block-duration=720h"];
  const args = ["tsdb", "create-blocks-from", "openmetrics", ...flags, file, data];
  const tool = spawn(requireTool("promtool"), args, { stdio: "ignore" });
  const [code] = (await once(tool, "close")) as [number];
  if (code !== 0) throw new Error(`promtool ended with ${code}`);
  const config = join(folder.path, "prometheus.yml");
  if (rules !== undefined) await writeFile(join(folder.path, "rules.yaml"), rules);
  await writeFile(config, JSON.stringify(rules === undefined ? {} : { rule_files: ["rules.yaml"] }));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = startChild(requireTool("prometheus"), [
    `--config.file=${config}`,
    `--storage.tsdb.path=${data}`,
    "--storage.tsdb.retention.time=30y",
    `--web.listen-address=${new URL(url).host}`,
    "--log.level=warn",
  ]);
  const isReady = () =>
    fetch(`${url}/-/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await vi.waitUntil(isReady, { timeout: 30_000, interval: 100 });
  return {
    url,
    async stop() {
      await child.stop();
      await folder.remove();
    },
  };
}
