import type { Endpoint, EvmSettings, TargetFacts } from "../../api/endpoint.ts";
import type { Client } from "../../api/transport/client.ts";
import { isConnectionLost, isNodesAnswer, reasonsOf, type Failure } from "../../api/reasons.ts";
import type { NodeConfig } from "../../config/config.ts";
import { addressOf, type RememberedNode } from "../poll/memory.ts";
import type { Poll } from "../poll/poll.ts";
import { backOff, nextSlot } from "../poll/schedule.ts";
import { endpointStatus, type TargetStatus } from "../poll/status.ts";
import type { Cadence } from "../poll/target.ts";
import { nodeKey, type NodeTarget } from "./state.ts";
import { UNKNOWN } from "./target-facts.ts";

/** Seconds until an optional endpoint that the node does not have is polled again. */
const UNSUPPORTED_RETRY = 600;
/** Seconds since its last answer while an endpoint that seems to be missing keeps its cadence: a proxy that lost it finds it again. */
const MISSED_FOR = 3600;
/** Upper bound of a server's Retry-After. Seconds. */
const LONGEST_RETRY = 3600;
/** Seconds without an answer after which a node counts as down although it accepts connections. */
const SILENT_FOR = 30;

/** The target of a node that has not answered yet; its remembered identity holds until it does. */
export function newTarget(
  config: NodeConfig,
  evm: EvmSettings,
  auxiliary: boolean,
  remembered: RememberedNode | undefined,
  stretch: number,
  connect: (target: NodeTarget) => Client,
): NodeTarget {
  const target: Omit<NodeTarget, "client"> = {
    named: { node: config.name },
    config,
    auxiliary,
    address: addressOf(config.url),
    reasons: reasonsOf(config),
    identity: remembered === undefined ? UNKNOWN : { nodeId: remembered.nodeId, networkName: remembered.networkName },
    rememberedAt: remembered?.confirmedAt,
    idMatch: undefined,
    confirmations: undefined,
    polledAgainAt: 0,
    replaced: false,
    facts: unknownFacts(config, evm),
    networkFacts: undefined,
    polls: new Map<string, Poll<Endpoint<unknown>>>(),
    tallies: new Map(),
    sockets: new Map(),
    certificateExpiry: undefined,
    delegated: new Set(),
    up: undefined,
    lastAnswer: undefined,
    judgedAt: undefined,
    missed: { running: 0, overloaded: 0 },
    stretch,
    behindSince: undefined,
    closed: false,
    cadence: cadenceOf(() => target.lastAnswer !== undefined),
    ask: (poll: Poll<Endpoint<unknown>>) => ask(target as NodeTarget, poll),
    upAfter: (failure, now) => upAfter(target.lastAnswer, failure, now, target.stretch),
  };
  return Object.assign(target, { client: connect(target as NodeTarget) });
}

/**
 * Whether the node is up after a poll with this outcome; see the HELP of `avax_node_up`. With stretched intervals as many polls
 * take as much longer.
 */
export function upAfter(
  lastAnswer: number | undefined,
  failure: Failure | undefined,
  now: number,
  stretch = 1,
): boolean {
  if (failure === undefined || isNodesAnswer(failure.reason)) return true;
  if (isConnectionLost(failure.reason) || failure.reason === "wrong_node") return false;
  return lastAnswer !== undefined && now - lastAnswer <= SILENT_FOR * stretch;
}

function ask(
  { config, client, facts, networkFacts }: NodeTarget,
  { endpoint, key, owner, timeout, previous }: Poll<Endpoint<unknown>>,
): Promise<unknown> {
  const about = owner === nodeKey(config.name) ? facts : (networkFacts ?? facts);
  return client.within(timeout, (api) => endpoint.ask(api, key, about, previous));
}

/** @param hasAnswered whether a node has ever answered here; until then a 404 comes from something else */
export function cadenceOf(hasAnswered: () => boolean): Cadence {
  return {
    // Timers can fire a millisecond early, and the slot of this poll must not come again. A first poll lies off the
    // schedule: it serves a slot that follows closely too, which would be missed while the poll is running.
    sent: ({ next, every, phase }, at) => nextSlot(Math.max(at, next) + every / 4, every, phase),
    answered: ({ next }) => next,
    failed({ endpoint, next, every, phase, failures }, { retryAfter = 0 }, at, answers) {
      // A node that answers other requests is not relieved by fewer of these, and its recovery would be seen late.
      const isPatient = answers || ("probe" in endpoint && endpoint.probe === true);
      const wait = backOff(every, isPatient ? 0 : failures);
      // The schedule can shorten the back-off by less than an interval, but never the server's Retry-After.
      const earliest = Math.max(at + wait - every, at + Math.min(retryAfter, LONGEST_RETRY));
      return earliest > at ? nextSlot(earliest, every, phase) : next;
    },
    isMissing: ({ reason, status }) =>
      reason === "unsupported" || (reason === "http_status" && status === 404 && hasAnswered()),
    retryMissing: (answered = Infinity) => (answered < MISSED_FOR ? 0 : UNSUPPORTED_RETRY),
  };
}

function unknownFacts(config: NodeConfig, evm: EvmSettings): TargetFacts {
  const { name, network, nodeId } = config;
  return {
    node: name,
    network,
    nodeId,
    chains: [],
    knownChains: [],
    subnets: [],
    networkSubnets: [],
    watch: [],
    watchNetwork: [],
    watchConfigured: [],
    watchDetails: new Map(),
    addresses: [],
    evm,
    evmChains: [],
    seriesLabels: {},
    options: config,
  };
}

/** The node as the status page shows it. */
export function targetStatus({ config, facts, identity, up, polls }: NodeTarget): TargetStatus {
  const nodeId = config.nodeId ?? identity.nodeId;
  return {
    name: config.name,
    url: config.url,
    network: facts.network,
    nodeId,
    ...(nodeId === undefined && up === false ? { validatorUnknown: true } : {}),
    up,
    endpoints: [...polls.values()].map(endpointStatus),
  };
}
