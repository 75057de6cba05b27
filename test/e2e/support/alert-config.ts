import { catalogueOf } from "../../../src/topics/define/catalogue.ts";
import { TOPICS } from "../../../src/topics/all/topics.ts";
import type { SimulatedHosted } from "../../../simulator/hosted/hosted.ts";
import type { Simulation } from "../../../simulator/simulate.ts";
import type { ExporterName, Fleet } from "./alert-fleets.ts";

/** A running network with the targets in it. */
export type Running = {
  readonly name: string;
  readonly fleet: Fleet;
  readonly simulation: Simulation;
  /** The TLS server in front of one node. */
  readonly tls: { readonly node: number; readonly url: string } | undefined;
};

/** Polled every minute; the others every four minutes, so that two processors suffice for an hour in a minute. */
const OFTEN: ReadonlySet<string> = new Set(["health", "evm.head", "evm.blocks", "platform.getHeight"]);
/** Endpoints that no proof needs: polled only in the network without faults. */
const NEEDLESS: ReadonlySet<string> = new Set([
  ...["health.readiness", "health.subnet", "evm.proof", "info.getNetworkID", "info.getNetworkName"],
  ...["info.getNodeIP", "info.getVMs", "info.getBlockchainID", "info.acps", "info.uptime.subnet"],
  ...["platform.getTimestamp", "platform.getCurrentSupply", "platform.getBlockchains"],
]);

/** Cadences for the fast clock: a deadline is two real seconds. */
function cadences(name: ExporterName, factor: number): Readonly<Record<string, object>> {
  const timeout = `${2 * factor}s`;
  return Object.fromEntries(
    catalogueOf(TOPICS).endpoints.map(({ id, scope }) => {
      const enabled = name === "calm" || !NEEDLESS.has(id) ? {} : { enabled: false };
      const every = OFTEN.has(id) ? "1m" : scope === "hosted" ? "10m" : "4m";
      return [id, { every, timeout, ...enabled }];
    }),
  );
}

/** Differences between the exporters, besides their targets. */
const EXTRAS: Readonly<Record<ExporterName, (hosted: SimulatedHosted) => object>> = {
  fleet: (hosted) => ({
    data_api: { url: hosted.dataUrl, chains: ["99999", "43116"], validators: [DENIED] },
    metrics_api: { url: hosted.metricsUrl, chains: ["43114"], intervals: ["day"] },
  }),
  blind: (hosted) => ({
    data_api: { url: hosted.dataUrl, chains: ["43114"], key: "an-old-key" },
    metrics_api: { url: hosted.metricsUrl, chains: ["43114"], intervals: ["day"] },
  }),
  odd: (hosted) => ({
    evm: { websocket: true, max_blocks_per_poll: 1 },
    metrics_api: {
      url: hosted.metricsUrl,
      chains: ["43114", "total", "mainnet"],
      budget: { per_minute: 200, per_day: 20_000 },
    },
  }),
  part: () => ({}),
  // When the machine halts for two seconds, a chain is ninety blocks ahead: all of them are read.
  calm: (hosted) => ({
    evm: { max_blocks_per_poll: 500 },
    data_api: { url: hosted.dataUrl, chains: ["43114"], validators: [DENIED] },
    metrics_api: { url: hosted.metricsUrl, chains: ["43114"], intervals: ["day", "hour"] },
  }),
};

/** The validator whose last staking period is unpaid in the hosted service. */
export const DENIED = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg";

const CHANGES: Readonly<Partial<Record<ExporterName, Readonly<Record<string, object>>>>> = {
  fleet: { "admin.getVMConfig": { enabled: true } },
  odd: { "platform.getBlockByHeight": { every: "20m" } },
  calm: { "evm.blocks": { every: "4m" } },
};

/** The configuration file of an exporter. */
export function configOf(
  name: ExporterName,
  running: readonly Running[],
  hosted: SimulatedHosted,
  factor: number,
): object {
  const endpoints: Record<string, object> = { ...cadences(name, factor) };
  for (const [id, change] of Object.entries<object>(CHANGES[name] ?? {}))
    endpoints[id] = { ...endpoints[id], ...change };
  return {
    nodes: running.flatMap(nodesOf),
    subnets: running.flatMap(subnetsOf),
    watch: {
      validators_by_network: Object.fromEntries(running.flatMap(validatorsOf)),
      addresses: running.flatMap(walletsOf),
    },
    endpoints,
    ...EXTRAS[name](hosted),
  };
}

function nodesOf({ name, simulation, tls }: Running): readonly object[] {
  return simulation.nodes.map(({ url }, i) => ({
    name: `${name}-${i + 1}`,
    network: name,
    ...(tls?.node === i + 1 ? { url: tls.url, tls: { insecure_skip_verify: true } } : { url }),
  }));
}

function subnetsOf({ name, fleet, simulation }: Running): readonly object[] {
  if (fleet.subnets !== true) return [];
  return simulation.subnets.map(({ id, chainId, chainName }) => ({
    id,
    name: `${name} ${chainName}`,
    network: name,
    chains: [
      { id: chainId, name: `${name}-${chainName}`, evm: true, evm_chain_id: chainName === "perm1" ? 43_001 : 43_002 },
    ],
  }));
}

/** The first validator of a network with faults and of one without, with the owners of its stakes as reward addresses. */
function validatorsOf({
  name,
  simulation,
}: Running): ReadonlyArray<readonly [network: string, entries: readonly object[]]> {
  const [first] = simulation.nodes;
  if (first === undefined || !["alpha", "calm"].includes(name)) return [];
  return [
    [name, [{ node_id: first.nodeId, name: `${name} one`, reward_addresses: simulation.wallets.map(({ p }) => p) }]],
  ];
}

function walletsOf({ name, simulation, fleet }: Running): readonly object[] {
  const [first, second] = simulation.wallets;
  if (first === undefined || second === undefined) return [];
  if (name === "alpha") return [{ address: second.c, name: "alpha-exports" }];
  if (fleet.wallets !== true) return [];
  return [
    { address: first.p, name: `${name}-p`, low: 1 },
    { address: "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC", name: `${name}-evm`, low: 1, chains: ["C"] },
  ];
}
