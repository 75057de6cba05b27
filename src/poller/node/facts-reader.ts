import { isDeepStrictEqual } from "node:util";
import type { Chain, EvmChain, KnownNetwork, TargetFacts, WatchedValidator } from "../../api/endpoint.ts";
import { knownNetworkOf } from "../../api/node/network-names.ts";
import type { Config, NodeConfig, SubnetConfig } from "../../config/config.ts";
import type { Part } from "../../topics/define/part.ts";

/** The identity of a node, from its own answers. */
export type Identity = {
  readonly nodeId: string | undefined;
  readonly networkName: string | undefined;
  readonly networkId?: number | undefined;
};

/** Whether an ID or a network was unknown before: it happens once, where a node can change them with each answer. */
export function isFirst(before: Identity, now: Identity): boolean {
  const isNew = (field: keyof Identity) => before[field] === undefined && now[field] !== undefined;
  return isNew("nodeId") || isNew("networkName") || isNew("networkId");
}

/** The identity of a node that has not answered yet. */
export const UNKNOWN: Identity = { nodeId: undefined, networkName: undefined };

export type KnownNode = {
  readonly config: NodeConfig;
  readonly identity: Identity;
  /** Another node ID than before was answered at its address. */
  readonly replaced?: boolean;
  /** It answers with the ID of another configured node, whose standby it is. */
  readonly standsIn?: boolean;
};

/** The chains that every node of every network has. */
const PRIMARY_CHAINS: readonly Chain[] = ["P", "X", "C"].map((label) => ({ id: label, label, subnet: "primary" }));

/** The blockchain ID of the P-Chain on every network. */
const PLATFORM_CHAIN: Chain = { id: "11111111111111111111111111111111LpoYY", label: "P", subnet: "primary" };

/** The label `network` of a node: the configured one, else the reported one. */
function networkOf({ config, identity }: KnownNode): string | undefined {
  return config.network ?? identity.networkName;
}

/** The ID of the node that should answer: the configured one, whichever node answers, else the learned or remembered one; of a standby in action that of the other node. */
function nodeIdOf({ config, identity, standsIn }: KnownNode): string | undefined {
  return (standsIn === true ? undefined : config.nodeId) ?? identity.nodeId;
}

/** What the nodes of one network have in common. */
type Common = Pick<TargetFacts, "networkSubnets" | "watchNetwork" | "watchDetails" | "watchConfigured">;
/** By network. */
export type CommonFacts = Map<string | undefined, Common>;

/**
 * Returns a function that makes the facts of one of these nodes; what a network's nodes have in common is computed once.
 * @param former what networks had in common before: where it is still the same it stays the same object, because topics are read
 *   again when facts change, and comparing the lists of a thousand validators for each of a thousand nodes takes long
 */
export function factsReader(
  config: Config,
  nodes: readonly KnownNode[],
  part: Part = "whole",
  former: CommonFacts = new Map(),
): (node: KnownNode) => TargetFacts {
  const here = new Set(nodes.map((node) => node.config.name));
  /** Configured nodes that other processes poll. */
  const others = config.nodes
    .filter(({ name }) => !here.has(name))
    .map((other): KnownNode => ({ config: other, identity: UNKNOWN }));
  const known = nodes.map(networkOf).filter((network) => network !== undefined);
  // An empty text stands for a network without a name yet.
  const isOneNetwork = new Set([...known, ...others.map((other) => networkOf(other) ?? "")]).size <= 1;
  // A process that exports networks includes nodes of other processes.
  const servers = isOfNetworks(part) ? [...nodes, ...others] : nodes;
  const knownChains = [...PRIMARY_CHAINS, PLATFORM_CHAIN, ...config.subnets.flatMap(chainsOf)];
  const subnetNames = new Map(
    config.subnets.flatMap(({ id, name }) => (name === undefined || name === id ? [] : [[id, name] as const])),
  );
  const networks = new Map([...new Set(nodes.map(networkOf))].map((network) => [network, readNetwork(network)]));

  for (const network of former.keys()) if (!networks.has(network)) former.delete(network);

  function readNetwork(network: string | undefined) {
    const ring = membersOf(network, nodes);
    const names = namesOf([...ring, ...membersOf(network, others)]);
    const listed = configuredFor(config, network);
    const watched = unique([...config.watch.validators, ...listed]);
    // A probe of the network leaves the node's own validator to a probe of the node, a shard the configured ones to the first one.
    const own = part === "network-probe" ? [] : ring.map(({ nodeId }) => nodeId);
    const watchNetwork = unique([
      ...(isOfNetworks(part) ? watched : []),
      ...own.filter((id) => part !== "nodes" || !watched.includes(id)),
    ]);
    const served = servers.filter((node) => networkOf(node) === network).flatMap((node) => node.config.subnets);
    const made: Common = {
      networkSubnets: config.subnets.map(({ id }) => id).filter((id) => served.includes(id)),
      watchNetwork,
      watchDetails: detailsOf(config, unique([...watched, ...watchNetwork]), names),
      // Validators that a set should contain: with several networks only those that are configured for this one.
      watchConfigured: isOfNetworks(part) ? (isOneNetwork ? watched : listed) : [],
    };
    const before = former.get(network);
    const common = before !== undefined && isDeepStrictEqual(before, made) ? before : made;
    former.set(network, common);
    return { ring, place: new Map(ring.map(({ name }, at) => [name, at])), watched, common };
  }

  return (node) => {
    const network = networkOf(node);
    const knownNetwork = knownNetworkOf(node.identity.networkId, network);
    const { ring, place, watched, common } = networks.get(network) ?? readNetwork(network);
    const subnets = config.subnets.filter(({ id }) => node.config.subnets.includes(id));
    return {
      ...common,
      node: node.config.name,
      network,
      knownNetwork,
      nodeId: nodeIdOf(node),
      chains: [
        ...PRIMARY_CHAINS.filter(({ label }) => node.config.primaryChains.some((chain) => chain === label)),
        ...subnets.flatMap(chainsOf),
      ],
      knownChains,
      subnets,
      watch: unique([...watched, ...observed(ring, place.get(node.config.name), config.watch.observers)]),
      subnetNames,
      addresses: config.watch.addresses,
      evmChains: evmChainsOf(config, knownNetwork, subnets).filter(
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

/** A node of a network that has an ID. */
type Member = { readonly name: string; readonly nodeId: string; readonly doubt: number };

/**
 * The nodes of a network that have an ID, in the order of the nodes. One with a configured ID whose network is not known yet belongs
 * to every known network: it is in the validator sets of its own alone.
 */
function membersOf(network: string | undefined, nodes: readonly KnownNode[]): readonly Member[] {
  if (network === undefined) return [];
  return nodes.flatMap((node) => {
    const nodeId = nodeIdOf(node);
    if (nodeId === undefined || (networkOf(node) ?? network) !== network) return [];
    const doubt = node.config.nodeId === nodeId ? 0 : node.replaced === true ? 2 : 1;
    return [{ name: node.config.name, nodeId, doubt }];
  });
}

/**
 * The name of the first node with each node ID. A node with this configured ID comes before those that answer with it, and among
 * those a node that has changed its ID comes last: it can be wrong about it.
 */
function namesOf(members: readonly Member[]): ReadonlyMap<string, string> {
  const lastFirst = members.toSorted((a, b) => a.doubt - b.doubt).toReversed();
  return new Map(lastFirst.map(({ nodeId, name }) => [nodeId, name]));
}

/** Name, polled node and reward addresses of these validators. */
function detailsOf(
  { watch }: Config,
  ids: readonly string[],
  nodes: ReadonlyMap<string, string>,
): ReadonlyMap<string, WatchedValidator> {
  const configured = new Map(watch.validatorDetails.map((detail) => [detail.nodeId, detail]));
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

/** The validators that are configured for one network. A node can call its network by the name of a property that every object has. */
function configuredFor({ watch: { validatorsByNetwork } }: Config, network = ""): readonly string[] {
  return (Object.hasOwn(validatorsByNetwork, network) ? validatorsByNetwork[network] : undefined) ?? [];
}

/**
 * The facts for questions about a network: every configured subnet that any node of the network serves, and no others. For a
 * subnet of another network a node answers with an empty set, which would read as a subnet without validators.
 */
export function networkFacts(config: Config, reference: TargetFacts): TargetFacts {
  const subnets = config.subnets.filter(({ id }) => reference.networkSubnets.includes(id));
  return {
    ...reference,
    subnets,
    chains: [...PRIMARY_CHAINS, ...subnets.flatMap(chainsOf)],
    evmChains: evmChainsOf(config, reference.knownNetwork, subnets),
  };
}

/**
 * The IDs that a node observes: its own and those of the next nodes in the ring, which gives every validator the same number of
 * observers. Nodes are counted, not IDs: one that answers with the ID of another does not move the others.
 * @param at its place in the ring; `undefined` without an ID
 */
function observed(ring: readonly Member[], at: number | undefined, observers: number): readonly string[] {
  if (at === undefined) return [];
  const next = [...ring.slice(at, at + observers), ...ring.slice(0, Math.min(at, observers))];
  return next.slice(0, observers).map(({ nodeId }) => nodeId);
}

function chainsOf({ id: subnet, chains }: SubnetConfig): readonly Chain[] {
  return chains.map(({ id, name }) => ({ id, label: name ?? id, subnet }));
}

/** EVM chain IDs of the C-Chain by network. */
const C_CHAIN_IDS: Readonly<Record<KnownNetwork, number>> = { mainnet: 43114, fuji: 43113, local: 43112 };

function evmChainsOf(
  { evm }: Config,
  network: KnownNetwork | undefined,
  subnets: readonly SubnetConfig[],
): readonly EvmChain[] {
  const chainId = evm.cChainId ?? (network && C_CHAIN_IDS[network]);
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
