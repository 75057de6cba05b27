import { bounded } from "../../api/bounded.ts";
import type { Client, Connect } from "../../api/transport/client.ts";
import type { Connection } from "../../api/transport/connection.ts";
import type { LiveSocket } from "../../api/transport/live-socket.ts";
import type { Endpoint, Source, TargetFacts } from "../../api/endpoint.ts";
import { BlockchainId, IsBootstrapped, NetworkId, NetworkName, NodeId } from "../../api/node/info.ts";
import { Health } from "../../api/node/health.ts";
import { NETWORK_NAMES } from "../../api/node/network-names.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import { type Poll, isUntried } from "../poll/poll.ts";
import type { Target } from "../poll/target.ts";
import type { RememberedNode } from "../poll/memory.ts";
import { checkWords } from "../../topics/node/check-words.ts";
import type { Reach } from "../../topics/reach.ts";
import { longestDeadline } from "../poll/schedule.ts";
import type { Store } from "../poll/store.ts";
import type { NodeLog } from "../poll/log-limit.ts";
import { servedBy } from "../poll/served-by.ts";
import type { TopicStates } from "../poll/topic-states.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Catalogue } from "../../topics/define/catalogue.ts";
import type { Part } from "../../topics/define/part.ts";
import type { Identity } from "./facts-reader.ts";

/** One node, its connection and its polls. */
export type NodeTarget = Target & {
  readonly config: NodeConfig;
  /** Owner of its answers in the store, and target of its series. */
  readonly key: string;
  readonly client: Client;
  identity: Identity;
  /** When a process before this one, or the target before this one, had the identity confirmed. Unix seconds. */
  readonly rememberedAt: number | undefined;
  /** Whether the last answer with a node ID had the configured one, and when it came; `undefined` without a configured ID. */
  idMatch: { readonly matches: boolean; readonly at: number } | undefined;
  /** Whether it answers, and its last outages. */
  reach: Reach;
  /** Whether another node ID than before was answered at its address. */
  replaced: boolean;
  /** Whether it answers with the ID of another configured node, whose standby it is. */
  standsIn: boolean;
  facts: TargetFacts;
  /** The facts for questions about its network. */
  networkFacts: TargetFacts | undefined;
  readonly polls: Map<string, Poll<Endpoint<unknown>>>;
  /** By blockchain ID, the socket for new heads. */
  readonly sockets: Map<string, HeadSocket>;
  /** Of the last TLS connection to its API; `undefined` before the first one and with plain HTTP. Unix seconds. */
  certificateExpiry: number | undefined;
  /** Since when its height has been behind another node's; `undefined` when it keeps up. Unix seconds. */
  behindSince: number | undefined;
  /** Its last P-Chain height that was believed, when it was first answered, and whether an earlier one was lower. */
  height: { readonly height: number; readonly since: number; readonly at: number; readonly moves: boolean } | undefined;
};

/** A socket on which a node announces the heads of a chain, or the wait for one. */
export type HeadSocket = {
  readonly chain: string;
  /** `undefined` until the first attempt has ended. */
  up: boolean | undefined;
  socket: LiveSocket | undefined;
  failures: number;
  receivedAt: number;
  cancel: () => void;
};

export const areSocketsTried = ({ targets }: PollerState): boolean =>
  targets.values().every(({ sockets }) => sockets.values().every(({ up }) => up !== undefined));

/** Store owner and exposition target of a node. */
export const nodeKey = (name: string): string => `node ${name}`;
/** Store owner and exposition target of a network. */
export const networkKey = (name: string): string => `network ${name}`;

/** Target of the comparisons of all nodes, and owner of their states. */
export const EVERY_NODE = "every node";

/** A question about a network with the node that is asked, and those that could not answer, with the time. */
export type NetworkQuestion = {
  readonly endpoint: Endpoint<unknown>;
  readonly key: string;
  readonly holder: NodeTarget | undefined;
  readonly unable: ReadonlyMap<NodeTarget, number>;
};

/** The nodes with one label `network`, and their common state. */
export type PolledNetwork = {
  readonly name: string;
  /** In the order of the configuration. */
  members: readonly NodeTarget[];
  /** Name of the reference node; `undefined` while there is none. */
  reference: string | undefined;
  /** By name of the poll. */
  questions: ReadonlyMap<string, NetworkQuestion>;
  /** The facts of the present reference node, else of the last one: its answers count until they are too old. */
  facts: TargetFacts | undefined;
  /** Highest P-Chain height of the nodes' last answers, as far as it is believed. */
  highest: number;
  /** Name of the node whose height is not believed. */
  doubted: string | undefined;
};

/** What the services of a poller share: their surroundings, and what is known. */
export type PollerState = {
  readonly catalogue: Catalogue;
  readonly part: Part;
  readonly attended: boolean;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly log: Log;
  /** Lines about nodes. */
  readonly lines: NodeLog;
  readonly store: Store;
  readonly states: TopicStates;
  /** `undefined` until one is applied; there are no targets before. */
  config: Config | undefined;
  /** By name, in the order of the configuration. */
  readonly targets: Map<string, NodeTarget>;
  networks: ReadonlyMap<string, PolledNetwork>;
  /** The identities of nodes without a target, by name, for the next targets of the same names and URLs. */
  readonly remembered: Map<string, RememberedNode>;
  /** Made again, when it is asked for, after a configuration or an identity has changed. */
  namesById: ReadonlyMap<string | undefined, readonly string[]> | undefined;
  /** Number of nodes with new polls after the last configuration; their first polls are spread over time. */
  joining: number;
};

/** The applied configuration. @throws before one is applied */
export function configOf({ config }: PollerState): Config {
  if (config === undefined) throw new Error("no configuration is applied yet");
  return config;
}

/** The names of the nodes by their IDs: the configured ones, also of nodes that other processes poll, else those that were answered. */
function namesById({ config, targets }: PollerState): ReadonlyMap<string | undefined, readonly string[]> {
  const learned = [...targets.values()].filter((target) => target.config.nodeId === undefined);
  const known = [
    ...(config?.nodes ?? []).map(({ name, nodeId }) => ({ name, nodeId })),
    ...learned.map((target) => ({ name: target.config.name, nodeId: target.identity.nodeId })),
  ];
  return new Map(
    [...Map.groupBy(known, ({ nodeId }) => nodeId)].map(([id, some]) => [id, some.map(({ name }) => name)]),
  );
}

/**
 * Whether a node that answers with this ID is the standby of another configured one: of the declared one, or of one that does not
 * answer with its ID itself, as far as this process polls it. For the operator whose spare machine takes over: the validator runs, and is
 * to be watched there.
 */
export function standsInFor(state: PollerState, { config }: NodeTarget, nodeId: string): boolean {
  if (nodeId === config.nodeId) return false;
  // Asked at each answer that carries an ID, by far the most without a change: a thousand nodes are not looked through for each.
  state.namesById ??= namesById(state);
  const names = state.namesById.get(nodeId) ?? [];
  return names.some((name) => {
    if (name === config.name) return false;
    const { up, identity } = state.targets.get(name) ?? {};
    return config.standbyOf === name || up !== true || identity?.nodeId !== nodeId;
  });
}

/** How a node is reached, and which node is expected there. */
export function connectionOf(state: PollerState, target: NodeTarget): Connection {
  const { config } = target;
  return {
    ...config,
    expectNodeId: config.nodeId,
    acceptsNodeId: (nodeId) => standsInFor(state, target, nodeId),
    connectTimeout: longestDeadline(configOf(state)),
  };
}

/** The failing checks of a node and their errors, for the log. */
export const failingText = (store: Store, target: NodeTarget, now: number): string =>
  bounded([...wordsOf(store, target, now)].map(([check, error]) => `${check}: ${error}`).join("; "), 1000);

/** What a poll and its node show, before and after the end of the poll. */
export type Shown = {
  readonly up: boolean | undefined;
  readonly healthy: boolean;
  /** Whether the poll asks if a chain is bootstrapped, and the last answer is that it is not. */
  readonly bootstrapping: boolean;
  /** What the last answer shows of the node's software and configuration. */
  readonly served: string | undefined;
  readonly failures: number;
};

export function shownBy(store: Store, { key: own, up }: NodeTarget, poll: Poll, now: number): Shown {
  const { endpoint, owner, key } = poll.plan;
  return {
    up,
    healthy: store.get(own, Health, now)?.value.healthy !== false,
    bootstrapping:
      endpoint.id === IsBootstrapped.id && store.get(owner, IsBootstrapped, now, key)?.value.isBootstrapped === false,
    served: servedBy(store, poll, now),
    failures: poll.state.failures,
  };
}

/** What a node reports of one of its failing checks. */
export function wordsAbout(
  { targets, store }: PollerState,
  node: string,
  check: string,
  now: number,
): string | undefined {
  const target = targets.get(node);
  return target && wordsOf(store, target, now).get(check);
}

/** What a node reports of its failing checks, by their labels. */
function wordsOf(store: Store, { key, facts }: NodeTarget, now: number): ReadonlyMap<string, string> {
  const report = store.get(key, Health, now)?.value;
  return report === undefined ? new Map() : checkWords(report, facts, store.all(key, BlockchainId, now));
}

/** The network of a node, once its label is known. */
export const networkOf = ({ networks }: PollerState, { facts }: NodeTarget): PolledNetwork | undefined =>
  networks.get(facts.network ?? "");

/** Whether a node is the reference node of its network. */
export const isReference = (state: PollerState, target: NodeTarget): boolean =>
  networkOf(state, target)?.reference === target.config.name;

/** Whether an endpoint names the network of a node. */
const namesNetwork = ({ id }: Pick<Source<unknown>, "id">): boolean => id === NetworkId.id || id === NetworkName.id;

/**
 * Whether the label `network` of a node is settled: it is known, or the node was polled for it and gave no answer. Series that
 * were exported before would go on under other labels.
 */
export function isLabelled({ facts, identity, polls }: NodeTarget): boolean {
  if (facts.network !== undefined) return true;
  // A name that was learned reaches the facts with the next reconcile.
  if (identity.networkName !== undefined) return false;
  return [...polls.values()].every(({ plan, state }) => !isUntried(state) || !namesNetwork(plan.endpoint));
}

/** "'testnet' and 'fuji' denote the same network" in the specification: one label, so that series join. */
const named = (name: string | undefined): string | undefined => (name === "testnet" ? "fuji" : name);

/** Whether an answer of this endpoint can change the identity of a node. */
export const identifies = (endpoint: Pick<Source<unknown>, "id">): boolean =>
  endpoint.id === NodeId.id || namesNetwork(endpoint);

/** The identity of a node after an answer. */
export function identityAfter(store: Store, { key, identity }: NodeTarget, now: number): Identity {
  const networkId = store.get(key, NetworkId, now)?.value.networkID ?? identity.networkId;
  // The network ID stands in until an answer with the name arrives.
  const numbered = networkId === undefined ? undefined : (NETWORK_NAMES[networkId] ?? `network-${networkId}`);
  return {
    nodeId: store.get(key, NodeId, now)?.value.nodeID ?? identity.nodeId,
    networkName: named(store.get(key, NetworkName, now)?.value.networkName) ?? identity.networkName ?? numbered,
    networkId,
  };
}

/** Groups the nodes by network, without those of an unknown one. A known network keeps its state, one without nodes is forgotten. */
export function regroup(state: PollerState, now: number): void {
  const before = state.networks;
  const questions: PolledNetwork["questions"] = new Map();
  const unknown = { reference: undefined, facts: undefined, highest: 0, doubted: undefined, questions };
  const labelled = [...state.targets.values()].filter(({ facts }) => facts.network !== undefined);
  const groups = Map.groupBy(labelled, ({ facts }) => facts.network ?? "");
  state.networks = new Map(
    [...groups].map(([name, members]) => [name, Object.assign(before.get(name) ?? { ...unknown, name }, { members })]),
  );
  for (const name of before.keys()) {
    if (groups.has(name)) continue;
    state.store.deleteOwner(networkKey(name));
    // Its last node is possibly replaced by one with other settings.
    state.states.setAside(networkKey(name), now);
  }
}
