import { beforeEach, describe, expect, it, vi } from "vitest";
import { simulate, type Simulation, type SimulatorOptions } from "../../simulator/simulate.ts";
import { runExporter, writeConfig, type RunningDaemon } from "./support/daemon.ts";
import { cleanUpAfter, daemonWith, deadPort, folder } from "./support/harness.ts";
import { startPrometheus, type Prometheus, type ScrapeConfig } from "./support/prometheus.ts";

/** Service discovery and probes with a real Prometheus, and one of the processes that share the nodes. */

/** Prometheus discovers and scrapes targets every second, on a machine that may be busy. */
const SOON = { timeout: 30_000, interval: 250 };

async function network(options: SimulatorOptions): Promise<Simulation> {
  const simulation = await simulate(options);
  cleanUpAfter(() => simulation.close());
  return simulation;
}

async function prometheusOf(jobs: Readonly<Record<string, string | ScrapeConfig>>): Promise<Prometheus> {
  const prometheus = await startPrometheus(jobs);
  cleanUpAfter(prometheus.stop);
  return prometheus;
}

/** The labels of the series of an expression, without those that Prometheus keeps for itself. */
const labelsOf = async (prometheus: Prometheus, promql: string) =>
  [...(await prometheus.query(promql).catch(() => new Map<string, never>())).values()].map(({ labels }) => labels);

/** `query` strips the label `instance`, so it is copied into another label. */
const named = (promql: string) => `label_replace(${promql}, "at", "$1", "instance", "(.*)")`;

describe("a Prometheus that discovers the fleet", () => {
  let daemon: RunningDaemon;
  let simulation: Simulation;
  let dead: string;
  beforeEach(async () => {
    simulation = await network({ nodes: 3, validators: 8 });
    dead = `http://127.0.0.1:${await deadPort()}`;
    const [one, two, three] = simulation.nodes;
    const config = {
      nodes: [
        { name: "one", url: one?.url, network: "local", labels: { site: "fra1" } },
        { name: "two", url: two?.url, network: "local", bearer_token: "a-s3cret-token" },
        { name: "gone", url: dead, network: "local" },
      ],
      probe: { only: true, targets: [new URL(three?.url ?? "").host] },
    };
    daemon = await daemonWith([`--config.file=${await writeConfig(await folder(), config)}`]);
  });

  it("scrapes the nodes' own metrics by /sd and probes each by /probe", { timeout: 90_000 }, async () => {
    const http = (query: string) => [{ url: `${daemon.address}/sd${query}`, refresh_interval: "1s" }];
    const prometheus = await prometheusOf({
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
  });

  it("gets an error for targets that cannot be probed, without secrets", async () => {
    const get = async (path: string) => {
      const response = await daemon.get(path);
      return { status: response.status, text: await response.text() };
    };
    expect(await get("/probe?target=http://127.0.0.1:22")).toMatchObject({ status: 403 });
    expect(await get(`/probe?target=${simulation.nodes[2]?.url}/ext`)).toMatchObject({ status: 403 });
    expect(await get("/probe?target=nobody")).toMatchObject({ status: 403 });
    expect(await get("/probe")).toMatchObject({ status: 400 });
    expect(await get("/probe?target=one&module=none")).toMatchObject({
      status: 400,
      text: "Unknown module. Modules: node, validator, evm, network\n",
    });
    const shown = [
      await get("/sd"),
      await get("/sd?for=probe"),
      await get("/probe?target=two&debug=true"),
      await get("/probe?target=gone&debug=true"),
      await get("/config"),
    ];
    for (const { status, text } of shown) expect([status, text.includes("s3cret")]).toEqual([200, false]);
    expect(shown[2]?.text).toMatch(/^The probe succeeded in \d\.\d{3} s\.\n\nanswered      info\.getNodeID\n/);
    expect(shown[3]?.text).toContain("failed        health: refused: ");
    expect(daemon.child.stderr()).not.toContain("s3cret");
  });
});

describe("two processes that share one configuration", () => {
  it("poll the hosted services and the networks in the first alone", { timeout: 60_000 }, async () => {
    const simulation = await network({ nodes: 8, validators: 12, hosted: true });
    const { hosted, nodes } = simulation;
    const config = {
      nodes: nodes.map(({ name, url }) => ({ name, url, network: "local" })),
      data_api: { url: hosted?.dataUrl, chains: ["43114"] },
    };
    const file = await writeConfig(await folder(), config);
    const started = (index: number) =>
      daemonWith([`--config.file=${file}`, `--shard.index=${index}`, "--shard.total=2"]);
    const second = await started(1);
    await vi.waitUntil(second.isReady, SOON);
    expect(hosted?.requests()).toEqual([]);
    expect(simulation.count("all", "platform.getCurrentSupply")).toBe(0);
    const series = [...(await second.metrics()).keys()];
    expect(series).toContain('avax_exporter_shard_info{index="1",total="2"}');
    expect(series.some((key) => /^avax_(validators|evm_blocks|hosted)/.test(key))).toBe(false);

    const first = await started(0);
    await vi.waitFor(() => {
      expect(hosted?.requests()).not.toEqual([]);
      expect(simulation.count("all", "platform.getCurrentSupply")).toBeGreaterThan(0);
    }, SOON);
    const targets = await Promise.all([first, second].map(async (shard) => (await shard.status()).targets));
    const polled = targets.flatMap((each) => each.map(({ name }) => name)).filter((name) => name !== "data-api");
    expect(polled.toSorted()).toEqual(nodes.map(({ name }) => name).toSorted());
    // Prometheus scrapes the nodes' own metrics whichever process it asks for them.
    for (const shard of [first, second]) {
      const response = await shard.get("/sd");
      expect(((await response.json()) as unknown[]).length).toBe(nodes.length);
    }
  });

  it("are refused when the networks cannot be known", async () => {
    const simulation = await network({ nodes: 2 });
    const config = { nodes: simulation.nodes.map(({ name, url }) => ({ name, url })) };
    const file = await writeConfig(await folder(), config);
    const child = runExporter([`--config.file=${file}`, "--shard.index=0", "--shard.total=2"]);
    cleanUpAfter(child.stop);
    expect(await child.exited).toBe(1);
    expect(child.stderr()).toContain("network is missing on this node and on 1 more node: shards do not poll");
  });
});
