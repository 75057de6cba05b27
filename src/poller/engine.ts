import { createClient, type Client, type OnNodeId } from "../api/transport/client.ts";
import type { Connection } from "../api/transport/connection.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import { defaultConfig } from "../config/default-config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { catalogueWithin, EVERYTHING, type Remit } from "../catalogue/remit.ts";
import type { Clock } from "../runtime/clock.ts";
import { delegate } from "./delegating.ts";
import type { Log, PollEvents } from "../runtime/events.ts";
import type { Fleet } from "./fleet.ts";
import { endpointsOfHelpers } from "./shard/helping.ts";
import { identified, recountHeights, takeIn } from "./learning.ts";
import { ended, expire } from "./polls.ts";
import { createReader } from "./reader.ts";
import { replaceTargets, shut } from "./replace-targets.ts";
import { createRunner } from "./runner.ts";
import { isSameData } from "./same-data.ts";
import type { Nodes } from "./shard/shard.ts";
import { compareAll, showAllRecords, showRecord } from "./showing.ts";
import { elect, expireUnspoken } from "./speaking.ts";
import type { Status } from "./status.ts";
import { createStore } from "./store.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { newTarget, targetStatus } from "./target.ts";
import { createTurns, type Job } from "../runtime/turns.ts";

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
  /**
   * Starts with a configuration, or changes to another: what did not change goes on undisturbed. A large change takes several
   * turns of the event loop.
   */
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
  const turns = createTurns(clock);
  let settling: (() => void) | undefined;
  let changing = 0;
  let concluding = false;

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
        work(takeIn(fleet));
      });
    },
  };

  /** Takes the changes of many nodes in turns: polls and scrapes go on between them. One change is whole before the next begins. */
  function work(change: Generator<undefined, unknown>): void {
    changing++;
    turns.run(
      (function* (): Job {
        yield* change;
        changing--;
        announce();
      })(),
    );
  }

  /** Tells those who wait for the first round when there is nothing left in it. */
  function announce(): void {
    if (waiting.length === 0 || concluding || settling !== undefined || changing > 0) return;
    if (!fleet.reader.idle() || !isRoundComplete(fleet)) return;
    concluding = true;
    work(lookAtAll());
    conclude();
  }

  function* lookAtAll(): Generator<undefined, void> {
    yield* showAllRecords(fleet, clock.now());
    compareAll(fleet, clock.now(), true);
  }

  /** What is read of the whole round is shown in turns, too. */
  function conclude(): void {
    if (changing > 0 || !fleet.reader.idle()) {
      clock.after(SETTLE, conclude);
      return;
    }
    concluding = false;
    for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    apply(next) {
      const isSame = isSameBeside(fleet.config, next);
      fleet.config = next;
      const create = (node: NodeConfig, helps: boolean) =>
        newTarget(node, helps, (target) =>
          connect({ ...node, expectNodeId: node.nodeId }, (id) => identified(fleet, target, id)),
        );
      work(replaceTargets(fleet, nodesOf(next), isSame, create));
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
      // The clock may have been set back since.
      startedAt: Math.min(startedAt, clock.now()),
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
    busy: () => settling !== undefined || changing > 0 || !fleet.reader.idle() || isAsking(fleet),
    async close() {
      settling?.();
      turns.finish();
      await Promise.all([...fleet.targets.values()].map((target) => shut(fleet, target)));
    },
  };
}

function statusOfTargets({ targets }: Fleet): Pick<Status, "targets" | "helpers"> {
  const all = [...targets.values()];
  const helpers = all.filter(({ helps }) => helps);
  return {
    targets: all.filter(({ helps }) => !helps).map(targetStatus),
    ...(helpers.length === 0 ? {} : { helpers: helpers.map(targetStatus) }),
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

/** Whether two configurations differ in nothing but their nodes: what else is configured concerns all of them. */
function isSameBeside(a: Config, b: Config): boolean {
  return isSameData({ ...a, nodes: [] }, { ...b, nodes: [] });
}
