import { createClient, type Client, type Connection, type OnNodeId } from "../api/client.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { IsBootstrapped, NetworkId, NetworkName, NodeId } from "../api/info.ts";
import { OwnRecords } from "../api/own-record.ts";
import { PlatformHeight } from "../api/platform.ts";
import type { Config, NodeConfig } from "../config/config.ts";
import type { Exposition } from "../exposition/exposition.ts";
import type { Catalogue } from "../metrics/catalogue.ts";
import type { Topic } from "../metrics/metric.ts";
import type { Clock } from "./clock.ts";
import type { Log, PollEvents } from "./events.ts";
import { isExpired } from "./grid.ts";
import { networkKey, networks, nodeKey, placeOfNetwork, placeOfNode, replan, type Network } from "./planning.ts";
import { createReader } from "./reader.ts";
import { createRunner, type Outcome } from "./runner.ts";
import { chooseSpeaker } from "./speakers.ts";
import type { Status } from "./status.ts";
import { createStore } from "./store.ts";
import { networkSubject, subjectsOf } from "./subjects.ts";
import { ownRecord, targetStatus, upAfter, type Poll, type Target } from "./target.ts";

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

/** First polls are spread over this many seconds a node, and no longer than `MOST_SPREAD`: a start must not be a stampede. */
const SPREAD_PER_NODE = 0.015;
const MOST_SPREAD = 15;
/** What nodes say about themselves is taken in together: a wait of this many seconds, and a little more for each node. */
const SETTLE = 0.01;
const SETTLE_PER_NODE = 0.001;
/** Nodes of a network that are compared in a second; a larger one is compared less often. */
const COMPARED_PER_SECOND = 200;

/** Polls the configured nodes, keeps their answers, and keeps the exposition in line with them. */
export function createEngine({ catalogue, exposition, clock, log, events, connect = createClient }: EngineOptions): Engine {
  const store = createStore();
  const reader = createReader(store, exposition, {
    failed: (topic, metric, error) => {
      log.error({ topic, metric, err: error }, "metric is defective");
      events.readFailed(topic);
    },
    duplicates: events.duplicates,
  });
  const runner = createRunner(clock, events, log, ended);
  const targets = new Map<string, Target>();
  const speakers = new Map<string, string>();
  /** Networks with answers that were not compared yet, and when each was compared last. */
  const uncompared = new Set<string>();
  const comparedAt = new Map<string, number>();
  const startedAt = clock.now();
  const waiting: Array<() => void> = [];
  let config: Config | undefined;
  let known: ReadonlyMap<string, Network> = new Map();
  let settling: (() => void) | undefined;

  const topicsOf = (scope: Topic["scope"]) => catalogue.topics.filter((topic) => topic.scope === scope);
  const fleetTopics = topicsOf("fleet");
  const networkTopics = topicsOf("network");
  const nodeTopics = [...topicsOf("node"), ...topicsOf("vantage")];

  function addTarget(node: NodeConfig): Target {
    const target: Target = {
      config: node,
      client: connect({ ...node, expectNodeId: node.nodeId }, (nodeId) => identified(target, nodeId)),
      learned: { nodeId: undefined, networkName: undefined },
      subject: { node: node.name, network: node.network, nodeId: undefined, chains: [], subnets: [], watch: [], watchNetwork: [], watchConfigured: [], aliases: [], healthTransport: node.healthTransport, dialect: node.dialect, labels: node.labels },
      speaksFor: undefined,
      polls: new Map(),
      tallies: new Map(),
      up: undefined,
      lastSuccess: undefined,
      behindSince: undefined,
      closed: false,
    };
    targets.set(node.name, target);
    return target;
  }

  function removeTarget(target: Target): void {
    target.closed = true;
    for (const poll of target.polls.values()) runner.disarm(poll);
    targets.delete(target.config.name);
    store.deleteOwner(nodeKey(target.config.name));
    reader.forget(nodeKey(target.config.name));
    if (target.subject.network !== undefined) uncompared.add(target.subject.network);
    void target.client.close().catch(() => undefined);
  }

  /** Every answer names its node: another name means that all answers so far were another node's. */
  function identified(target: Target, nodeId: string): void {
    const before = target.learned.nodeId;
    if (before === nodeId || target.closed) return;
    target.learned = { ...target.learned, nodeId };
    if (before !== undefined) {
      log.warn({ node: target.config.name, before, now: nodeId }, "another node answers at this address");
      store.deleteOwner(nodeKey(target.config.name));
      for (const poll of target.polls.values()) {
        if (poll.owner === nodeKey(target.config.name)) poll.heldSince = undefined;
        runner.due(target, poll, clock.now());
      }
      for (const topic of nodeTopics) reader.read(topic, placeOfNode(target), false);
    }
    settle();
  }

  function learn(target: Target, poll: Poll, value: unknown): void {
    if (poll.endpoint === (NodeId as Endpoint<unknown>)) {
      identified(target, (value as { nodeID: string }).nodeID);
    } else if (poll.endpoint === (NetworkName as Endpoint<unknown>)) {
      named(target, (value as { networkName: string }).networkName);
    } else if (poll.endpoint === (NetworkId as Endpoint<unknown>) && target.learned.networkName === undefined) {
      named(target, networkName((value as { networkID: number }).networkID));
    } else if (poll.endpoint === (PlatformHeight as Endpoint<unknown>)) {
      compareHeight(target, (value as { height: number }).height);
    }
  }

  function named(target: Target, networkName: string): void {
    if (target.learned.networkName === networkName) return;
    target.learned = { ...target.learned, networkName };
    settle();
  }

  /** A node that speaks for its network must keep up: is every other answer of now at most as high as this one? */
  function compareHeight(target: Target, height: number): void {
    const members = known.get(target.subject.network ?? "")?.members ?? [];
    const behind = members.some((other) => {
      const answer = store.of(nodeKey(other.config.name), PlatformHeight.id)?.get("");
      return answer !== undefined && (answer.value as { height: number }).height > height;
    });
    target.behindSince = behind ? (target.behindSince ?? clock.now()) : undefined;
  }

  function ended(target: Target, poll: Poll, outcome: Outcome): void {
    const now = clock.now();
    const current = target.polls.get(poll.key === "" ? poll.endpoint.id : `${poll.endpoint.id} ${poll.key}`) === poll;
    if (!current) return;
    const failure = "failure" in outcome ? outcome.failure : undefined;
    count(target, poll, failure?.reason);
    const wasUp = target.up;
    if (failure === undefined) target.lastSuccess = now;
    target.up = poll.unsupported ? true : upAfter(target, failure, now);
    if ("value" in outcome) {
      store.put(poll.owner, poll.endpoint.id, poll.key, { value: outcome.value, askedAt: outcome.askedAt, answeredAt: now });
      poll.heldSince = now;
      learn(target, poll, outcome.value);
      refresh(target, poll.endpoint, true);
    } else {
      expire(target, poll, now);
    }
    if (target.up !== wasUp) turned(target, wasUp, now);
    if (target.up !== wasUp || poll.endpoint === (IsBootstrapped as Endpoint<unknown>)) elect(target.subject.network);
    record(target, now);
    if (waiting.length > 0) settled();
  }

  function count(target: Target, poll: Poll, reason: Parameters<Map<string, number>["set"]>[0] | undefined): void {
    const tally = target.tallies.get(poll.endpoint.id) ?? { polls: 0, failures: new Map() };
    target.tallies.set(poll.endpoint.id, tally);
    tally.polls++;
    if (reason !== undefined && !poll.unsupported) {
      const failures: Map<string, number> = tally.failures;
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
    }
  }

  /** A node that came back is asked everything at once instead of when the back-off ends. */
  function turned(target: Target, wasUp: boolean | undefined, now: number): void {
    if (target.up === true && wasUp === false) {
      log.info({ node: target.config.name }, "node is up again");
      for (const poll of target.polls.values()) if (poll.failures > 0) runner.due(target, poll, now);
    } else if (target.up === false) {
      const error = [...target.polls.values()].find((poll) => poll.error !== undefined)?.error;
      log.warn({ node: target.config.name, reason: error?.reason, error: error?.message }, "node is down");
    }
  }

  function record(target: Target, now: number): void {
    const own = nodeKey(target.config.name);
    store.put(own, OwnRecords.id, "", { value: ownRecord(target), askedAt: now, answeredAt: now });
    for (const topic of catalogue.topicsByEndpoint.get(OwnRecords.id) ?? []) reader.read(topic, placeOfNode(target), true);
  }

  /** Reads every topic again that an endpoint's answers of this node concern. */
  function refresh(target: Target, endpoint: Endpoint<unknown>, fresh: boolean): void {
    const { network } = target.subject;
    for (const topic of catalogue.topicsByEndpoint.get(endpoint.id) ?? []) {
      if (topic.scope === "fleet") {
        if (network !== undefined) uncompared.add(network);
      } else if (topic.scope === "network") {
        if (network !== undefined && speakers.get(network) === target.config.name) readNetwork(topic, network, fresh);
      } else if (endpoint.scope === "network") {
        for (const member of known.get(network ?? "")?.members ?? []) reader.read(topic, placeOfNode(member), fresh);
      } else {
        reader.read(topic, placeOfNode(target), fresh);
      }
    }
  }

  function readNetwork(topic: Topic, network: string, fresh: boolean): void {
    const speaker = targets.get(speakers.get(network) ?? "");
    if (config !== undefined && speaker !== undefined) reader.read(topic, placeOfNetwork(config, network, speaker), fresh);
  }

  function expire(target: Target, poll: Poll, now: number): void {
    if (poll.heldSince === undefined || !isExpired(poll.heldSince, now, poll.every, poll.timeout, poll.failures)) return;
    poll.heldSince = undefined;
    if (store.delete(poll.owner, poll.endpoint.id, poll.key)) refresh(target, poll.endpoint, false);
  }

  /** Soon takes in what was learned: labels, watch lists, networks, and with them what is to be asked of whom. */
  function settle(): void {
    settling ??= clock.after(SETTLE + targets.size * SETTLE_PER_NODE, () => {
      settling = undefined;
      takeIn();
      settled();
    });
  }

  function takeIn(): void {
    if (config === undefined) return;
    const all = [...targets.values()];
    const subjects = subjectsOf(config, all);
    const changed = all.filter((target, index) => {
      const subject = subjects[index] ?? target.subject;
      const before = target.subject;
      target.subject = subject;
      return JSON.stringify({ ...before, watchNetwork: [] }) !== JSON.stringify({ ...subject, watchNetwork: [] });
    });
    known = networks(all);
    for (const network of [...speakers.keys()]) if (!known.has(network)) silence(network);
    for (const network of known.keys()) elect(network, true);
    for (const target of changed) plan(target);
    for (const target of changed) for (const topic of nodeTopics) reader.read(topic, placeOfNode(target), false);
    for (const network of known.keys()) uncompared.add(network);
  }

  /** Forgets a network that no node belongs to any more. */
  function silence(network: string): void {
    speakers.delete(network);
    store.deleteOwner(networkKey(network));
    reader.forget(networkKey(network));
  }

  function elect(network: string | undefined, evenIfSame = false): void {
    const members = known.get(network ?? "")?.members;
    if (network === undefined || members === undefined || config === undefined) return;
    const now = clock.now();
    const before = speakers.get(network);
    const chosen = chooseSpeaker(members.map(candidate), before, now);
    if (chosen === before && !evenIfSame) return;
    if (chosen === undefined) speakers.delete(network);
    else speakers.set(network, chosen);
    if (chosen !== before) log.info({ network, speaker: chosen, before }, "speaker of the network changed");
    for (const name of new Set([before, chosen])) {
      const target = targets.get(name ?? "");
      if (target === undefined) continue;
      target.speaksFor = name === chosen ? networkSubject(config, target.subject) : undefined;
      plan(target);
    }
    for (const topic of networkTopics) {
      if (chosen !== undefined) readNetwork(topic, network, false);
      else if (Object.keys(topic.needs).length === 0) reader.hide(topic, networkKey(network));
    }
  }

  function candidate(target: Target) {
    const bootstrapped = store.of(nodeKey(target.config.name), IsBootstrapped.id)?.get("P")?.value as { isBootstrapped: boolean } | undefined;
    return {
      name: target.config.name,
      up: target.up === true,
      bootstrapped: bootstrapped?.isBootstrapped,
      behindSince: target.behindSince,
    };
  }

  function plan(target: Target): void {
    if (config === undefined) return;
    const now = clock.now();
    const speaks = speakers.get(target.subject.network ?? "") === target.config.name;
    const { added, removed } = replan(target, catalogue.endpoints, config, speaks, now);
    for (const poll of removed) {
      runner.disarm(poll);
      // What was said about a network stays until the next speaker says it anew, or it is too old.
      if (poll.endpoint.scope === "network" && store.of(poll.owner, poll.endpoint.id) !== undefined && !speaks) continue;
      if (store.delete(poll.owner, poll.endpoint.id, poll.key)) refresh(target, poll.endpoint, false);
    }
    const spread = Math.min(MOST_SPREAD, targets.size * SPREAD_PER_NODE);
    for (const poll of added) {
      poll.heldSince = store.of(poll.owner, poll.endpoint.id)?.get(poll.key)?.answeredAt;
      runner.due(target, poll, now + (spread * poll.phase) / poll.every);
    }
    if (added.length + removed.length > 0) record(target, now);
  }

  /** Answers about a network that nobody speaks for grow old too. */
  function expireUnspoken(now: number): void {
    for (const [network] of known) {
      if (speakers.has(network)) continue;
      const owner = networkKey(network);
      for (const id of store.endpoints(owner)) {
        const endpoint = catalogue.endpoints.find((each) => each.id === id);
        const every = config?.endpoints[id]?.every ?? endpoint?.every ?? 0;
        for (const [key, { answeredAt }] of [...(store.of(owner, id) ?? [])]) {
          if (now - answeredAt > 3 * every) store.delete(owner, id, key);
        }
        if (store.of(owner, id) === undefined) {
          for (const topic of catalogue.topicsByEndpoint.get(id) ?? []) if (topic.scope === "network") reader.hide(topic, owner);
        }
      }
    }
  }

  function compareAll(now: number): void {
    for (const network of [...uncompared]) {
      const members = known.get(network)?.members ?? [];
      if (now - (comparedAt.get(network) ?? 0) < members.length / COMPARED_PER_SECOND) continue;
      uncompared.delete(network);
      comparedAt.set(network, now);
      for (const topic of fleetTopics) reader.compare(topic, networkKey(network), members.map(placeOfNode), now);
    }
  }

  function settled(): void {
    if (settling !== undefined || waiting.length === 0) return;
    for (const target of targets.values()) {
      for (const { lastAttempt } of target.polls.values()) if (lastAttempt === undefined) return;
    }
    compareAll(clock.now());
    for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    apply(next) {
      const before = config;
      config = next;
      const wanted = new Map(next.nodes.map((node) => [node.name, node]));
      for (const target of [...targets.values()]) {
        if (JSON.stringify(wanted.get(target.config.name)) !== JSON.stringify(target.config)) removeTarget(target);
      }
      for (const node of next.nodes) if (!targets.has(node.name)) addTarget(node);
      const ordered = next.nodes.map(({ name }) => targets.get(name)).filter((target) => target !== undefined);
      targets.clear();
      for (const target of ordered) targets.set(target.config.name, target);
      takeIn();
      if (before !== undefined) for (const target of targets.values()) plan(target);
    },
    tick() {
      const now = clock.now();
      runner.tick(targets.values());
      for (const target of targets.values()) for (const poll of target.polls.values()) expire(target, poll, now);
      for (const network of known.keys()) elect(network);
      expireUnspoken(now);
      compareAll(now);
    },
    status: () => ({
      now: clock.now(),
      startedAt,
      networks: [...known.values()].map(({ name, members }) => ({ name, speaker: speakers.get(name), nodes: members.length })),
      targets: [...targets.values()].map(targetStatus),
    }),
    firstRound: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.push(() => resolve(undefined));
      settled();
      return promise;
    },
    async close() {
      settling?.();
      const clients = [...targets.values()].map(({ client }) => client);
      for (const target of targets.values()) {
        target.closed = true;
        for (const poll of target.polls.values()) runner.disarm(poll);
      }
      await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
    },
  };
}

/** Names that AvalancheGo gives to network numbers, for servers that do not say the name. */
function networkName(id: number): string {
  return ({ 1: "mainnet", 5: "fuji", 12345: "local" } as Readonly<Record<number, string>>)[id] ?? `network-${id}`;
}
