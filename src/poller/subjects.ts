import type { Chain, EvmChain, Subject, Subnet } from "../api/endpoint.ts";
import type { Config, NodeConfig, SubnetConfig } from "../config/config.ts";

/** What a node told about itself since it is polled. */
export type Learned = { readonly nodeId: string | undefined; readonly networkName: string | undefined };

export type KnownNode = { readonly config: NodeConfig; readonly learned: Learned };

/** The chains that every node of every network has. */
const PRIMARY_CHAINS: readonly Chain[] = ["P", "X", "C"].map((label) => ({ id: label, label, subnet: "primary" }));

/** The label `network` of a node: configured, else what the node says. */
export function networkOf({ config, learned }: KnownNode): string | undefined {
  return config.network ?? learned.networkName;
}

/** What is known about each node, in the order of the configuration. */
export function subjectsOf(config: Config, nodes: readonly KnownNode[]): readonly Subject[] {
  const ownIds = new Map<string, string[]>();
  for (const node of nodes) {
    const network = networkOf(node);
    const { nodeId } = node.learned;
    if (network === undefined || nodeId === undefined) continue;
    const ids = ownIds.get(network) ?? [];
    if (!ids.includes(nodeId)) ids.push(nodeId);
    ownIds.set(network, ids);
  }
  const labels = new Set(nodes.map(networkOf).filter((network) => network !== undefined));
  const watchedIn = new Map(
    [...ownIds].map(([network, ids]) => [network, unique([...named(config, network), ...ids])]),
  );
  const servedIn = served(config, nodes);
  const place = new Map([...ownIds].map(([network, ids]) => [network, new Map(ids.map((id, index) => [id, index]))]));
  return nodes.map((node) => {
    const network = networkOf(node);
    const ids = (network === undefined ? undefined : ownIds.get(network)) ?? [];
    const at = network === undefined ? undefined : place.get(network)?.get(node.learned.nodeId ?? "");
    const subnets = config.subnets.filter(({ id }) => node.config.subnets.includes(id));
    return {
      node: node.config.name,
      network,
      nodeId: node.learned.nodeId,
      chains: [
        ...PRIMARY_CHAINS.filter(({ label }) => node.config.primaryChains.some((chain) => chain === label)),
        ...subnets.flatMap(chainsOf),
      ],
      subnets: subnets.map(toSubnet),
      networkSubnets: [...(servedIn.get(network) ?? [])],
      watch: unique([
        ...named(config, network),
        ...(at === undefined ? [] : witnessed(ids, at, config.watch.witnesses)),
      ]),
      watchNetwork: (network === undefined ? undefined : watchedIn.get(network)) ?? named(config, network),
      // With several networks nobody knows which of them a validator without one is expected in.
      watchConfigured: unique([
        ...(config.watch.validatorsByNetwork[network ?? ""] ?? []),
        ...(labels.size > 1 ? [] : config.watch.validators),
      ]),
      addresses: config.watch.addresses,
      evmChains: evmChainsOf(config, network, subnets).filter(
        ({ id }) => id !== "C" || node.config.primaryChains.includes("C"),
      ),
      evm: config.evm,
      aliases: node.config.aliases,
      healthTransport: node.config.healthTransport,
      dialect: node.config.dialect,
      labels: node.config.labels,
    };
  });
}

/** Node IDs that the configuration names for a network. */
function named({ watch }: Config, network: string | undefined): readonly string[] {
  return unique([...watch.validators, ...(watch.validatorsByNetwork[network ?? ""] ?? [])]);
}

/** By network, the subnets that any of its nodes serves. */
function served(
  { subnets }: Config,
  nodes: readonly KnownNode[],
): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  const found = new Map<string | undefined, Set<string>>();
  for (const node of nodes) {
    const network = networkOf(node);
    const ids = found.get(network) ?? new Set<string>();
    found.set(network, ids);
    for (const { id } of subnets) if (node.config.subnets.includes(id)) ids.add(id);
  }
  return found;
}

/**
 * What is known about a network when its speaker is asked: every configured subnet that any node of the network serves. A
 * node answers with an empty set for a subnet that its network does not have, which would read as a subnet without validators.
 */
export function networkSubject(config: Config, speaker: Subject): Subject {
  const subnets = config.subnets.filter(({ id }) => speaker.networkSubnets.includes(id));
  return {
    ...speaker,
    subnets: subnets.map(toSubnet),
    chains: [...PRIMARY_CHAINS, ...subnets.flatMap(chainsOf)],
    evmChains: evmChainsOf(config, speaker.network, subnets),
  };
}

/** The IDs that the node at `at` looks at: a ring, so that each is seen by as many nodes and no node by all. */
function witnessed(ids: readonly string[], at: number, witnesses: number): readonly string[] {
  return Array.from({ length: Math.min(witnesses, ids.length) }, (_, step) => ids[(at + step) % ids.length] ?? "");
}

function toSubnet({ id, name, uptimeRequirement }: SubnetConfig): Subnet {
  return { id, name, uptimeRequirement };
}

function chainsOf({ id: subnet, chains }: SubnetConfig): readonly Chain[] {
  return chains.map(({ id, name }) => ({ id, label: name ?? id, subnet }));
}

/** EVM chain IDs of the C-Chain by network. */
const C_CHAIN_IDS: Readonly<Record<string, number>> = { mainnet: 43114, fuji: 43113, local: 43112 };

function evmChainsOf(
  { evm }: Config,
  network: string | undefined,
  subnets: readonly SubnetConfig[],
): readonly EvmChain[] {
  const chainId = evm.cChainId ?? C_CHAIN_IDS[network ?? ""];
  return [
    { id: "C", label: "C", subnet: "primary", chainId },
    ...subnets.flatMap(({ id: subnet, chains }) =>
      chains
        .filter((chain) => chain.evm)
        .map(({ id, name, evmChainId }) => ({ id, label: name ?? id, subnet, chainId: evmChainId })),
    ),
  ];
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
