import { createClient, type Client, type OnNodeId } from "../api/transport/client.ts";
import type { Connection } from "../api/transport/connection.ts";
import { IsBootstrapped } from "../api/node/info.ts";
import { PlatformHeight } from "../api/node/platform.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { partOf, type Part } from "../catalogue/part.ts";
import type { Config } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import { watchForSetBack } from "../runtime/clock-set-back.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/events.ts";
import { createTimeSlices, type Job } from "../runtime/time-slices.ts";
import type { HostedRecord } from "../self/hosted-record.ts";
import { createServices } from "./hosted/services.ts";
import type { ServiceTarget } from "./hosted/service-target.ts";
import { highestAnswer, identityAfter, noteHeight } from "./node/identity.ts";
import { newTarget, nodeKey, targetStatus, type NodeTarget } from "./node/node-target.ts";
import type { Outcome, Poll } from "./poll/poll.ts";
import { createPublisher } from "./node/publisher.ts";
import { createReader } from "./poll/reader.ts";
import { close, createReconciler } from "./node/reconcile.ts";
import { createReconcileNode } from "./node/reconcile-node.ts";
import { createReferences } from "./node/references.ts";
import { createRunner } from "./poll/runner.ts";
import type { Nodes } from "./shard/shard.ts";
import { networkOf, type State } from "./node/state.ts";
import type { Status } from "./poll/status.ts";
import { createStore } from "./poll/store.ts";
import { createSubscriptions } from "./node/subscriptions.ts";
import type { Identity } from "./node/target-facts.ts";
import { expire, isRoundComplete, takeOutcome } from "./poll/target.ts";

export type PollerOptions = {
  readonly catalogue: Catalogue;
  readonly exposition: Exposition;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  /** What of the catalogue is exported; everything when left out. Hosted services are polled for the whole of it alone. */
  readonly part?: Part;
  /** Which nodes of a configuration are asked; all of them when left out. */
  readonly nodesOf?: (config: Config) => Nodes;
  /** Seconds between two readings of what hosted services answered. */
  readonly publishEvery?: number;
  /** Replaced in tests. */
  readonly connect?: (connection: Connection, onNodeId: OnNodeId) => Client;
};

export type Poller = {
  /**
   * Starts with a configuration, or changes to another: what did not change goes on undisturbed. A large change takes several
   * turns of the event loop.
   */
  readonly apply: (config: Config) => void;
  /** To be called once a second. */
  readonly tick: () => void;
  readonly status: () => Status;
  /** What is known of the requests to hosted services. */
  readonly hostedRecord: () => HostedRecord;
  /** Resolves when everything that nodes are to be asked has been asked once: they do not wait for a budget. */
  readonly firstRound: () => Promise<void>;
  /** Resolves when everything that hosted services are to be asked has been asked once. */
  readonly firstHostedRound: () => Promise<void>;
  /** Whether a node is being asked, is to be asked at once, or an answer is not published yet. */
  readonly busy: () => boolean;
  readonly close: () => Promise<void>;
};

/** What nodes say about themselves is taken in together: after this many seconds, and a little more for each node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;

const NOTHING: Config = { ...defaultConfig(), nodes: [], dataApi: undefined, metricsApi: undefined };

/**
 * Polls the configured nodes and hosted services, keeps their answers, and keeps the exposition in line with them: the end of a
 * poll changes the store (`takeOutcome`) and what is known of the node (`identity`); what is to be asked is brought in line with
 * that (`reconcile`), and what is exported with all of it (`publisher`).
 */
export function createPoller({
  catalogue: whole,
  exposition,
  clock,
  log,
  events,
  part = "whole",
  nodesOf = ({ nodes }) => ({ own: nodes, auxiliary: [] }),
  publishEvery = 15,
  connect = createClient,
}: PollerOptions): Poller {
  const catalogue = partOf(whole, part);
  const startedAt = clock.now();
  const slices = createTimeSlices(clock);
  const waiting: Array<() => void> = [];
  const waitingForServices: Array<() => void> = [];
  let settling: (() => void) | undefined;
  let changing = 0;
  let concluding = false;
  let applied = NOTHING;

  const state: State = { config: NOTHING, targets: new Map(), networks: new Map(), joining: 0 };
  const store = createStore();
  const reader = createReader(
    store,
    exposition,
    {
      failed(topic, metric, error) {
        log.error({ topic, metric, err: error }, "metric is defective");
        events.readFailed(topic);
      },
      duplicates: events.duplicates,
    },
    clock,
  );
  const publisher = createPublisher(catalogue, part, state, store, reader);
  const services = createServices({
    catalogue,
    store,
    reader,
    clock,
    connect: (connection) => connect(connection, () => undefined),
    publishEvery,
  });
  const runner = createRunner<NodeTarget | ServiceTarget>(clock, events, log, (target, poll, outcome) => {
    if ("service" in target) {
      services.ended(target, poll, outcome);
      announceServices();
    } else {
      ended(target, poll, outcome);
      announce();
    }
  });
  const subscriptions = createSubscriptions(
    clock,
    log,
    () => runner,
    (target) => publisher.record(target, clock.now()),
  );
  const polling = { catalogue, state, store, reader, publisher, runner, subscriptions, clock, log, part };
  const reconcileNode = createReconcileNode(polling);
  const references = createReferences({ ...polling, reconcileNode });
  const reconciler = createReconciler({
    ...polling,
    reconcileNode,
    references,
    createTarget: (node, auxiliary) =>
      newTarget(node, auxiliary, (target) =>
        connect({ ...node, expectNodeId: node.nodeId }, (nodeId) => identified(target, { ...target.identity, nodeId })),
      ),
  });

  /** Takes in how a poll of a node ended, and what follows from it. */
  function ended(target: NodeTarget, poll: Poll, outcome: Outcome): void {
    const now = clock.now();
    const wasUp = target.up;
    const change = takeOutcome(store, target, poll, outcome, now);
    if (change === "answered") {
      const network = networkOf(state, target);
      if (network !== undefined && poll.endpoint.id === PlatformHeight.id) noteHeight(store, target, network, now);
      identified(target, identityAfter(store, target, poll.endpoint));
    }
    if (change !== "none") publisher.refresh(target, poll.endpoint, change === "answered");
    if (target.up !== wasUp) turned(target, wasUp, now);
    if (target.up !== wasUp || poll.endpoint.id === IsBootstrapped.id) references.reconsider(target);
    if (target.up !== wasUp) publisher.record(target, now);
    else publisher.recordSoon(target, now);
  }

  /** Every answer names its node: another name means that all answers so far were another node's. */
  function identified(target: NodeTarget, identity: Identity): void {
    const before = target.identity;
    if (target.closed || (identity.nodeId === before.nodeId && identity.networkName === before.networkName)) return;
    target.identity = identity;
    if (before.nodeId !== undefined && before.nodeId !== identity.nodeId) replaced(target, before.nodeId);
    settling ??= clock.after(SETTLE + state.targets.size * SETTLE_PER_NODE, () => {
      settling = undefined;
      work(reconciler.identities());
    });
  }

  function replaced(target: NodeTarget, before: string): void {
    const owner = nodeKey(target.config.name);
    const { nodeId } = target.identity;
    log.warn({ node: target.config.name, before, now: nodeId }, "another node answers at this address");
    store.deleteOwner(owner);
    for (const poll of target.polls.values()) {
      if (poll.owner === owner) Object.assign(poll, { heldSince: undefined, previous: undefined });
      runner.due(target, poll, clock.now());
    }
    publisher.node(target);
  }

  /** A node that came back is asked everything at once instead of when the back-off ends. */
  function turned(target: NodeTarget, wasUp: boolean | undefined, now: number): void {
    const node = target.config.name;
    if (target.up === true && wasUp === false) {
      log.info({ node }, "node is up again");
      for (const poll of target.polls.values()) if (poll.failures > 0) runner.due(target, poll, now);
    } else if (target.up === false) {
      const error = [...target.polls.values()].find((poll) => poll.error !== undefined)?.error;
      log.warn({ node, reason: error?.reason, error: error?.message }, "node is down");
    }
  }

  /** Takes the changes of many nodes in turns: polls and scrapes go on between them. One change is whole before the next begins. */
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

  /** Resolves first rounds when there is nothing left in them. */
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

  /** What is read of the whole round is published in turns, too. */
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

  // How old earlier answers are cannot be said any longer: they go, and everything is asked again.
  const lookAtClock = watchForSetBack(clock, (seconds) => {
    log.warn({ seconds }, "the clock was set back: everything is asked again");
    const config = applied;
    apply({ ...config, nodes: [], dataApi: undefined, metricsApi: undefined });
    apply(config);
  });

  function tickNodes(): void {
    const now = clock.now();
    runner.tick(state.targets.values());
    for (const target of state.targets.values())
      for (const poll of target.polls.values())
        if (expire(store, poll, now)) publisher.refresh(target, poll.endpoint, false);
    for (const network of state.networks.values()) network.highest = highestAnswer(store, network);
    for (const network of state.networks.values()) {
      references.choose(network);
      references.delegate(network);
    }
    references.expireUnasked(now);
    publisher.comparisons(now);
  }

  return {
    apply,
    tick() {
      lookAtClock();
      tickNodes();
      announce();
      runner.tick(services.targets());
      services.tick();
    },
    status: () => ({
      now: clock.now(),
      // The clock may have been set back since.
      startedAt: Math.min(startedAt, clock.now()),
      ...statusOfTargets(state, services.targets()),
      networks: [...state.networks.values()].map(({ name, members, reference }) => ({
        name,
        speaker: reference,
        nodes: members.filter(({ auxiliary }) => !auxiliary).length,
      })),
    }),
    hostedRecord: services.record,
    firstRound: () => roundOf(waiting, announce),
    firstHostedRound: () => roundOf(waitingForServices, announceServices),
    busy: () => settling !== undefined || changing > 0 || !reader.idle() || isAsking(state),
    async close() {
      settling?.();
      slices.finish();
      const nodes = [...state.targets.values()].map((target) => close(target, runner, subscriptions));
      await Promise.all([...nodes, services.close()]);
    },
  };
}

function roundOf(waiting: Array<() => void>, announce: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  waiting.push(() => resolve(undefined));
  announce();
  return promise;
}

function statusOfTargets({ targets }: State, services: Iterable<ServiceTarget>): Pick<Status, "targets" | "helpers"> {
  const all = [...targets.values()];
  const auxiliary = all.filter((target) => target.auxiliary);
  return {
    targets: [
      ...all.filter((target) => !target.auxiliary).map(targetStatus),
      ...[...services].map((each) => each.status()),
    ],
    ...(auxiliary.length === 0 ? {} : { helpers: auxiliary.map(targetStatus) }),
  };
}

function isAsking({ targets }: State): boolean {
  for (const { polls } of targets.values()) {
    for (const { lastAttempt, running, cancel } of polls.values())
      if (lastAttempt === undefined || running || cancel !== undefined) return true;
  }
  return false;
}
