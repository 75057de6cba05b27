import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

export type Prometheus = { readonly address: string; readonly stop: () => Promise<void> };

/** A real Prometheus that scrapes `target` every `interval` (real milliseconds) into `folder`, honouring its time stamps. */
export async function startPrometheus(target: string, folder: string, interval: number): Promise<Prometheus> {
  const port = await freePort();
  const every = `${Math.round(interval)}ms`;
  const config = {
    global: { scrape_interval: every, scrape_timeout: every },
    scrape_configs: [{ job_name: "avax-exporter", static_configs: [{ targets: [target] }] }],
  };
  const file = join(folder, "prometheus.yml");
  await writeFile(file, JSON.stringify(config));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // What vanishes carries its own time stamps and gets no mark of staleness: it shall not be seen for long.
      "--query.lookback-delta=1m",
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  return {
    address: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
