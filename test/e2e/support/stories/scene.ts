import { crc32 } from "node:zlib";
import { vi } from "vitest";
import { parse } from "yaml";
import { simulate, type Simulation } from "../../../../simulator/simulate.ts";
import { alertmanagerExample } from "../../../../generate/alertmanager.ts";
import { rulesFile } from "../../../../generate/rules/rules.ts";
import { startAlertmanager, type Notification, type Routing } from "../alertmanager.ts";
import { compressExpression, compressRouting, compressRules, fastClock, type Compression } from "../compression.ts";
import { startDaemon, writeConfig, type RunningDaemon } from "../daemon.ts";
import { cleanUpAfter, folder } from "../harness.ts";
import { startPrometheus, type Prometheus, type ScrapeConfig } from "../prometheus.ts";
import { freePort } from "../recording-server.ts";
import { cadences, prometheusIntervals } from "./pace.ts";
import type { Way } from "./stories.ts";
import type { Story } from "./story.ts";

/** The processes of a run: the networks of all stories, and a daemon with its own Prometheus and Alertmanager for each way to run it. */

const JOB = "stories";

export type Networks = ReadonlyMap<string, Simulation>;

/** The network of each story. @param origin minute 0 of the stories, Unix milliseconds */
export async function startNetworks(
  stories: readonly Story[],
  origin: number,
  compression: Compression,
): Promise<Networks> {
  const now = fastClock(compression);
  const started = stories.map(async ({ name, network }) => {
    // Networks of one seed would have the same subnets.
    const seed = crc32(name);
    const simulation = await simulate({ seed, ...network(Math.floor(origin / 1000)), now });
    cleanUpAfter(() => simulation.close());
    return [name, simulation] as const;
  });
  return new Map(await Promise.all(started));
}

/** No node has a configured ID: whose validator a node is, must be learned and kept. */
function configOf(stories: readonly Story[], networks: Networks, factor: number): object {
  const each = stories.flatMap((story) => {
    const simulation = networks.get(story.name);
    return simulation === undefined ? [] : [{ story, simulation }];
  });
  return {
    nodes: each.flatMap(({ story: { name, watched, hidden, learned }, simulation }) =>
      simulation.nodes.flatMap(({ url }, i) =>
        i + 1 === watched || i + 1 === hidden
          ? []
          : [{ name: `${name}-${i + 1}`, ...(learned === true ? {} : { network: name }), url }],
      ),
    ),
    watch: {
      validators_by_network: Object.fromEntries(
        each.flatMap(({ story: { name, watched = 0 }, simulation }) => {
          const node = simulation.nodes[watched - 1];
          return node === undefined ? [] : [[name, [{ node_id: node.nodeId, name: `${name} ${watched}` }]]];
        }),
      ),
    },
    subnets: each.flatMap(({ story, simulation }) => (story.l1 === true ? l1sOf(story.name, simulation) : [])),
    endpoints: cadences(factor),
  };
}

/** As documented: the nodes' own metrics by service discovery, of the stories that need them. */
function nativeJob(stories: readonly Story[], address: string): Readonly<Record<string, ScrapeConfig>> {
  const names = stories.filter(({ native }) => native === true).map(({ name }) => name);
  if (names.length === 0) return {};
  const keep = { source_labels: ["node"], regex: `(${names.join("|")})-\\d+`, action: "keep" };
  const discovery = { url: `${address}/sd`, refresh_interval: "1s" };
  return { avalanchego: { http_sd_configs: [discovery], relabel_configs: [keep] } };
}

function l1sOf(network: string, { subnets }: Simulation): readonly object[] {
  return subnets.flatMap(({ id, name, chainId, chainName, isL1 }, index) => {
    const chain = { id: chainId, name: `${network}-${chainName}`, evm: true, evm_chain_id: 43_001 + index };
    return isL1 ? [{ id, name: `${network} ${name}`, network, chains: [chain] }] : [];
  });
}

export type Chain = {
  /** Whether every endpoint of every node has been polled. `/-/ready` waits for an idle moment, too, which a fast clock hardly leaves. */
  readonly hasPolledAll: () => Promise<boolean>;
  /** Stops the daemon. */
  readonly stop: () => Promise<void>;
  /** Starts it again at its address. */
  readonly start: () => Promise<void>;
  /** Asks the daemon. */
  readonly get: RunningDaemon["get"];
  readonly notifications: () => readonly Notification[];
  /** Asks Prometheus. */
  readonly query: Prometheus["query"];
  /** Share of the scrapes that succeeded, 0 to 1: without samples, silence would prove nothing. */
  readonly scraped: () => Promise<number>;
  /** Polls that came too late, of the first node of each story, which has no fault of its own: a busy machine has many. */
  readonly missed: () => Promise<number>;
  /**
   * Fast seconds that polls of the middle node took on average in nine tenths of the last minutes, at most. That half of all nodes are
   * late is the machine's doing; in the other tenth it may be that all polls began at once.
   */
  readonly delay: (minutes: number) => Promise<number>;
};

const POLLS = "avax_poll_duration_seconds";
const perNode = (field: "sum" | "count"): string => `sum by (node) (rate(${POLLS}_${field}[10m]))`;
const MIDDLE = `quantile(0.5, ${perNode("sum")} / ${perNode("count")})`;

/**
 * Has a daemon of its own ask every node once. The first answers of the networks take seconds: to the daemon of a story half of the
 * nodes would be down at first, and two more outages within the hour would be a crash loop.
 */
export async function askOnce(stories: readonly Story[], networks: Networks, compression: Compression): Promise<void> {
  const file = await writeConfig(await folder(), configOf(stories, networks, compression.factor));
  const daemon = await startDaemon([`--config.file=${file}`, "--storage.path="], { clock: compression });
  cleanUpAfter(() => daemon.child.stop());
  await vi.waitUntil(() => hasPolledAll(daemon), { timeout: 120_000, interval: 250 });
  await daemon.child.stop();
}

async function hasPolledAll(daemon: RunningDaemon): Promise<boolean> {
  const { targets } = await daemon.status();
  return targets.flatMap(({ endpoints }) => endpoints).every(({ state }) => state !== "waiting");
}

/** A daemon that polls the networks, with the shipped rules and routing. */
export async function startChain(
  { stories }: Pick<Way, "stories">,
  networks: Networks,
  compression: Compression,
): Promise<Chain> {
  const { factor } = compression;
  const at = await folder();
  const file = await writeConfig(at, configOf(stories, networks, factor));
  const port = await freePort();
  const begin = (): Promise<RunningDaemon> =>
    startDaemon([`--config.file=${file}`, "--log.level=info", `--storage.path=${at}`], { clock: compression, port });
  let daemon = await begin();
  cleanUpAfter(() => daemon.child.stop());
  const routing = compressRouting(parse(alertmanagerExample()), compression) as Routing;
  const alertmanager = await startAlertmanager(routing, true);
  cleanUpAfter(alertmanager.stop);
  const prometheus = await startPrometheus(
    { [JOB]: daemon.address, ...nativeJob(stories, daemon.address) },
    {
      rules: compressRules(rulesFile(), compression),
      alertmanager: alertmanager.address,
      every: prometheusIntervals(factor),
    },
  );
  cleanUpAfter(prometheus.stop);
  return {
    hasPolledAll: () => hasPolledAll(daemon),
    stop: () => daemon.child.stop(),
    start: async () => {
      daemon = await begin();
    },
    get: (path) => daemon.get(path),
    notifications: alertmanager.notifications,
    query: prometheus.query,
    scraped: async () => (await prometheus.value(`avg_over_time(up{job="${JOB}"}[1d])`)) ?? 0,
    missed: async () => (await prometheus.value('sum(avax_polls_missed_total{node=~".*-1"})')) ?? 0,
    delay: async (minutes) => {
      const most = `quantile_over_time(0.9, (${MIDDLE})[${minutes}m:1m])`;
      return (await prometheus.value(compressExpression(most, compression))) ?? Infinity;
    },
  };
}
