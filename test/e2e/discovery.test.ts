import { expect, it, vi } from "vitest";
import { simulate } from "../../simulator/simulate.ts";
import { writeConfig } from "./support/daemon.ts";
import { cleanUpAfter, daemonWith, folder } from "./support/harness.ts";
import { startPrometheus, type Prometheus } from "./support/prometheus.ts";
import { freePort } from "./support/recording-server.ts";

/** Service discovery and probes with a real Prometheus, and one of the processes that share the nodes. */

/** Prometheus discovers and scrapes targets every second, on a machine that may be busy. */
const SOON = { timeout: 30_000, interval: 250 };

/** The labels of the series of an expression, without those that Prometheus keeps for itself. */
const labelsOf = async (prometheus: Prometheus, promql: string) =>
  [...(await prometheus.query(promql).catch(() => new Map<string, never>())).values()].map(({ labels }) => labels);

/** `query` strips the label `instance`, so it is copied into another label. */
const named = (promql: string) => `label_replace(${promql}, "at", "$1", "instance", "(.*)")`;

it(
  "Prometheus discovers the nodes by /sd, scrapes their own metrics and probes each by /probe",
  { timeout: 90_000 },
  async () => {
    const simulation = await simulate({ nodes: 3, validators: 8 });
    cleanUpAfter(simulation.close);
    const [one, two, three] = simulation.nodes;
    const config = {
      nodes: [
        { name: "one", url: one?.url, network: "local", labels: { site: "fra1" } },
        { name: "two", url: two?.url, network: "local", bearer_token: "a-s3cret-token" },
        { name: "gone", url: `http://127.0.0.1:${await freePort()}`, network: "local" },
      ],
      probe: { only: true, targets: [new URL(three?.url ?? "").host] },
    };
    const daemon = await daemonWith([`--config.file=${await writeConfig(await folder(), config)}`]);
    const http = (query: string) => [{ url: `${daemon.address}/sd${query}`, refresh_interval: "1s" }];
    const prometheus = await startPrometheus({
      exporter: daemon.address,
      nodes: {
        http_sd_configs: http(""),
        // Nodes that require credentials belong to a job that has them.
        relabel_configs: [{ source_labels: ["__meta_avax_credentials"], regex: "none", action: "keep" }],
      },
      probe: { http_sd_configs: http("?for=probe&module=validator"), scrape_interval: "2s", scrape_timeout: "2s" },
      other: {
        metrics_path: "/probe",
        scrape_interval: "2s",
        scrape_timeout: "2s",
        static_configs: [{ targets: [simulation.nodes[2]?.url] }],
        relabel_configs: [
          { source_labels: ["__address__"], target_label: "__param_target" },
          { source_labels: ["__param_target"], target_label: "instance" },
          { target_label: "__address__", replacement: new URL(daemon.address).host },
        ],
      },
    });

    cleanUpAfter(prometheus.stop);

    await vi.waitFor(async () => {
      expect(await labelsOf(prometheus, "avalanche_network_peers")).toEqual([
        { node: "one", network: "local", site: "fra1" },
      ]);
      expect(await labelsOf(prometheus, 'up{job="nodes"} == 0')).toEqual([{ node: "gone", network: "local" }]);
    }, SOON);
    await vi.waitFor(async () => {
      const found = await prometheus.query(named('probe_success{job="probe"}'));
      const success = [...found.values()].map(({ labels, value }) => [labels["at"], value]);
      expect(success.sort()).toEqual([
        ["gone", 0],
        ["one", 1],
        ["two", 1],
      ]);
    }, SOON);
    expect(await prometheus.value('count(up{job="probe"} == 1)')).toBe(3);
    expect(await prometheus.value('avax_node_up{job="probe",node="gone"}')).toBe(0);
    expect(await labelsOf(prometheus, 'probe_failed_polls{job="probe",api_endpoint="health"}')).toEqual([
      { api_endpoint: "health", reason: "refused" },
    ]);
    const own = `avax_validator_stake_end_timestamp_seconds{job="probe",node_id="${simulation.nodes[0]?.nodeId}"}`;
    expect(await prometheus.value(`count(${own})`)).toBe(1);
    expect(await prometheus.value('count({job="probe",__name__=~"avax.*_total"})')).toBeUndefined();

    await vi.waitFor(async () => {
      expect(await prometheus.value('probe_success{job="other"}')).toBe(1);
      // The scrape of the exporter itself can come before the first probe.
      expect(await prometheus.value('sum(avax_exporter_probes_total{module="validator"}) > bool 0')).toBe(1);
    }, SOON);
    // No node is polled besides the probes.
    expect(await prometheus.value("count(avax_poll_duration_seconds_count)")).toBeUndefined();
    expect(await prometheus.value("avax_exporter_config_last_reload_successful")).toBe(1);
    for (const path of ["/sd", "/sd?for=probe", "/probe?target=two&debug=true", "/config"])
      expect(await (await daemon.get(path)).text(), path).not.toContain("s3cret");
    expect(daemon.child.stderr()).not.toContain("s3cret");
  },
);
