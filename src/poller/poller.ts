import { createClient, type Connect } from "../api/transport/client.ts";
import { IsBootstrapped } from "../api/node/info.ts";
import { PlatformHeight } from "../api/node/platform.ts";
import type { Catalogue } from "../topics/define/catalogue.ts";
import { partOf, type Part } from "../topics/define/part.ts";
import type { Config } from "../config/config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import { watchForSetBack } from "./clock-set-back.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/events.ts";
import { createLogLimit } from "./poll/log-limit.ts";
import { createTimeSlices, type Job } from "../runtime/time-slices.ts";
import type { HostedRecord } from "../topics/exporter/hosted-record.ts";
import { createServices } from "./hosted/services.ts";
import type { ServiceTarget } from "./hosted/service-target.ts";
import { newTarget, targetStatus } from "./node/node-target.ts";
import type { Outcome, Poll } from "./poll/poll.ts";
import { createEasing } from "./node/easing.ts";
import { createPublisher } from "./node/publisher.ts";
import { createReader } from "./poll/reader.ts";
import { createTopicStates } from "./poll/topic-states.ts";
import { createReconciler } from "./node/reconcile.ts";
import { createRecovery } from "./node/recovery.ts";
import { createReplacement } from "./node/replacement.ts";
import { createReferences } from "./node/references.ts";
import { createOverloadWatch } from "./poll/overload.ts";
import { createRunner } from "./poll/runner.ts";
import { NOTHING_REMEMBERED, type Memory } from "./poll/memory.ts";
import type { Nodes } from "./shard/shard.ts";
import { configOf, highestAnswer, identityAfter, namesNetwork, networkOf, noteHeight } from "./node/state.ts";
import type { NodeTarget, State } from "./node/state.ts";
import type { Status } from "./poll/status.ts";
import { longestDeadline, stretchPolls } from "./poll/schedule.ts";
import { createStore } from "./poll/store.ts";
import { createSubscriptions } from "./node/subscriptions.ts";
import { isFirst, type Identity } from "./node/target-facts.ts";
import { noteIdOfOutcome, noteNodeId } from "./node/id-match.ts";
import { memoryOf, recalled } from "./node/remembered.ts";
import { expire, isOurs, isRoundComplete, takeOutcome } from "./poll/target.ts";

export type PollerOptions = {
  readonly catalogue: Catalogue;
  readonly exposition: Exposition;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  /** The exported part of the catalogue; default: `whole`, the only part for which hosted services are polled. */
  readonly part?: Part;
  /** The nodes of a configuration to poll; default: all of them. */
  readonly nodesOf?: (config: Config) => Nodes;
  /** What a poller before this one learned of the same nodes. */
  readonly memory?: Memory;
  /** Share of time in which the event loop was busy since the previous call; without it intervals are never stretched. */
  readonly utilization?: () => number;
  /** Seconds between two publications of the answers of hosted services. */
  readonly publishEvery?: number;
  /** Replaced in tests. */
  readonly connect?: Connect;
};

export type Poller = {
  /** Applies the first or another configuration. Unchanged polls continue; a large change takes several time slices. */
  readonly apply: (config: Config) => void;
  /** Must be called once a second. */
  readonly tick: () => void;
  readonly status: () => Status;
  /** The factor by which all intervals are multiplied: more than 1 while the exporter is overloaded. */
  readonly stretch: () => number;
  /** What a later poller of the same nodes can continue from. */
  readonly memory: () => Memory;
  /** The record of the requests to hosted services. */
  readonly hostedRecord: () => HostedRecord;
  /** Resolves when every poll of a node has ended once and its series are published. */
  readonly firstRound: () => Promise<void>;
  /** Resolves when every poll of a hosted service has ended once; polls wait for the budget. */
  readonly firstHostedRound: () => Promise<void>;
  /** Whether a poll of a node is running or due at once, or an answer is not published yet. */
  readonly busy: () => boolean;
  readonly close: () => Promise<void>;
};

/** Seconds from the first changed identity to one reconcile for all of them, and the addition per node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;

/**
 * Polls the configured nodes and hosted services, stores their answers and publishes the series. The end of a poll updates the
 * store (`takeOutcome`) and the identity of the node (`identityAfter`); then the reconciler updates the polls, and the publisher
 * the series.
 */
export function createPoller({
  catalogue: whole,
  exposition,
  clock,
  log,
  events,
  part = "whole",
  nodesOf = ({ nodes }) => ({ own: nodes, auxiliary: [] }),
  memory = NOTHING_REMEMBERED,
  utilization,
  publishEvery = 15,
  connect = createClient,
}: PollerOptions): Poller {
  const catalogue = partOf(whole, part);
  const startedAt = clock.now();
  const slices = createTimeSlices(clock);
  const limit = createLogLimit(clock);
  const waiting: Array<() => void> = [];
  const waitingForServices: Array<() => void> = [];
  let settling: (() => void) | undefined;
  /** Whether a node has become known since the last reconcile. */
  let joined = false;
  let changing = 0;
  let concluding = false;
  let applied: Config | undefined;

  const state: State = {
    config: undefined,
    targets: new Map(),
    networks: new Map(),
    remembered: new Map(),
    joining: 0,
    joinedAt: startedAt,
  };
  const store = createStore();
  const states = createTopicStates(log);
  const reader = createReader(store, exposition, clock, log, events, states);
  const publisher = createPublisher(catalogue, part, state, store, reader);
  const services = createServices({ catalogue, store, reader, clock, connect, publishEvery });
  const overload = createOverloadWatch(clock, log, utilization, (stretch) => {
    for (const target of state.targets.values()) {
      target.stretch = stretch;
      stretchPolls(target.polls.values(), stretch, clock.now());
    }
  });
  const onEnd = (target: NodeTarget | ServiceTarget, poll: Poll, outcome: Outcome, recovered: boolean): void => {
    if (isOurs(outcome)) overload.missed();
    if ("service" in target) {
      services.ended(target, poll, outcome);
      announceServices();
    } else {
      ended(target, poll, outcome);
      if (recovered) recovery.retryOverdue(target, clock.now());
      announce();
    }
  };
  const runner = createRunner(clock, events, log, onEnd, overload.started);
  const easing = createEasing({ store, runner, clock });
  const recovery = createRecovery(runner, log, limit);
  const replacement = createReplacement({ store, runner, easing, publisher, clock, log, limit });
  const recall = (remembered: Memory): void => {
    for (const node of remembered.nodes) state.remembered.set(node.name, node);
    states.recall(remembered.states);
  };
  recall(memory);
  const subscriptions = createSubscriptions(clock, log, runner, (target) => publisher.record(target, clock.now()));
  const parts = { catalogue, part, state, store, reader, publisher, runner, subscriptions, clock, log };
  const reconciler = createReconciler({
    ...parts,
    chooseReference: (network) => references.choose(network, true),
    createTarget: (node, auxiliary) =>
      newTarget(node, configOf(state).evm, auxiliary, recalled(state, node), overload.stretch(), (target) =>
        connect(
          { ...node, expectNodeId: node.nodeId, connectTimeout: longestDeadline(configOf(state)) },
          (nodeId) => {
            noteNodeId(target, nodeId, clock.now());
            replacement.confirm(target, nodeId);
            identified(target, { ...target.identity, nodeId });
          },
          // The end of the poll that opened the connection publishes it.
          (expiry) => (target.certificateExpiry = expiry),
        ),
      ),
    closeTarget,
  });
  const references = createReferences({ ...parts, stretch: overload.stretch, reconcileNode: reconciler.reconcile });

  /** Ends the polls, the sockets and the connections of a node. */
  async function closeTarget(target: NodeTarget): Promise<void> {
    target.closed = true;
    subscriptions.drop(target);
    for (const poll of target.polls.values()) runner.disarm(poll);
    // A failure to close the connection is harmless.
    await target.client.close().catch(() => undefined);
  }

  /** Applies the outcome of a poll of a node. */
  function ended(target: NodeTarget, poll: Poll, outcome: Outcome): void {
    const now = clock.now();
    const wasUp = target.up;
    const wasBootstrapping = isBootstrapping(poll);
    const wasCalm = isCalm(poll);
    const change = takeOutcome(store, target, poll, outcome, now);
    easing.ended(target, poll, outcome);
    noteIdOfOutcome(store, target, poll, outcome, now);
    if (change === "answered") {
      const network = networkOf(state, target);
      if (network !== undefined && poll.endpoint.id === PlatformHeight.id) noteHeight(store, target, network, now);
      identified(target, identityAfter(store, target, poll.endpoint));
    }
    // Its first series waited for the name of its network.
    if (target.facts.network === undefined && namesNetwork(poll.endpoint)) publisher.node(target);
    if (change !== "none") publisher.refresh(target, poll.endpoint, change === "answered");
    if (target.up !== wasUp) recovery.turned(target, wasUp, now);
    if (wasBootstrapping && !isBootstrapping(poll)) recovery.retry(target, now);
    if (target.up !== wasUp || poll.endpoint.id === IsBootstrapped.id) references.reconsider(target);
    if (target.up !== wasUp) publisher.record(target, now);
    else publisher.recordSoon(target, now, !wasCalm || !isCalm(poll));
  }

  /** Every answer carries a node ID. If it changes, all earlier answers belong to another node. */
  function identified(target: NodeTarget, identity: Identity): void {
    const before = target.identity;
    if (target.closed || (identity.nodeId === before.nodeId && identity.networkName === before.networkName)) return;
    target.identity = identity;
    if (before.nodeId !== undefined && before.nodeId !== identity.nodeId) replacement.replaced(target, before.nodeId);
    joined ||= isFirst(before, identity);
    settling ??= clock.after(SETTLE + state.targets.size * SETTLE_PER_NODE, () => {
      settling = undefined;
      work(reconciler.identities(joined));
      joined = false;
    });
  }

  /** Whether this poll asks if a chain is bootstrapped, and the last answer is that it is not. */
  function isBootstrapping({ endpoint, owner, key }: Poll): boolean {
    if (endpoint.id !== IsBootstrapped.id) return false;
    return store.get(owner, IsBootstrapped, key)?.value.isBootstrapped === false;
  }

  /** Whether the last polls of this question succeeded. */
  function isCalm({ lastSuccess, unsupported, error }: Poll): boolean {
    return lastSuccess !== undefined && !unsupported && error === undefined;
  }

  /** Applies a change of many nodes in time slices; polls and scrapes run between them. Changes run one after the other. */
  function work(change: Generator<undefined, unknown>): void {
    changing++;
    slices.run(
      (function* (): Job {
        yield* change;
        changing--;
        announce();
      })(),
    );
  }

  /** Concludes the first round when every poll has ended and all changes are applied. */
  function announce(): void {
    if (waiting.length === 0 || concluding || settling !== undefined || changing > 0) return;
    if (!reader.idle() || !isRoundComplete(state.targets.values())) return;
    concluding = true;
    work(publishAll());
    conclude();
  }

  function* publishAll(): Generator<undefined, void> {
    yield* publisher.allRecords(clock.now());
    publisher.comparisons(clock.now(), true);
  }

  /** Resolves the first rounds once their series are published, which takes time slices too. */
  function conclude(): void {
    if (changing > 0 || !reader.idle()) {
      clock.after(SETTLE, conclude);
      return;
    }
    concluding = false;
    for (const resolve of waiting.splice(0)) resolve();
  }

  function announceServices(): void {
    if (waitingForServices.length === 0 || !services.isRoundComplete()) return;
    services.publish();
    for (const resolve of waitingForServices.splice(0)) resolve();
  }

  function apply(config: Config): void {
    applied = config;
    work(reconciler.nodes(nodesOf(config), config));
    if (part !== "whole") return;
    services.apply(config);
    announceServices();
  }

  // The age of earlier answers is unknown now: they are dropped, and everything is polled again.
  const checkClock = watchForSetBack(clock, (seconds) => {
    log.warn({ seconds }, "the clock was set back: polling everything again");
    const config = applied;
    if (config === undefined) return;
    // Identities, and the states that topics save, hold at any time.
    const remembered = memoryOf(state, states, clock.now());
    apply({ ...config, nodes: [], dataApi: undefined, metricsApi: undefined });
    work(oneStep(() => recall(remembered)));
    apply(config);
  });

  return {
    apply,
    tick() {
      checkClock();
      overload.tick();
      const now = clock.now();
      runner.tick(state.targets.values());
      for (const target of state.targets.values())
        for (const poll of target.polls.values())
          if (expire(store, poll, now)) publisher.refresh(target, poll.endpoint, false);
      for (const network of state.networks.values()) {
        network.highest = highestAnswer(store, network);
        references.choose(network);
        references.delegate(network);
      }
      references.expireUnpolled(now);
      publisher.comparisons(now);
      announce();
      runner.tick(services.targets());
      services.tick();
    },
    status() {
      const now = clock.now();
      const all = [...state.targets.values()];
      const own = all.filter(({ auxiliary }) => !auxiliary).map(targetStatus);
      const auxiliaryNodes = all.filter(({ auxiliary }) => auxiliary).map(targetStatus);
      return {
        now,
        // The clock was possibly set back since.
        startedAt: Math.min(startedAt, now),
        targets: [...own, ...[...services.targets()].map((each) => each.status())],
        ...(auxiliaryNodes.length === 0 ? {} : { auxiliary: auxiliaryNodes }),
        networks: [...state.networks.values()].map(({ name, members, reference }) => ({
          name,
          referenceNode: reference,
          nodes: members.filter(({ auxiliary }) => !auxiliary).length,
        })),
      };
    },
    stretch: overload.stretch,
    memory: () => memoryOf(state, states, clock.now()),
    hostedRecord: services.record,
    firstRound: () => roundOf(waiting, announce),
    firstHostedRound: () => roundOf(waitingForServices, announceServices),
    busy: () => settling !== undefined || changing > 0 || !reader.idle() || isPolling(state),
    async close() {
      settling?.();
      slices.finish();
      const nodes = [...state.targets.values()].map(closeTarget);
      await Promise.all([...nodes, services.close()]);
    },
  };
}

function* oneStep(step: () => void): Generator<undefined, void> {
  step();
  yield;
}

function roundOf(waiting: Array<() => void>, announce: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  waiting.push(() => resolve(undefined));
  announce();
  return promise;
}

function isPolling({ targets }: State): boolean {
  const all = [...targets.values()].flatMap(({ polls }) => [...polls.values()]);
  return all.some(({ lastAttempt, running, cancel }) => lastAttempt === undefined || running || cancel !== undefined);
}
