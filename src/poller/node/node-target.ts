import type { Client } from "../../api/transport/client.ts";
import type { Endpoint, TargetFacts } from "../../api/endpoint.ts";
import { isConnectionLost, isNodesAnswer, type Failure } from "../../api/reasons.ts";
import type { NodeConfig } from "../../config/config.ts";
import { DEFAULT_EVM } from "../../config/default-config.ts";
import type { OwnRecord } from "../../self/poll-record.ts";
import { endpointRecords, endpointStatus, type Poll } from "../poll/poll.ts";
import { backOff, nextOnGrid } from "../poll/schedule.ts";
import type { TargetStatus } from "../poll/status.ts";
import { UNKNOWN, type Identity } from "./target-facts.ts";
import type { Cadence, Target } from "../poll/target.ts";

/** One node, its connection and its polls. */
export type NodeTarget = Target & {
  readonly config: NodeConfig;
  /** A node of another shard, asked for comparison and about networks; only what it sees of others is exported. */
  readonly auxiliary: boolean;
  readonly client: Client;
  identity: Identity;
  facts: TargetFacts;
  /** The facts of its network's questions, while it is the reference node. */
  networkFacts: TargetFacts | undefined;
  readonly polls: Map<string, Poll<Endpoint<unknown>>>;
  /** By blockchain ID, whether the node announces new heads of it: kept by `subscriptions.ts`. */
  readonly sockets: Map<string, boolean>;
  /** Chains that the reference node of the network does not serve and that this node is asked about in its place. */
  delegated: ReadonlySet<string>;
  /** Since when every answer of it was behind another node's height; `undefined` when it is not behind. Unix seconds. */
  behindSince: number | undefined;
};

/** Store owner and place in the exposition of a node. */
export const nodeKey = (name: string): string => `node ${name}`;
/** Store owner and place in the exposition of a network. */
export const networkKey = (name: string): string => `network ${name}`;

/** An endpoint that a server need not have is asked again this seldom once it said so. Seconds. */
const UNSUPPORTED_RETRY = 600;
/** However long a server asks us to wait. Seconds. */
const LONGEST_RETRY = 3600;
/** Without any answer for this long a node that does not refuse the connection counts as down. Seconds. */
const SILENT_FOR = 30;

/** A node of which nothing is known yet but its configuration. */
export function newTarget(config: NodeConfig, auxiliary: boolean, connect: (target: NodeTarget) => Client): NodeTarget {
  const target: Omit<NodeTarget, "client"> = {
    named: { node: config.name },
    config,
    auxiliary,
    identity: UNKNOWN,
    facts: unknownFacts(config),
    networkFacts: undefined,
    polls: new Map<string, Poll<Endpoint<unknown>>>(),
    tallies: new Map(),
    sockets: new Map(),
    delegated: new Set(),
    up: undefined,
    lastAnswer: undefined,
    behindSince: undefined,
    closed: false,
    cadence: cadenceOf(() => target.lastAnswer !== undefined),
    ask: (poll: Poll<Endpoint<unknown>>) => ask(target as NodeTarget, poll),
    upAfter: (failure, now) => upAfter(target, failure, now),
  };
  return Object.assign(target, { client: connect(target as NodeTarget) });
}

/** Whether the node is up after a poll that ended: see the HELP of `avax_node_up`. */
export function upAfter(
  { lastAnswer }: Pick<Target, "lastAnswer">,
  failure: Failure | undefined,
  now: number,
): boolean {
  if (failure === undefined || isNodesAnswer(failure.reason)) return true;
  if (isConnectionLost(failure.reason) || failure.reason === "wrong_node") return false;
  return lastAnswer !== undefined && now - lastAnswer <= SILENT_FOR;
}

function ask(
  { config, client, facts, networkFacts }: NodeTarget,
  { endpoint, key, owner, timeout, previous }: Poll<Endpoint<unknown>>,
): Promise<unknown> {
  const about = owner === nodeKey(config.name) ? facts : (networkFacts ?? facts);
  return client.within(timeout, (api) => endpoint.ask(api, key, about, previous));
}

/** @param hasAnswered whether the node is known to answer: a 404 from anything else says that no node is there */
export function cadenceOf(hasAnswered: () => boolean): Cadence {
  return {
    // Timers may fire a millisecond early: the slot that this poll serves must not come again. A first poll lies off the
    // grid: a slot that follows it closely is served too, or it would be missed while the answer is on its way.
    sent: ({ next, every, phase }, at) => nextOnGrid(Math.max(at, next) + every / 4, every, phase),
    answered: ({ next }) => next,
    failed({ endpoint, next, every, phase, failures }, { retryAfter = 0 }, at) {
      const wait = backOff(every, "probe" in endpoint && endpoint.probe === true ? 0 : failures);
      // The grid may shorten our own wait by less than an interval, but never the server's.
      const earliest = Math.max(at + wait - every, at + Math.min(retryAfter, LONGEST_RETRY));
      return earliest > at ? nextOnGrid(earliest, every, phase) : next;
    },
    isMissing: ({ reason, status }) =>
      reason === "unsupported" || (reason === "http_status" && status === 404 && hasAnswered()),
    retryMissing: UNSUPPORTED_RETRY,
  };
}

function unknownFacts({ name, network, healthTransport, dialect, labels }: NodeConfig): TargetFacts {
  return {
    node: name,
    network,
    nodeId: undefined,
    chains: [],
    subnets: [],
    networkSubnets: [],
    watch: [],
    watchNetwork: [],
    watchConfigured: [],
    addresses: [],
    evm: DEFAULT_EVM,
    evmChains: [],
    aliases: [],
    healthTransport,
    dialect,
    labels,
  };
}

/** What the exporter knows of its own polls of a node. */
export function ownRecord({ up, sockets, polls, tallies }: NodeTarget): OwnRecord {
  return { up, sockets, endpoints: endpointRecords(polls.values(), tallies) };
}

/** The node as the status page shows it. */
export function targetStatus({ config, facts, identity, up, polls }: NodeTarget): TargetStatus {
  return {
    name: config.name,
    url: config.url,
    network: facts.network,
    nodeId: identity.nodeId,
    up,
    endpoints: [...polls.values()].map(endpointStatus),
  };
}
