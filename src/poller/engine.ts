import { createClient, type Client, type Connection, type OnNodeId } from "../api/client.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import { DEFAULT_EVM, defaultConfig } from "../config/default-config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import type { Catalogue } from "../metrics/catalogue.ts";
import type { Clock } from "./clock.ts";
import { delegate } from "./delegating.ts";
import type { Log, PollEvents } from "./events.ts";
import type { Fleet } from "./fleet.ts";
import { identified, recountHeights, takeIn } from "./learning.ts";
import { nodeKey } from "./planning.ts";
import { plan } from "./plan.ts";
import { ended, expire } from "./polls.ts";
import { createReader } from "./reader.ts";
import { createRunner } from "./runner.ts";
import { compareAll, showAllRecords, showRecord } from "./showing.ts";
import { elect, expireUnspoken } from "./speaking.ts";
import type { Status } from "./status.ts";
import { createStore } from "./store.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { targetStatus, type Target } from "./target.ts";

export type EngineOptions = {
  readonly catalogue: Catalogue;
  readonly exposition: Exposition;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: PollEvents;
  /** Replaced in tests. */
  readonly connect?: (connection: Connection, onNodeId: OnNodeId) => Client;
};

export type Engine = {
  /** Starts with a configuration, or changes to another: what did not change goes on undisturbed. */
  readonly apply: (config: Config) => void;
  /** To be called once a second. */
  readonly tick: () => void;
  readonly status: () => Status;
  /** Resolves when everything that is to be polled has been polled once. */
  readonly firstRound: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What nodes say about themselves is taken in together: after this many seconds, and a little more for each node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;

const NOTHING: Config = { ...defaultConfig(), nodes: [] };

/** Polls the configured nodes, keeps their answers, and keeps the exposition in line with them. */
export function createEngine({
  catalogue,
  exposition,
  clock,
  log,
  events,
  connect = createClient,
}: EngineOptions): Engine {
  const startedAt = clock.now();
  const waiting: Array<() => void> = [];
  let settling: (() => void) | undefined;

  const store = createStore();
  const fleet: Fleet = {
    catalogue,
    topics: {
      node: catalogue.topics.filter(({ scope }) => scope === "node" || scope === "vantage"),
      network: catalogue.topics.filter(({ scope }) => scope === "network"),
      fleet: catalogue.topics.filter(({ scope }) => scope === "fleet"),
    },
    clock,
    log,
    events,
    store,
    reader: createReader(
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
    ),
    runner: createRunner(clock, events, log, (target, poll, outcome) => {
      ended(fleet, target, poll, outcome);
      announce();
    }),
    subscriptions: createSubscriptions(
      clock,
      log,
      () => fleet.runner,
      (target) => showRecord(fleet, target, clock.now()),
    ),
    targets: new Map(),
    speakers: new Map(),
    uncompared: new Set(),
    comparedAt: new Map(),
    highest: new Map(),
    config: NOTHING,
    joining: 0,
    networks: new Map(),
    settle() {
      settling ??= clock.after(SETTLE + fleet.targets.size * SETTLE_PER_NODE, () => {
        settling = undefined;
        takeIn(fleet);
        announce();
      });
    },
  };

  /** Tells those who wait for the first round when there is nothing left in it. */
  function announce(): void {
    if (waiting.length === 0 || settling !== undefined || !fleet.reader.idle() || !isRoundComplete(fleet)) return;
    showAllRecords(fleet, clock.now());
    compareAll(fleet, clock.now());
    for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    apply(next) {
      const first = fleet.config === NOTHING;
      const isSame = beside(fleet.config) === beside(next);
      fleet.config = next;
      const added = replaceTargets(fleet, next, (node) =>
        newTarget(node, (target) =>
          connect({ ...node, expectNodeId: node.nodeId }, (id) => identified(fleet, target, id)),
        ),
      );
      fleet.joining = isSame ? added : fleet.targets.size;
      takeIn(fleet);
      if (!first) for (const target of fleet.targets.values()) plan(fleet, target);
    },
    tick() {
      const now = clock.now();
      fleet.runner.tick(fleet.targets.values());
      for (const target of fleet.targets.values())
        for (const poll of target.polls.values()) expire(fleet, target, poll, now);
      recountHeights(fleet);
      for (const network of fleet.networks.keys()) {
        elect(fleet, network);
        delegate(fleet, network);
      }
      expireUnspoken(fleet, now);
      compareAll(fleet, now);
      announce();
    },
    status: () => ({
      now: clock.now(),
      startedAt,
      networks: [...fleet.networks.values()].map(({ name, members }) => ({
        name,
        speaker: fleet.speakers.get(name),
        nodes: members.length,
      })),
      targets: [...fleet.targets.values()].map(targetStatus),
    }),
    firstRound() {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.push(() => resolve(undefined));
      announce();
      return promise;
    },
    async close() {
      settling?.();
      await Promise.all([...fleet.targets.values()].map((target) => shut(fleet, target)));
    },
  };
}

function isRoundComplete({ targets }: Fleet): boolean {
  for (const { polls } of targets.values()) {
    for (const { lastAttempt } of polls.values()) if (lastAttempt === undefined) return false;
  }
  return true;
}

/** What is configured beside the nodes: a change of it concerns all of them. */
function beside(config: Config): string {
  return JSON.stringify({ ...config, nodes: [] });
}

/**
 * Makes the targets those of the configuration, in its order; the number of new ones. A node whose configuration is the same
 * keeps everything.
 */
function replaceTargets(fleet: Fleet, { nodes }: Config, create: (node: NodeConfig) => Target): number {
  const wanted = new Map(nodes.map((node) => [node.name, node]));
  const before = new Map(fleet.targets);
  for (const target of before.values()) {
    const node = wanted.get(target.config.name);
    if (node === undefined || JSON.stringify(node) !== JSON.stringify(target.config)) {
      void shut(fleet, target);
      forget(fleet, target);
      before.delete(target.config.name);
    }
  }
  fleet.targets.clear();
  for (const node of nodes) fleet.targets.set(node.name, before.get(node.name) ?? create(node));
  return nodes.filter(({ name }) => !before.has(name)).length;
}

function forget({ store, reader, uncompared }: Fleet, { config, subject }: Target): void {
  store.deleteOwner(nodeKey(config.name));
  reader.forget(nodeKey(config.name));
  if (subject.network !== undefined) uncompared.add(subject.network);
}

async function shut({ runner, subscriptions }: Fleet, target: Target): Promise<void> {
  target.closed = true;
  subscriptions.drop(target);
  for (const poll of target.polls.values()) runner.disarm(poll);
  // A socket that does not close in order is of no interest any more.
  await target.client.close().catch(() => undefined);
}

function newTarget(config: NodeConfig, connect: (target: Target) => Client): Target {
  const target: Omit<Target, "client"> = {
    config,
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
