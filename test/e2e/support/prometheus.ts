import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { seriesKey, type Series } from "./exposition.ts";
import { closeServer, freePort, listenOn } from "./recording-server.ts";
import { askPrometheus, runPrometheus } from "./run-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type Prometheus = {
  readonly url: string;
  /** Result of an instant query, now or at a time in Unix seconds, by `seriesKey`, without the labels `job` and `instance`. */
  readonly query: (promql: string, at?: number) => Promise<ReadonlyMap<string, Series>>;
  /** Value of an instant query that has one series; `undefined` when it has none. */
  readonly value: (promql: string) => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
};

/** Rules, evaluated every second unless stated otherwise, with the address of the Alertmanager that gets the alerts, where there is one. */
type Alerting = {
  readonly rules: string;
  readonly alertmanager?: string;
  /** How often everything is scraped and evaluated, and alerts are sent again. */
  readonly every?: { readonly scrape: string; readonly evaluation: string; readonly resend: string };
};

/** A scrape configuration without the name of the job. */
export type ScrapeConfig = Readonly<Record<string, unknown>>;

/**
 * A real Prometheus that scrapes each address every second, as the job of that name, and itself as `prometheus` unless a job
 * has that name. A job that finds its targets otherwise is a scrape configuration instead of an address.
 */
export async function startPrometheus(
  jobs: Readonly<Record<string, string | ScrapeConfig>>,
  alerting?: Alerting,
): Promise<Prometheus> {
  const { scrape, evaluation, resend } = alerting?.every ?? { scrape: "1s", evaluation: "1s", resend: "1s" };
  const folder = await temporaryFolder();
  const port = await freePort();
  const targets = { prometheus: `http://127.0.0.1:${port}`, ...jobs };
  const scrapes = Object.entries(targets).map(([job, address]) => ({
    job_name: job,
    ...(typeof address === "string" ? { static_configs: [{ targets: [new URL(address).host] }] } : address),
  }));
  if (alerting !== undefined) await writeFile(join(folder.path, "rules.yaml"), alerting.rules);
  const config = {
    global: { scrape_interval: scrape, scrape_timeout: scrape, evaluation_interval: evaluation },
    scrape_configs: scrapes,
    ...(alerting === undefined ? {} : alertingConfig(alerting)),
  };
  const { child, url } = await runPrometheus(folder.path, config, {
    port,
    flags: [`--rules.alert.resend-delay=${resend}`],
  });
  const query = (promql: string, at?: number) => instantQuery(url, promql, at);
  return {
    url,
    query,
    value: async (promql) => {
      const [first, second] = [...(await query(promql)).values()];
      if (second !== undefined) throw new Error(`more than one series: ${promql}`);
      return first?.value;
    },
    async stop() {
      await child.stop();
      await folder.remove();
    },
  };
}

function alertingConfig({ alertmanager }: Alerting) {
  const rules = { rule_files: ["rules.yaml"] };
  if (alertmanager === undefined) return rules;
  return { ...rules, alerting: { alertmanagers: [{ static_configs: [{ targets: [new URL(alertmanager).host] }] }] } };
}

type Answer = {
  readonly result: ReadonlyArray<{
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }>;
};

/** As `Prometheus.query` of the server at an address. */
export async function instantQuery(address: string, promql: string, at?: number): Promise<ReadonlyMap<string, Series>> {
  const asked = { query: promql, ...(at === undefined ? {} : { time: String(at) }) };
  const { result } = await askPrometheus<Answer>(address, "query", asked);
  return new Map(
    result.map(({ metric, value: [, text] }) => {
      const { __name__: name = "", ...rest } = metric;
      const labels = Object.fromEntries(
        Object.entries(rest).filter(([label]) => label !== "job" && label !== "instance"),
      );
      return [seriesKey(name, labels), { name, labels, value: Number(text.replace("Inf", "Infinity")) }];
    }),
  );
}

/**
 * Passes scrapes on to the exporter with an Accept header of ours. Prometheus prefers OpenMetrics, and its older releases
 * cannot be configured otherwise: this is how a real one reads the other format.
 */
export async function startFormatProxy(
  address: string,
  accept: string,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const passOn = async (): Promise<void> => {
      const answer = await fetch(`${address}${request.url ?? ""}`, { headers: { accept } });
      const type = answer.headers.get("content-type") ?? "";
      response.writeHead(answer.status, { "content-type": type }).end(await answer.text());
    };
    // The exporter may not listen yet.
    passOn().catch(() => response.destroy());
  });
  const port = await listenOn(server);
  return { address: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}
