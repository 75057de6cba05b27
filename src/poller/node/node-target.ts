import type { Api, Endpoint } from "../../api/endpoint.ts";
import { isConnectionLost, isNodesAnswer, type Failure } from "../../api/reasons.ts";
import { maskedUrl } from "../../api/hide-secrets.ts";
import type { NodeConfig } from "../../config/config.ts";
import type { OwnRecord } from "../../topics/own-records.ts";
import { NEVER_DOWN } from "../../topics/reach.ts";
import { SILENT_INTERVALS, slotAfter, type Poll, type PollOutcome } from "../poll/poll.ts";
import { isRoundComplete, isUp, shortestInterval, TargetState, type FailurePolicy } from "../poll/target.ts";
import { backOff, nextSlot, SLOWEST_RETRY } from "../poll/schedule.ts";
import { endpointRecords, endpointStatus, type TargetStatus } from "../poll/status.ts";
import { failuresOf } from "../poll/poll-tally.ts";
import type { Store } from "../poll/store.ts";
import { configOf, connectionOf, nodeKey, type NodeTarget, type PollerState } from "./poller-state.ts";
import { recalled } from "./node-memory.ts";
import { factsReader, UNKNOWN } from "./facts-reader.ts";
import { lookOf, unknownOf } from "./unknown-name.ts";

/** Seconds until an optional endpoint that the node does not have is polled again. */
const UNSUPPORTED_RETRY = 600;
/** Seconds since its last answer while an endpoint that seems to be missing keeps its cadence: a proxy that lost it finds it again. */
const MISSED_FOR = 3600;
/** Upper bound of a server's Retry-After. Seconds. */
const LONGEST_RETRY = 3600;
/** Seconds without an answer after which a node counts as down although it accepts connections. */
const SILENT_FOR = 30;

/** Who takes what happens to a node. */
type NodeEvents = {
  /** An answer of any endpoint carries this node ID. */
  identified(target: NodeTarget, nodeId: string): void;
  /** A poll has ended. */
  ended(target: NodeTarget, poll: Poll, outcome: PollOutcome): void;
};

/** The target of a node that has not answered yet; its remembered identity holds until it does. */
export function newTarget(config: NodeConfig, state: PollerState, events: NodeEvents): NodeTarget {
  const remembered = recalled(state, config);
  const { nodeId, networkName, networkId } = remembered ?? UNKNOWN;
  const identity = { nodeId, networkName, networkId };
  const target: Omit<NodeTarget, "client"> = {
    ...new TargetState(),
    named: { node: config.name },
    config,
    key: nodeKey(config.name),
    identity,
    rememberedAt: remembered?.confirmedAt,
    idMatch: undefined,
    reach:
      remembered?.total === undefined
        ? NEVER_DOWN
        : { ...NEVER_DOWN, outages: remembered.outages ?? [], total: remembered.total },
    replaced: false,
    standsIn: false,
    // As of a node alone: the next reconcile has those of its fleet.
    facts: factsReader({ ...configOf(state), nodes: [] }, [{ config, identity }])({ config, identity }),
    networkFacts: undefined,
    polls: new Map<string, Poll<Endpoint<unknown>>>(),
    sockets: new Map(),
    certificateExpiry: undefined,
    behindSince: undefined,
    height: undefined,
    policy: policyOf(() => target.answeredAt !== undefined),
    ask: (poll: Poll<Endpoint<unknown>>) => ask(target as NodeTarget, poll, state.store),
    end: (poll, outcome) => events.ended(target as NodeTarget, poll, outcome),
    upAfter: (failure, now) => upAfter(target, failure, now),
  };
  const client = state.connect(
    { ...connectionOf(state, target as NodeTarget), now: () => state.clock.now() },
    (nodeId) => events.identified(target as NodeTarget, nodeId),
    (expiry) => (target.certificateExpiry = expiry),
  );
  return Object.assign(target, { client });
}

/**
 * Whether the node is up after a poll with this outcome; see the HELP of `avax_node_up`. A node that has not answered yet is
 * unknown until each poll was tried once: the first one can be about a chain that a starting node lacks.
 */
export function upAfter(
  { answeredAt, up, polls }: Pick<NodeTarget, "answeredAt" | "up" | "polls">,
  failure: Failure | undefined,
  now: number,
): boolean | undefined {
  if (failure === undefined || isNodesAnswer(failure.reason)) return true;
  if (isConnectionLost(failure.reason) || failure.reason === "wrong_node") return false;
  if (answeredAt === undefined) return up === false || isRoundComplete({ polls }) ? false : undefined;
  return now - answeredAt <= SILENT_FOR;
}

function ask(target: NodeTarget, poll: Poll<Endpoint<unknown>>, store: Store): Promise<unknown> {
  const { key: own, client, facts, networkFacts } = target;
  const { endpoint, key, owner, timeout } = poll.plan;
  const about = owner === own ? facts : (networkFacts ?? facts);
  const send = (api: Api): Promise<unknown> => endpoint.ask(api, key, about, store.last(owner, endpoint, key));
  return client.within(timeout, send, lookOf(target, poll, store));
}

/** @param hasAnswered whether a node has ever answered here; until then a 404 comes from something else */
export function policyOf(hasAnswered: () => boolean): FailurePolicy {
  return {
    retryAt({ plan, state }, { retryAfter = 0 }, failures, now, answers) {
      const { endpoint, every, phase } = plan;
      // A node that answers other requests is not relieved by fewer of these, and its recovery would be seen late.
      const isPatient = answers || ("probe" in endpoint && endpoint.probe === true);
      const wait = backOff(every, isPatient ? 0 : failures);
      // The schedule can shorten the back-off by less than an interval, but never the server's Retry-After.
      const earliest = Math.max(now + wait - every, now + Math.min(retryAfter, LONGEST_RETRY));
      return earliest > now ? nextSlot(earliest, every, phase) : slotAfter(plan, state, now);
    },
    isMissing: ({ reason, status }) =>
      reason === "unsupported" || (reason === "http_status" && status === 404 && hasAnswered()),
    missingAt({ plan: { every, phase }, state: { succeededAt = -Infinity } }, now) {
      // On its slots: a poll that returns within an interval must not wait for a second one.
      const wait = now - succeededAt < MISSED_FOR ? 0 : UNSUPPORTED_RETRY;
      return wait > every ? now + wait : nextSlot(now, every, phase);
    },
  };
}

/** Records whether an answer with this node ID came from the configured node. */
export function noteNodeId(target: NodeTarget, nodeId: string | undefined, at: number): void {
  const expected = target.config.nodeId;
  if (expected !== undefined && nodeId !== undefined)
    target.idMatch = { matches: nodeId === expected || target.standsIn, at };
}

/**
 * Whether the configured node answers; `undefined` without a configured ID, and after three intervals without an answer. Each
 * answer has the ID, so the interval is that of the most frequent poll; failing polls wait up to a minute.
 */
function idMatchOf({ idMatch, polls }: NodeTarget, now: number): boolean | undefined {
  if (idMatch === undefined) return undefined;
  const limit = SILENT_INTERVALS * Math.max(SLOWEST_RETRY, shortestInterval(polls.values()));
  return now - idMatch.at <= limit ? idMatch.matches : undefined;
}

/** The exporter's own record of the polls of a node. */
export function recordOf(target: NodeTarget, store: Store, now: number): OwnRecord {
  const { missed, sockets, certificateExpiry, polls, tallies } = target;
  const counted = [...tallies.values()];
  return {
    up: isUp(target, now),
    idMatches: idMatchOf(target, now),
    standsIn: target.standsIn,
    endpoints: endpointRecords(polls.values(), tallies),
    polls: counted.reduce((sum, { polls: count }) => sum + count, 0),
    seconds: counted.reduce((sum, { seconds }) => sum + seconds, 0),
    failures: failuresOf(tallies),
    missed: { ...missed },
    sockets: new Map([...sockets].map(([chain, { up }]) => [chain, up])),
    certificateExpiry,
    unknown: unknownOf(target, store, now)?.length,
  };
}

/** The node as the status page shows it. */
export function targetStatus(target: NodeTarget, now: number): TargetStatus {
  const { config, facts, polls } = target;
  const { nodeId } = facts;
  const up = isUp(target, now);
  return {
    name: config.name,
    url: maskedUrl(config.url),
    network: facts.network,
    nodeId,
    ...(nodeId === undefined && up === false ? { validatorUnknown: true } : {}),
    up,
    endpoints: [...polls.values()].map(endpointStatus),
  };
}
