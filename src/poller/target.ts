import type { Client } from "../api/transport/client.ts";
import type { Endpoint, Subject } from "../api/endpoint.ts";
import type { EndpointRecord, OwnRecord } from "../self/poll-record.ts";
import { isConnectionLost, isNodesAnswer, type Failure, type Reason } from "../api/reasons.ts";
import type { NodeConfig } from "../config/config.ts";
import { DEFAULT_EVM } from "../config/default-config.ts";
import type { EndpointStatus, TargetStatus } from "./status.ts";
import type { Learned } from "./subjects.ts";

/** One question to one node, with its place on the grid and how it went so far. Times are Unix seconds. */
export type Poll = {
  readonly endpoint: Endpoint<unknown>;
  readonly key: string;
  /** Whose answer it is in the store: the node, or the network that it speaks for. */
  readonly owner: string;
  every: number;
  timeout: number;
  phase: number;
  next: number;
  running: boolean;
  /** Whether it is to be asked again as soon as the poll under way has ended: its question has changed meanwhile. */
  again: boolean;
  cancel: (() => void) | undefined;
  lastAttempt: number | undefined;
  lastSuccess: number | undefined;
  /** Failures in a row. */
  failures: number;
  unsupported: boolean;
  error: Failure | undefined;
  /** When the answer arrived that the store holds for it; `undefined` when it holds none. */
  heldSince: number | undefined;
  /** The last answer, for endpoints that follow something: kept beyond the answer's freshness, dropped when another node answers. */
  previous: unknown;
};

/** Polls of one endpoint since the start, all its keys together. */
export type Tally = { polls: number; readonly failures: Map<Reason, number> };

/** One node, its connection and its polls. */
export type Target = {
  readonly config: NodeConfig;
  /** A node of another shard, asked for comparison and about networks; nothing is told of it but what it sees of others. */
  readonly helps: boolean;
  readonly client: Client;
  learned: Learned;
  subject: Subject;
  /** The subject of its network's questions, while it is the speaker. */
  speaksFor: Subject | undefined;
  readonly polls: Map<string, Poll>;
  readonly tallies: Map<string, Tally>;
  /** By blockchain ID, whether the node announces new heads of it: kept by `subscriptions.ts`. */
  readonly sockets: Map<string, boolean>;
  /** Chains that the speaker of the network does not serve and that this node is asked about in its place. */
  delegated: ReadonlySet<string>;
  up: boolean | undefined;
  /** When it last answered, with what was asked or with an error of its own. Unix seconds. */
  lastAnswer: number | undefined;
  behindSince: number | undefined;
  closed: boolean;
};

/** Without any answer for this long a node that does not refuse the connection counts as down. Seconds. */
const SILENT_FOR = 30;

/** Whether the node is up after a poll that ended: see the HELP of `avax_node_up`. */
export function upAfter(target: Target, failure: Failure | undefined, now: number): boolean {
  if (failure === undefined || isNodesAnswer(failure.reason)) return true;
  if (isConnectionLost(failure.reason) || failure.reason === "wrong_node") return false;
  return target.lastAnswer !== undefined && now - target.lastAnswer <= SILENT_FOR;
}

/** Groups polls by endpoint, in the order in which they were planned. */
function byEndpoint(target: Target): ReadonlyMap<string, readonly Poll[]> {
  const groups = new Map<string, Poll[]>();
  for (const poll of target.polls.values()) {
    const group = groups.get(poll.endpoint.id);
    if (group === undefined) groups.set(poll.endpoint.id, [poll]);
    else group.push(poll);
  }
  return groups;
}

/** What the exporter knows of its own polls of a node. */
export function ownRecord(target: Target): OwnRecord {
  return {
    up: target.up,
    sockets: target.sockets,
    endpoints: [...byEndpoint(target)].map(([id, polls]) => endpointRecord(id, polls, target.tallies.get(id))),
  };
}

function endpointRecord(id: string, polls: readonly Poll[], tally: Tally | undefined): EndpointRecord {
  const tried = polls.filter(({ lastAttempt }) => lastAttempt !== undefined);
  const supported = tried.filter(({ unsupported }) => !unsupported);
  const successes = supported.map(({ lastSuccess }) => lastSuccess).filter((at) => at !== undefined);
  return {
    id,
    optional: polls[0]?.endpoint.optional === true,
    every: polls[0]?.every ?? 0,
    up: supported.length === 0 ? undefined : supported.every(({ error }) => error === undefined),
    supported: tried.length === 0 ? undefined : supported.length > 0,
    lastSuccess: supported.length === 0 || successes.length < supported.length ? undefined : Math.min(...successes),
    polls: tally?.polls ?? 0,
    failures: tally?.failures ?? new Map(),
  };
}

/** The node as the status page shows it. */
export function targetStatus(target: Target): TargetStatus {
  return {
    name: target.config.name,
    url: target.config.url,
    network: target.subject.network,
    nodeId: target.learned.nodeId,
    up: target.up,
    endpoints: [...target.polls.values()].map(endpointStatus),
  };
}

function endpointStatus(poll: Poll): EndpointStatus {
  return {
    id: poll.endpoint.id,
    key: poll.key,
    state: stateOf(poll),
    every: poll.every,
    lastAttempt: poll.lastAttempt,
    lastSuccess: poll.lastSuccess,
    next: poll.next,
    failures: poll.failures,
    error: poll.error,
  };
}

function stateOf({ lastAttempt, unsupported, error }: Poll): EndpointStatus["state"] {
  if (lastAttempt === undefined) return "waiting";
  if (unsupported) return "unsupported";
  return error === undefined ? "ok" : "failing";
}

/** A node of which nothing is known yet but its configuration. */
export function newTarget(config: NodeConfig, helps: boolean, connect: (target: Target) => Client): Target {
  const target: Omit<Target, "client"> = {
    config,
    helps,
    learned: { nodeId: undefined, networkName: undefined },
    subject: {
      node: config.name,
      network: config.network,
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
      healthTransport: config.healthTransport,
      dialect: config.dialect,
      labels: config.labels,
    },
    speaksFor: undefined,
    polls: new Map(),
    tallies: new Map(),
    sockets: new Map(),
    delegated: new Set(),
    up: undefined,
    lastAnswer: undefined,
    behindSince: undefined,
    closed: false,
  };
  return Object.assign(target, { client: connect(target as Target) });
}
