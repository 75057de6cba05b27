import { cp } from "node:fs/promises";
import { join } from "node:path";
import { askPrometheus, runPrometheus } from "../../test/e2e/support/run-server.ts";

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
  const every = `${Math.round(target?.every ?? 60_000)}ms`;
  const config = {
    global: { scrape_interval: every, scrape_timeout: every },
    scrape_configs:
      target === undefined ? [] : [{ job_name: "avax-exporter", static_configs: [{ targets: [target.address] }] }],
  };
  const { child, url } = await runPrometheus(folder, config, {
    flags: [
      "--storage.tsdb.retention.time=10y",
      "--web.enable-admin-api",
      // What vanishes carries its own time stamps and gets no mark of staleness: it shall not be seen for long.
      "--query.lookback-delta=1m",
    ],
  });
  return {
    address: url,
    range: (expr, { from, to, step }) => range(url, { query: expr, start: `${from}`, end: `${to}`, step: `${step}` }),
    async copyTo(other) {
      const { name } = await askPrometheus<{ readonly name: string }>(url, "admin/tsdb/snapshot", {});
      await cp(join(folder, "data/snapshots", name), join(other, "data"), { recursive: true });
    },
    stop: child.stop,
  };
}

type Matrix = {
  readonly result: ReadonlyArray<{
    readonly metric: Readonly<Record<string, string>>;
    readonly values: ReadonlyArray<readonly [time: number, value: string]>;
  }>;
};

async function range(address: string, asked: Record<string, string>): Promise<readonly Found[]> {
  const { result } = await askPrometheus<Matrix>(address, "query_range", asked);
  return result.map(({ metric: { __name__: _name, ...labels }, values }) => ({
    labels,
    values: values.map(([time, value]) => [time, Number(value.replace("Inf", "Infinity"))] as const),
  }));
}
