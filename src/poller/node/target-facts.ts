import type { Chain, EvmChain, Subnet, TargetFacts, WatchedValidator } from "../../api/endpoint.ts";
import type { Config, NodeConfig, SubnetConfig } from "../../config/config.ts";
import type { Part } from "../../topics/define/part.ts";

/** The identity of a node, from its own answers. */
export type Identity = { readonly nodeId: string | undefined; readonly networkName: string | undefined };

/** Whether an ID or a network was unknown before: it happens once, where a node can change them with each answer. */
export function isFirst(before: Identity, now: Identity): boolean {
  const isNew = (field: keyof Identity) => before[field] === undefined && now[field] !== undefined;
  return isNew("nodeId") || isNew("networkName");
}

/** The identity of a node that has not answered yet. */
export const UNKNOWN: Identity = { nodeId: undefined, networkName: undefined };

export type KnownNode = {
  readonly config: NodeConfig;
  readonly identity: Identity;
  /** Another node ID than before was answered at its address. */
  readonly replaced?: boolean;
};

/** The chains that every node of every network has. */
const PRIMARY_CHAINS: readonly Chain[] = ["P", "X", "C"].map((label) => ({ id: label, label, subnet: "primary" }));

/** The blockchain ID of the P-Chain on every network. */
const PLATFORM_CHAIN: Chain = { id: "11111111111111111111111111111111LpoYY", label: "P", subnet: "primary" };

/** The label `network` of a node: the configured one, else the reported one. */
function networkOf({ config, identity }: KnownNode): string | undefined {
  return config.network ?? identity.networkName;
}

/** The ID of the node that should answer: the configured one, whichever node answers, else the learned or remembered one. */
function nodeIdOf({ config, identity }: Pick<KnownNode, "config" | "identity">): string | undefined {
  return config.nodeId ?? identity.nodeId;
}

/** The networks that a node can belong to: its own, else every known one of these nodes. */
function networksOf(nodes: readonly KnownNode[]): (node: KnownNode) => ReadonlyArray<string | undefined> {
  const known = [...new Set(nodes.map(networkOf).filter((network) => network !== undefined))];
  return (node) => {
    const network = networkOf(node);
    return network === undefined ? known : [network];
  };
}

/** Returns a function that makes the facts of one of these nodes; their common part is computed once. */
export function factsReader(
  config: Config,
  nodes: readonly KnownNode[],
  part: Part = "whole",
): (node: KnownNode) => TargetFacts {
  const rings = ringsOf(nodes);
  const ownIds = new Map([...rings].map(([network, ring]) => [network, unique(ring.ids)]));
  const here = new Set(nodes.map((node) => node.config.name));
  /** Configured nodes that other processes poll. */
  const others = config.nodes.filter(({ name }) => !here.has(name));
  const known = nodes.map(networkOf).filter((network) => network !== undefined);
  // An empty text stands for a network without a name yet.
  const isOneNetwork = new Set([...known, ...others.map(({ network }) => network ?? "")]).size <= 1;
  const servedIn = served(config, [
    ...nodes.map((node) => [networkOf(node), node.config] as const),
    // A process that exports networks includes nodes of other processes.
    ...(isOfNetworks(part) ? others.map((node) => [node.network, node] as const) : []),
  ]);
  const names = nodeNames(nodes, others);
  const knownChains = [...PRIMARY_CHAINS, PLATFORM_CHAIN, ...config.subnets.flatMap(chainsOf)];
  const watchedIn = new Map(
    [...new Set(nodes.map(networkOf))].map((network) => {
      const ids = exported(config, network, ownIds.get(network) ?? [], part);
      return [network, { ids, details: detailsOf(config, ids, names.get(network)) }];
    }),
  );
  return (node) => {
    const network = networkOf(node);
    const subnets = config.subnets.filter(({ id }) => node.config.subnets.includes(id));
    return {
      node: node.config.name,
      network,
      nodeId: nodeIdOf(node),
      chains: [
        ...PRIMARY_CHAINS.filter(({ label }) => node.config.primaryChains.some((chain) => chain === label)),
        ...subnets.flatMap(chainsOf),
      ],
      knownChains,
      subnets: subnets.map(toSubnet),
      networkSubnets: [...(servedIn.get(network) ?? [])],
      watch: unique([
        ...watchedBy(config, network),
        ...observed(rings.get(network), node.config.name, config.watch.observers),
      ]),
      watchNetwork: watchedIn.get(network)?.ids ?? [],
      watchDetails: watchedIn.get(network)?.details ?? new Map(),
      watchConfigured: isOfNetworks(part) ? expected(config, network, isOneNetwork) : [],
      addresses: config.watch.addresses,
      evmChains: evmChainsOf(config, network, subnets).filter(
        ({ id }) => id !== "C" || node.config.primaryChains.includes("C"),
      ),
      evm: config.evm,
      seriesLabels: Object.fromEntries(
        Object.entries(node.config.labels).filter(([label]) => config.labelsOnSeries.includes(label)),
      ),
      options: node.config,
    };
  };
}

/** The IDs of the nodes that have one, in the order of the nodes, and the index of each node by its name. */
type Ring = { readonly ids: string[]; readonly place: Map<string, number> };

/**
 * The rings of this process's own nodes by network. A node with a configured ID whose network is not known yet is watched in
 * every known network: it is in the validator sets of its own alone.
 */
function ringsOf(nodes: readonly KnownNode[]): ReadonlyMap<string | undefined, Ring> {
  const found = new Map<string | undefined, Ring>();
  const networks = networksOf(nodes);
  for (const node of nodes) {
    const nodeId = nodeIdOf(node);
    if (nodeId === undefined) continue;
    for (const network of networks(node)) {
      const ring = found.get(network) ?? { ids: [], place: new Map<string, number>() };
      found.set(network, ring);
      ring.place.set(node.config.name, ring.ids.length);
      ring.ids.push(nodeId);
    }
  }
  return found;
}

/**
 * By network, the name of the first node with each node ID. A node with this configured ID comes before those that answer with
 * it, and among those a node that has changed its ID comes last: it can be wrong about it.
 */
function nodeNames(
  nodes: readonly KnownNode[],
  others: readonly NodeConfig[],
): ReadonlyMap<string | undefined, ReadonlyMap<string, string>> {
  const found = new Map<string | undefined, Map<string, string>>();
  const networks = networksOf(nodes);
  const namesOf = (of: readonly KnownNode[]) =>
    of.flatMap((node) =>
      networks(node).map((network) => ({ name: node.config.name, network, nodeId: nodeIdOf(node) })),
    );
  const configured = nodes.filter(({ config }) => config.nodeId !== undefined);
  const answered = nodes.filter(({ config }) => config.nodeId === undefined);
  const [changed, steady] = [true, false].map((is) => answered.filter(({ replaced = false }) => replaced === is));
  const inOrder = [...namesOf(configured), ...others, ...namesOf(steady ?? []), ...namesOf(changed ?? [])];
  for (const { network, nodeId, name } of inOrder) {
    if (nodeId === undefined) continue;
    const names = found.get(network) ?? new Map<string, string>();
    found.set(network, names);
    if (!names.has(nodeId)) names.set(nodeId, name);
  }
  return found;
}

/** Name, polled node and reward addresses of these validators. */
function detailsOf(
  { watch }: Config,
  ids: readonly string[],
  nodes: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, WatchedValidator> {
  const configured = new Map(watch.validatorDetails.map((each) => [each.nodeId, each]));
  return new Map(
    ids.map((id) => {
      const node = nodes.get(id) ?? "";
      const { name, rewardAddresses = [] } = configured.get(id) ?? {};
      return [id, { name: name ?? node, node, rewardAddresses }];
    }),
  );
}

/** Whether facts of whole networks are exported. */
const isOfNetworks = (part: Part): boolean => part === "whole" || part === "network-probe";

/** The validators whose series this process exports for a network, out of the configured ones and those of the nodes. */
function exported(config: Config, network: string | undefined, own: readonly string[], part: Part): readonly string[] {
  const configured = watchedBy(config, network);
  switch (part) {
    case "whole":
      return unique([...configured, ...own]);
    case "nodes":
      // The first shard exports the configured ones.
      return own.filter((id) => !configured.includes(id));
    case "node-probe":
      return own;
    case "network-probe":
      // A probe of the node exports the node's own validator.
      return configured;
  }
}

/** Validators that a set should contain. With several networks only those that are configured for this one. */
function expected({ watch }: Config, network: string | undefined, isOneNetwork: boolean): readonly string[] {
  return unique([...configuredFor(watch, network), ...(isOneNetwork ? watch.validators : [])]);
}

/** The configured validators of a network. */
function watchedBy({ watch }: Config, network: string | undefined): readonly string[] {
  return unique([...watch.validators, ...configuredFor(watch, network)]);
}

/** A node can call its network by the name of a property that every object has. */
function configuredFor({ validatorsByNetwork }: Config["watch"], network = ""): readonly string[] {
  return (Object.hasOwn(validatorsByNetwork, network) ? validatorsByNetwork[network] : undefined) ?? [];
}

/** By network, the configured subnets that any of its nodes serves. */
function served(
  { subnets }: Config,
  nodes: ReadonlyArray<readonly [network: string | undefined, node: NodeConfig]>,
): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  const found = new Map<string | undefined, Set<string>>();
  for (const [network, node] of nodes) {
    const ids = found.get(network) ?? new Set<string>();
    found.set(network, ids);
    for (const { id } of subnets) if (node.subnets.includes(id)) ids.add(id);
  }
  return found;
}

/**
 * The facts for questions about a network: every configured subnet that any node of the network serves, and no others. For a
 * subnet of another network a node answers with an empty set, which would read as a subnet without validators.
 */
export function networkFacts(config: Config, reference: TargetFacts): TargetFacts {
  const subnets = config.subnets.filter(({ id }) => reference.networkSubnets.includes(id));
  return {
    ...reference,
    subnets: subnets.map(toSubnet),
    chains: [...PRIMARY_CHAINS, ...subnets.flatMap(chainsOf)],
    evmChains: evmChainsOf(config, reference.network, subnets),
  };
}

/**
 * The IDs that a node observes: its own and those of the next nodes in the ring, which gives every validator the same number of
 * observers. Nodes are counted, not IDs: one that answers with the ID of another does not move the others.
 */
function observed(ring: Ring | undefined, name: string, observers: number): readonly string[] {
  const at = ring?.place.get(name);
  if (ring === undefined || at === undefined) return [];
  const { ids } = ring;
  return Array.from({ length: Math.min(observers, ids.length) }, (_, step) => ids[(at + step) % ids.length] ?? "");
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
