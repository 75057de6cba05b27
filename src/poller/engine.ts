import { createClient, type Client, type Connection, type OnNodeId } from "../api/client.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import { DEFAULT_EVM, defaultConfig } from "../config/default-config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import type { Catalogue } from "../metrics/catalogue.ts";
import { catalogueWithin, EVERYTHING, type Remit } from "../metrics/remit.ts";
import type { Clock } from "./clock.ts";
import { delegate } from "./delegating.ts";
import type { Log, PollEvents } from "./events.ts";
import type { Fleet } from "./fleet.ts";
import { endpointsOfHelpers } from "./helping.ts";
import { identified, recountHeights, takeIn } from "./learning.ts";
import { nodeKey } from "./planning.ts";
import { plan } from "./plan.ts";
import { ended, expire } from "./polls.ts";
import { createReader } from "./reader.ts";
import { createRunner } from "./runner.ts";
import { isSameData } from "./same-data.ts";
import type { Nodes } from "./shard.ts";
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
  /** What this process answers for; everything when left out. */
  readonly remit?: Remit;
  /** Which nodes of a configuration are asked; all of them when left out. */
  readonly nodesOf?: (config: Config) => Nodes;
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
  /** Whether something is being asked, is to be asked at once, or is not shown yet. */
  readonly busy: () => boolean;
  readonly close: () => Promise<void>;
};

/** What nodes say about themselves is taken in together: after this many seconds, and a little more for each node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;

const NOTHING: Config = { ...defaultConfig(), nodes: [] };

/** Polls the configured nodes, keeps their answers, and keeps the exposition in line with them. */
export function createEngine({
  catalogue: whole,
  exposition,
  clock,
  log,
  events,
  remit = EVERYTHING,
  nodesOf = ({ nodes }) => ({ own: nodes, helpers: [] }),
  connect = createClient,
}: EngineOptions): Engine {
  const catalogue = catalogueWithin(remit, whole);
  const startedAt = clock.now();
  const waiting: Array<() => void> = [];
  let settling: (() => void) | undefined;

  const store = createStore();
  const fleet: Fleet = {
    catalogue,
    remit,
    helperEndpoints: endpointsOfHelpers(catalogue),
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
      const added = replaceTargets(fleet, nodesOf(next), (node, helps) =>
        newTarget(node, helps, (target) =>
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
      ...statusOfTargets(fleet),
      networks: [...fleet.networks.values()].map(({ name, members }) => ({
        name,
        speaker: fleet.speakers.get(name),
        nodes: members.filter(({ helps }) => !helps).length,
      })),
    }),
    firstRound() {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.push(() => resolve(undefined));
      announce();
      return promise;
    },
    busy: () => settling !== undefined || !fleet.reader.idle() || isAsking(fleet),
    async close() {
      settling?.();
      await Promise.all([...fleet.targets.values()].map((target) => shut(fleet, target)));
    },
  };
}

function statusOfTargets({ targets }: Fleet): Pick<Status, "targets" | "helpers"> {
  const [own, helpers] = [false, true].map((helps) => [...targets.values()].filter((each) => each.helps === helps));
  return {
    targets: (own ?? []).map(targetStatus),
    ...(helpers === undefined || helpers.length === 0 ? {} : { helpers: helpers.map(targetStatus) }),
  };
}

function isRoundComplete({ targets }: Fleet): boolean {
  for (const { polls } of targets.values()) {
    for (const { lastAttempt } of polls.values()) if (lastAttempt === undefined) return false;
  }
  return true;
}

function isAsking({ targets }: Fleet): boolean {
  for (const { polls } of targets.values()) {
    for (const { lastAttempt, running, cancel } of polls.values())
      if (lastAttempt === undefined || running || cancel !== undefined) return true;
  }
  return false;
}

/** What is configured beside the nodes: a change of it concerns all of them. */
function beside(config: Config): string {
  return JSON.stringify({ ...config, nodes: [] });
}

/** Makes the targets these nodes, in their order; the number of new ones. A node whose configuration is the same keeps everything. */
function replaceTargets(
  fleet: Fleet,
  { own, helpers }: Nodes,
  create: (node: NodeConfig, helps: boolean) => Target,
): number {
  const wanted = [...own.map((node) => ({ node, helps: false })), ...helpers.map((node) => ({ node, helps: true }))];
  const byName = new Map(wanted.map((each) => [each.node.name, each]));
  const before = new Map(fleet.targets);
  for (const target of before.values()) {
    const next = byName.get(target.config.name);
    if (next?.helps !== target.helps || !isSameData(next.node, target.config)) {
      void shut(fleet, target);
      forget(fleet, target);
      before.delete(target.config.name);
    }
  }
  fleet.targets.clear();
  for (const { node, helps } of wanted) fleet.targets.set(node.name, before.get(node.name) ?? create(node, helps));
  return wanted.filter(({ node: { name } }) => !before.has(name)).length;
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

function newTarget(config: NodeConfig, helps: boolean, connect: (target: Target) => Client): Target {
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
