import { spawn } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

type Found = {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: ReadonlyArray<readonly [time: number, value: number]>;
};

export type Prometheus = {
  readonly address: string;
  /** What an expression was at each step between two moments (unix seconds). */
  readonly range: (
    expr: string,
    when: { readonly from: number; readonly to: number; readonly step: number },
  ) => Promise<readonly Found[]>;
  /** Copies everything that it has into the data folder of another. */
  readonly copyTo: (folder: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** What it scrapes, honouring its time stamps, every so many real milliseconds. */
type Scraped = { readonly address: string; readonly every: number };

/** A real Prometheus on the data in `folder`; without a target it only answers. */
export async function startPrometheus(folder: string, target?: Scraped): Promise<Prometheus> {
  const port = await freePort();
  const every = `${Math.round(target?.every ?? 60_000)}ms`;
  const config = {
    global: { scrape_interval: every, scrape_timeout: every },
    scrape_configs:
      target === undefined ? [] : [{ job_name: "avax-exporter", static_configs: [{ targets: [target.address] }] }],
  };
  const file = join(folder, "prometheus.yml");
  await writeFile(file, JSON.stringify(config));
  const child = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      "--storage.tsdb.retention.time=10y",
      `--web.listen-address=127.0.0.1:${port}`,
      "--web.enable-admin-api",
      // What vanishes carries its own time stamps and gets no mark of staleness: it shall not be seen for long.
      "--query.lookback-delta=1m",
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const address = `http://127.0.0.1:${port}`;
  await untilReady(address, () => child.exitCode !== null);
  return {
    address,
    range: (expr, { from, to, step }) =>
      range(address, { query: expr, start: `${from}`, end: `${to}`, step: `${step}` }),
    async copyTo(other) {
      const { name } = await post<{ readonly name: string }>(address, "admin/tsdb/snapshot", {});
      await cp(join(folder, "data/snapshots", name), join(other, "data"), { recursive: true });
    },
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function untilReady(address: string, ended: () => boolean): Promise<void> {
  while (!ended()) {
    const ready = await fetch(`${address}/-/ready`).catch(() => undefined);
    if (ready?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("prometheus ended before it was ready");
}

type Matrix = {
  readonly result: ReadonlyArray<{
    readonly metric: Readonly<Record<string, string>>;
    readonly values: ReadonlyArray<readonly [time: number, value: string]>;
  }>;
};

async function range(address: string, asked: Record<string, string>): Promise<readonly Found[]> {
  const { result } = await post<Matrix>(address, "query_range", asked);
  return result.map(({ metric: { __name__: _name, ...labels }, values }) => ({
    labels,
    values: values.map(([time, value]) => [time, Number(value.replace("Inf", "Infinity"))] as const),
  }));
}

async function post<T>(address: string, path: string, asked: Record<string, string>): Promise<T> {
  const response = await fetch(`${address}/api/v1/${path}`, { method: "POST", body: new URLSearchParams(asked) });
  const { data, error } = (await response.json()) as { readonly data?: T; readonly error?: string };
  if (data === undefined) throw new Error(`${path} ${asked["query"] ?? ""}: ${error ?? response.status}`);
  return data;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
