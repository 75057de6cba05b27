import { createClient, type Connect } from "../api/transport/client.ts";
import type { Catalogue } from "../topics/define/catalogue.ts";
import { partOf, type Part } from "../topics/define/part.ts";
import type { HostedRecord } from "../topics/exporter/hosted-record.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log, PollEvents } from "../runtime/log.ts";
import { Services } from "./hosted/services.ts";
import { NodeCollector } from "./node/node-collector.ts";
import { Fleet } from "./fleet.ts";
import { targetStatus } from "./node/node-target.ts";
import { Reconciler } from "./node/reconciler.ts";
import { memoryOf, recall } from "./node/node-memory.ts";
import { areSocketsTried, wordsAbout, type PollerState } from "./node/poller-state.ts";
import { createSubscriptions } from "./node/subscriptions.ts";
import { unknownTogether, type UnknownName } from "./node/unknown-name.ts";
import { Collector } from "./poll/collector.ts";
import { NodeLog } from "./poll/log-limit.ts";
import { NOTHING_REMEMBERED, type Memory } from "./poll/memory.ts";
import { concludeRound } from "./poll/take-outcome.ts";
import { Runner } from "./poll/runner.ts";
import type { Status } from "./poll/status.ts";
import { Store } from "./poll/store.ts";
import { TopicStates } from "./poll/topic-states.ts";

/**
 * Polls the configured nodes and hosted services. The end of a poll puts the answer into the store and advances the topics that
 * count; `collect` reads the topics. What an answer teaches of a node (`identityAfter`) is a fact that the reconciler reads.
 */
export type Poller = {
  /** Applies the first or another configuration. Unchanged polls continue. */
  readonly apply: (config: Config) => void;
  /** Must be called once a second. */
  readonly tick: () => void;
  /**
   * Reads every topic whose answers have changed or are too old, into the exposition.
   * @param isSparing keeps what `tick` has read: comparisons of ten nodes and more, and everything about more than 250 nodes, can be up
   * to ten seconds old
   */
  readonly collect: (isSparing?: boolean) => void;
  readonly status: () => Status;
  /** Names in the answers of the nodes that this release does not know. */
  readonly unknown: () => readonly UnknownName[];
  /** What a node itself reports of a failing check, or of that of a chain; `undefined` where it passes. */
  readonly words: (node: string, check: string) => string | undefined;
  /** What a later poller of the same nodes can continue from. */
  readonly memory: () => Memory;
  /** The record of the requests to hosted services. */
  readonly hostedRecord: () => HostedRecord;
  /** Resolves when every poll of a node has ended once. */
  readonly firstRound: () => Promise<void>;
  /** Resolves when every poll has ended once, those of hosted services too, which wait for the budget, and every WebSocket was tried. */
  readonly wholeRound: () => Promise<void>;
  /** Decides what is in doubt, where there is one round. */
  readonly concluded: () => void;
  /** Whether a poll of a node was never sent, is running, or is due within the next second. */
  readonly busy: () => boolean;
  /** Ends all polls and connections. */
  readonly close: () => Promise<void>;
};

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
  /** Whether a person waits for one round at a terminal: hosted services can be sent more at once. */
  readonly attended?: boolean;
  /** Replaced in tests. */
  readonly connect?: Connect;
};

/** Seconds by which the clock can be set back without a reaction: polls and expiry are late by no more than that. */
const TOLERATED = 10;

/** Creates a poller that has nothing to poll until a configuration is applied. */
export function createPoller(options: PollerOptions): Poller {
  const { exposition, clock, log, events, shard = "", nodesOf = ({ nodes }) => nodes } = options;
  const state = newState(options);
  const topics = new Collector({ ...state, exposition, events, shard });
  const collector = new NodeCollector(state, topics);
  const services = new Services(state, topics);
  const runner = new Runner(clock, events, log);
  const subscriptions = createSubscriptions(clock, log, runner);
  const reconciler = new Reconciler(state, runner, subscriptions);
  const fleet = new Fleet({ state, runner, subscriptions, reconciler, collector, services });
  const startedAt = clock.now();
  let latest = startedAt;

  function apply(config: Config): void {
    fleet.apply(nodesOf(config), config);
    services.apply();
    runner.announce();
  }

  /** Where the clock was set back the age of earlier answers is unknown: they are dropped, and everything is polled again. */
  function checkClock(now: number): void {
    const seconds = latest - now;
    latest = now;
    const { config } = state;
    if (seconds <= TOLERATED || config === undefined) return;
    log.warn({ seconds }, "the clock was set back: polling everything again");
    // Identities, and the states that topics save, hold at any time.
    const remembered = memoryOf(state, now);
    apply({ ...config, nodes: [], dataApi: undefined, metricsApi: undefined });
    recall(state, remembered);
    apply(config);
  }

  const concluded = (): void => concludeRound([...state.targets.values(), ...services.targets], clock.now());
  const isRoundOver = (): boolean => fleet.isRoundOver();
  const isWholeRoundOver = (): boolean => isRoundOver() && areSocketsTried(state) && services.isRoundComplete();

  return {
    apply,
    tick() {
      const now = clock.now();
      checkClock(now);
      runner.tick(state.targets.values());
      fleet.distribute(now);
      collector.tick(now);
      state.lines.tick();
      runner.tick(services.targets);
      runner.announce();
    },
    collect(isSparing = false) {
      const now = clock.now();
      topics.begin();
      collector.collect(now, isSparing);
      services.collect(now);
      topics.end();
    },
    status: () => statusOf(state, services, startedAt, clock.now()),
    unknown: () => unknownTogether(state.targets.values(), state.store, clock.now()),
    words: (node, check) => wordsAbout(state, node, check, clock.now()),
    memory: () => memoryOf(state, clock.now()),
    hostedRecord: () => services.record(),
    firstRound: () => runner.round(isRoundOver),
    wholeRound: () => runner.round(isWholeRoundOver).then(concluded),
    concluded,
    busy: () => fleet.busy(),
    async close() {
      state.lines.tick(true);
      await Promise.all([fleet.close(), services.close()]);
    },
  };
}

function newState({ part = "whole", ...options }: PollerOptions): PollerState {
  const { clock, log, attended = false, connect = createClient, memory = NOTHING_REMEMBERED } = options;
  const state: PollerState = {
    catalogue: partOf(options.catalogue, part),
    part,
    attended,
    connect,
    clock,
    log,
    lines: new NodeLog(clock, log),
    store: new Store(),
    states: new TopicStates(log),
    config: undefined,
    targets: new Map(),
    networks: new Map(),
    remembered: new Map(),
    namesById: undefined,
    joining: 0,
  };
  recall(state, memory);
  return state;
}

/** @param startedAt Unix seconds; the clock was possibly set back since */
function statusOf({ targets, networks }: PollerState, services: Services, startedAt: number, now: number): Status {
  return {
    now,
    startedAt: Math.min(startedAt, now),
    targets: [
      ...[...targets.values()].map((each) => targetStatus(each, now)),
      ...services.targets.flatMap((each) => each.status() ?? []),
    ],
    networks: [...networks.values()].map(({ name, members, reference: referenceNode }) => {
      return { name, referenceNode, nodes: members.length };
    }),
  };
}
