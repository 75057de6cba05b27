import { createClient, type Connect } from "../api/transport/client.ts";
import { isOfExporter, type Reason } from "../api/reasons.ts";
import { IsBootstrapped, NodeId } from "../api/node/info.ts";
import { PlatformHeight } from "../api/node/platform.ts";
import type { Catalogue } from "../topics/define/catalogue.ts";
import { partOf, type Part } from "../topics/define/part.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/events.ts";
import { NodeLog } from "./poll/log-limit.ts";
import { createServices } from "./hosted/services.ts";
import { logService } from "./hosted/service-log.ts";
import type { ServiceTarget } from "./hosted/service-target.ts";
import { newTarget, noteNodeId, targetStatus } from "./node/node-target.ts";
import { ALL_VALID, type PollOutcome, type Poll, invalidRowsOf, isRoundOver, takeOutcome } from "./poll/poll.ts";
import { concludeRound } from "./poll/conclude.ts";
import { Collector } from "./poll/collect.ts";
import { createNodeCollector } from "./node/collect-nodes.ts";
import { logTurns } from "./node/node-lines.ts";
import { forgetRefusals, servedBy } from "./poll/refusals.ts";
import { createTopicStates } from "./poll/topic-states.ts";
import { createReconciler } from "./node/reconcile.ts";
import { createRunner } from "./poll/runner.ts";
import { NOTHING_REMEMBERED, type Memory } from "./poll/memory.ts";
import {
  areSocketsTried,
  configOf,
  connectionOf,
  highestAnswer,
  identifies,
  identityAfter,
  isBootstrapping,
  isHealthy,
  networkOf,
  noteHeight,
  type NodeTarget,
  type PollerState,
  memoryOf,
  recalled,
  standsInFor,
  wordsAbout,
  failingText,
} from "./node/state.ts";
import type { Status } from "./poll/status.ts";
import { Store } from "./poll/store.ts";
import { createSubscriptions } from "./node/subscriptions.ts";
import { startsOver } from "../api/position.ts";
import { isFirst, type Identity } from "./node/target-facts.ts";
import { lookAgain, unknownTogether } from "./node/unknown.ts";

export type PollerOptions = {
  readonly catalogue: Catalogue;
  readonly exposition: Exposition;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  /** The exported part of the catalogue; default: `whole`, the only part for which hosted services are polled. */
  readonly part?: Part;
  /** Index of one of several shards. Default: this process has the whole fleet. */
  readonly shard?: string;
  /** The polled nodes of a configuration; default: all. */
  readonly nodesOf?: (config: Config) => readonly NodeConfig[];
  /** What a poller before this one learned of the same nodes. */
  readonly memory?: Memory;
  /** Replaced in tests. */
  readonly connect?: Connect;
};

export type Poller = ReturnType<typeof createPoller>;

/** Seconds from the first changed identity to one reconcile for all of them, and the addition per node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;
/** Shortest intervals of a node without another change of its ID after which the ID stays. */
const STEADY = 1.5;

/** Seconds by which the clock can be set back without a reaction: polls and expiry are late by no more than that. */
const TOLERATED = 10;

/** Whether a failure says nothing of the node: the exporter was too busy, or the server must not get more requests. */
const saysNothing = (reason: Reason): boolean => isOfExporter(reason) || reason === "rate_limited";

/**
 * Polls the configured nodes and hosted services. The end of a poll puts the answer into the store and advances the topics that
 * count; `collect` reads the topics. What an answer teaches of a node (`identityAfter`) is a fact that the reconciler reads.
 */
export function createPoller({
  catalogue: whole,
  exposition,
  clock,
  log,
  events,
  part = "whole",
  shard = "",
  nodesOf = ({ nodes }) => nodes,
  memory = NOTHING_REMEMBERED,
  connect = createClient,
}: PollerOptions) {
  const catalogue = partOf(whole, part);
  const startedAt = clock.now();
  const lines = new NodeLog(clock, log);
  /** Who waits for the first round of nodes or of services. */
  const waiting = new Set<{ readonly isOver: () => boolean; readonly resolve: () => void }>();
  let latest = startedAt;
  let settling: (() => void) | undefined;
  /** By node, cancels the look whether its changed ID stays. */
  const steady = new WeakMap<NodeTarget, () => void>();
  /** Whether a node has become known since the last reconcile. */
  let joined = false;

  const state: PollerState = {
    config: undefined,
    targets: new Map(),
    networks: new Map(),
    remembered: new Map(),
    joining: 0,
  };
  const store = new Store();
  const states = createTopicStates(log);
  const collector = new Collector(store, states, exposition, log, events, shard);
  const nodes = createNodeCollector(catalogue, part, state, store, collector);
  const services = createServices(catalogue, store, collector, clock, connect);
  const onEnd = (target: NodeTarget | ServiceTarget, poll: Poll, outcome: PollOutcome): void => {
    if ("service" in target) {
      logService(log, lines.limit, target, poll, outcome);
      if ("value" in outcome) logAnswer(target, poll, outcome.value);
      takeOutcome(store, target, poll, outcome, clock.now());
    } else ended(target, poll, outcome);
    announce();
  };
  const runner = createRunner(clock, events, log, onEnd);
  const recall = (remembered: Memory): void => {
    for (const node of remembered.nodes) state.remembered.set(node.name, node);
    states.recall(remembered.states);
  };
  recall(memory);
  const subscriptions = createSubscriptions(clock, log, runner);
  const reconciler = createReconciler({
    ...{ catalogue, part, state, store, states, runner, subscriptions, clock, log, limit: lines.limit },
    createTarget: (node) =>
      newTarget(node, configOf(state), recalled(state, node), store, (target) =>
        connect(
          { ...connectionOf(state, target), now: () => clock.now() },
          (nodeId) => {
            if (node.publicServer) return; // Other nodes answer each time.
            target.standsIn = standsInFor(state, target, nodeId);
            noteNodeId(target, nodeId, clock.now());
            identified(target, { ...target.identity, nodeId });
          },
          (expiry) => (target.certificateExpiry = expiry),
        ),
      ),
    closeTarget,
  });

  /** Ends the polls, the sockets and the connections of a node. */
  async function closeTarget(target: NodeTarget): Promise<void> {
    target.closed = true;
    subscriptions.drop(target);
    // A failure to close the connection is harmless.
    await target.client.close().catch(() => undefined);
  }

  /** Applies the outcome of a poll of a node. */
  function ended(target: NodeTarget, poll: Poll, outcome: PollOutcome): void {
    const now = clock.now();
    const { endpoint, key, owner } = poll.plan;
    const before = { up: target.up, failed: poll.state.failures > 0, healthy: isHealthy(store, target, clock.now()) };
    const wasBootstrapping = isBootstrapping(store, poll, clock.now());
    const served = servedBy(store, poll, now);
    if ("value" in outcome) logAnswer(target, poll, outcome.value);
    takeOutcome(store, target, poll, outcome, now);
    if ("value" in outcome) {
      if (endpoint.id === NodeId.id) noteNodeId(target, store.get(owner, NodeId, now, key)?.value.nodeID, now);
      const network = networkOf(state, target);
      if (network !== undefined && endpoint.id === PlatformHeight.id) noteHeight(store, target, network, now);
      if (identifies(endpoint)) identified(target, identityAfter(store, target, now));
      nodes.advance(target, endpoint, now);
    } else if (outcome.failure.reason === "wrong_node")
      Object.assign(target, { idMatch: { matches: false, at: now }, standsIn: false });
    const healthy = isHealthy(store, target, clock.now());
    logTurns(lines, target, before, { up: target.up, healthy }, outcome, () => failingText(store, target, now));
    const isBack =
      (target.up === true && before.up !== true) || (wasBootstrapping && !isBootstrapping(store, poll, clock.now()));
    const isOther = served !== undefined && servedBy(store, poll, now) !== served;
    if (isBack) wantAll(target, isFailing);
    if (isBack || isOther) wantAll(target, (each) => each.state.last.is === "unsupported");
    if ((isBack && before.up !== undefined) || isOther) {
      forgetRefusals(store, target);
      lookAgain(target);
    }
    // Where none answered the cause was not the nodes, most likely: the others are not down until they are asked again.
    if (isBack && others(target).every(({ up }) => up === false))
      for (const each of others(target)) wantAll(each, isFailing, true);
    // Where one poll succeeds again others will: their back-off ends, but none is sent more often than by its cadence.
    else if (before.failed && "value" in outcome) wantOverdue(target);
    // Signs of a restart or of a failure: what seemed settled is in doubt.
    const isSign = poll.state.failures === 1 && "failure" in outcome && !saysNothing(outcome.failure.reason);
    if (isSign || isBack || (before.healthy && !healthy)) wantAll(target, (each) => each.state.settled, true);
    if (target.up !== before.up || endpoint.id === IsBootstrapped.id) reconciler.reconsider(target);
  }

  const isFailing = ({ state: { last } }: Poll): boolean => last.is === "failing";
  const others = (target: NodeTarget): readonly NodeTarget[] =>
    [...state.targets.values()].filter((each) => each !== target);

  /** Has polls of a node sent at once. */
  function wantAll(target: NodeTarget, which: (poll: Poll) => boolean, limited = false): void {
    for (const poll of target.polls.values()) if (which(poll)) runner.want(target, poll, clock.now(), limited);
  }

  function wantOverdue(target: NodeTarget): void {
    const now = clock.now();
    for (const poll of target.polls.values()) {
      const { failures, attemptedAt = now, wait } = poll.state;
      const soonest = Math.max(now, attemptedAt + poll.plan.every);
      if (failures > 0 && wait.is === "due" && wait.at > soonest) runner.want(target, poll, soonest);
    }
  }

  /** One line where a count starts over, and one for as long as rows of an answer are wrong: what is wrong is the same in each. */
  function logAnswer(target: NodeTarget | ServiceTarget, { plan }: Poll, value: unknown): void {
    const { endpoint, key, owner } = plan;
    if (startsOver(value))
      log.warn({ ...target.named, endpoint: endpoint.id, key }, "a followed position was wrong: a new count starts");
    const { count: rows, problem } = invalidRowsOf(value) ?? ALL_VALID;
    const { count: before } = invalidRowsOf(store.get(owner, endpoint, clock.now(), key)?.value) ?? ALL_VALID;
    if (rows === 0 || before > 0) return;
    const data = { endpoint: endpoint.id, rows, problem };
    const message = "rows of an answer have invalid fields";
    if ("service" in target) log.warn({ ...target.named, ...data }, message);
    else lines.note("warn", message, { node: target.config.name, ...data });
  }

  /** Every answer carries a node ID. If it changes, all earlier answers belong to another node. */
  function identified(target: NodeTarget, identity: Identity): void {
    const before = target.identity;
    const isSame = (field: keyof Identity): boolean => identity[field] === before[field];
    if (target.closed || (isSame("nodeId") && isSame("networkName") && isSame("networkId"))) return;
    target.identity = identity;
    if (before.nodeId !== undefined && before.nodeId !== identity.nodeId) replaced(target, before.nodeId);
    joined ||= isFirst(before, identity);
    settling ??= clock.after(SETTLE + state.targets.size * SETTLE_PER_NODE, () => {
      settling = undefined;
      reconciler.identities(joined);
      if (joined) applyServices();
      joined = false;
      announce();
    });
  }

  /** Another node answers at the address: the answers of the earlier one are dropped, and everything is asked again, once an interval at most. */
  function replaced(target: NodeTarget, before: string): void {
    target.replaced = true;
    lookAgain(target);
    const node = target.config.name;
    lines.note("warn", "a different node answers at this address", { node, before, now: target.identity.nodeId });
    store.deleteOwner(target.key);
    wantAll(target, () => true, true);
    // Behind a load balancer that changed nodes a few times, slow endpoints would be absent until their slot: once the ID
    // stays, what was dropped since its polls came early is asked for too.
    steady.get(target)?.();
    const shortest = Math.min(...[...target.polls.values()].map(({ plan }) => plan.every));
    const ask = (): void => {
      if (!target.closed)
        wantAll(target, ({ plan }) => store.get(plan.owner, plan.endpoint, clock.now(), plan.key) === undefined);
    };
    steady.set(target, clock.after(STEADY * shortest, ask));
  }

  /** Resolves the first rounds that are over: every poll has ended, and all identities are applied. */
  function announce(): void {
    for (const each of waiting) if (each.isOver() && waiting.delete(each)) each.resolve();
  }

  function roundOf(isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    waiting.add({ isOver, resolve: () => resolve(undefined) });
    announce();
    return promise;
  }

  function apply(config: Config): void {
    reconciler.nodes(nodesOf(config), config);
    applyServices();
    announce();
  }

  /** A service with nothing else to ask about is asked about the known nodes of its network. */
  function applyServices(): void {
    if (part !== "whole") return;
    services.apply(configOf(state), (network) => {
      const members = [...state.targets.values()].filter(({ facts }) => facts.knownNetwork === network);
      return [...new Set(members.flatMap(({ facts }) => facts.nodeId ?? []))];
    });
  }

  /** Where the clock was set back the age of earlier answers is unknown: they are dropped, and everything is polled again. */
  function checkClock(now: number): void {
    const seconds = latest - now;
    latest = now;
    const { config } = state;
    if (seconds <= TOLERATED || config === undefined) return;
    log.warn({ seconds }, "the clock was set back: polling everything again");
    // Identities, and the states that topics save, hold at any time.
    const remembered = memoryOf(state, states, now);
    apply({ ...config, nodes: [], dataApi: undefined, metricsApi: undefined });
    recall(remembered);
    apply(config);
  }

  /** Chooses who is polled about each network and its chains. */
  function distribute(now: number): void {
    for (const network of state.networks.values()) {
      network.highest = highestAnswer(store, network, now);
      reconciler.tick(network);
    }
  }

  const isQuiet = (): boolean => settling === undefined && state.targets.values().every(isRoundOver);

  const concluded = (): void => concludeRound([...state.targets.values(), ...services.targets], clock.now());

  /** Whether every poll of a node has ended, and those that the answers made necessary: each answer can add some. */
  function isNodeRoundOver(): boolean {
    if (!isQuiet()) return false;
    distribute(clock.now());
    return isQuiet();
  }

  return {
    /** Applies the first or another configuration. Unchanged polls continue. */
    apply,
    /** Must be called once a second. */
    tick: (): void => {
      const now = clock.now();
      checkClock(now);
      runner.tick(state.targets.values());
      distribute(now);
      nodes.tick(now);
      lines.tick();
      runner.tick(services.targets);
      announce();
    },
    /** Reads every topic whose answers have changed or are too old, into the exposition. */
    collect(): void {
      const now = clock.now();
      collector.begin();
      nodes.collect(now);
      services.collect(now);
      collector.end();
    },
    status: (): Status => {
      const now = clock.now();
      return {
        now,
        // The clock was possibly set back since.
        startedAt: Math.min(startedAt, now),
        targets: [
          ...[...state.targets.values()].map((each) => targetStatus(each, now)),
          ...services.targets.flatMap((each) => each.status() ?? []),
        ],
        networks: [...state.networks.values()].map(({ name, members, reference }) => ({
          name,
          referenceNode: reference,
          nodes: members.length,
        })),
      };
    },
    /** Names in the answers of the nodes that this release does not know. */
    unknown: () => unknownTogether(state.targets.values(), store, clock.now()),
    /** What a node itself reports of a failing check, or of that of a chain; `undefined` where it passes. */
    words: (node: string, check: string) => wordsAbout(state, store, node, check, clock.now()),
    /** What a later poller of the same nodes can continue from. */
    memory: () => memoryOf(state, states, clock.now()),
    /** The record of the requests to hosted services. */
    hostedRecord: services.record,
    /** Resolves when every poll of a node has ended once. */
    firstRound: () => roundOf(isNodeRoundOver),
    /** Resolves when every poll has ended once, those of hosted services too, which wait for the budget, and every WebSocket was tried. */
    wholeRound: () =>
      roundOf(() => isNodeRoundOver() && areSocketsTried(state) && services.isRoundComplete()).then(concluded),
    /** Decides what is in doubt, where there is one round. */
    concluded,
    /** Whether a poll of a node was never sent, is running, or is due within the next second. */
    busy(): boolean {
      const soon = clock.now() + 1;
      const polls = state.targets.values().flatMap((target) => target.polls.values());
      const isPolling = ({ state: { wait, attemptedAt } }: Poll) =>
        attemptedAt === undefined || wait.is === "running" || wait.at < soon;
      return settling !== undefined || polls.some(isPolling);
    },
    async close(): Promise<void> {
      settling?.();
      lines.tick(true);
      await Promise.all([...[...state.targets.values()].map(closeTarget), services.close()]);
    },
  };
}
