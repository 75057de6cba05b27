import { isDeepStrictEqual } from "node:util";
import { settingsOf, type Endpoint, type TargetFacts } from "../../api/endpoint.ts";
import { IsBootstrapped } from "../../api/node/info.ts";
import { nodeEndpoints, type Catalogue } from "../../topics/define/catalogue.ts";
import type { Part } from "../../topics/define/part.ts";
import { BEHIND_FOR } from "../../topics/chains/lag.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/events.ts";
import { pollId, type Plan, isUntried, reconcilePolls } from "../poll/poll.ts";
import type { Runner } from "../poll/runner.ts";
import type { LogLimit } from "../poll/log-limit.ts";
import { phaseOf } from "../poll/schedule.ts";
import type { Store } from "../poll/store.ts";
import type { TopicStates } from "../poll/topic-states.ts";
import {
  configOf,
  groupByNetwork,
  networkKey,
  nodeKey,
  type PolledNetwork,
  type NodeTarget,
  type NetworkQuestion,
  type PollerState,
  networkOf,
  remember,
} from "./state.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { asked, openQuestions, withoutFirst } from "./questions.ts";
import { factsReader, networkFacts } from "./target-facts.ts";

/** Added polls are spread over so many seconds per node of the last change of the configuration, to avoid a burst. */
const SPREAD_PER_NODE = 0.03;
const LONGEST_SPREAD = 45;

type Parts = {
  readonly catalogue: Catalogue;
  readonly part: Part;
  readonly state: PollerState;
  readonly store: Store;
  readonly states: TopicStates;
  readonly runner: Runner;
  readonly subscriptions: Pick<Subscriptions, "follow">;
  readonly clock: Clock;
  readonly log: Log;
  readonly limit: LogLimit;
  readonly createTarget: (node: NodeConfig) => NodeTarget;
  readonly closeTarget: (target: NodeTarget) => Promise<void>;
};

/** Reconciles the nodes with the configuration and with their identities, and chooses a reference node for each network. */
export function createReconciler(parts: Parts) {
  const { catalogue, part, state, store, states, runner, subscriptions, clock, log, limit } = parts;
  const endpoints = nodeEndpoints(catalogue);
  const ofNetworks = endpoints.filter(({ scope }) => scope === "network");
  const commonFacts: Parameters<typeof factsReader>[3] = new Map();

  /** Reconciles the polls and the sockets of a node with the desired ones. */
  function reconcile(target: NodeTarget): void {
    const config = configOf(state);
    const now = clock.now();
    const questions = networkOf(state, target)?.questions;
    const spread = Math.min(LONGEST_SPREAD, state.joining * SPREAD_PER_NODE);
    const isAsked = (id: string): boolean => questions?.get(id)?.holder === target;
    const isAskedAny = questions?.values().some(({ holder }) => holder === target) === true;
    target.networkFacts = isAskedAny ? networkFacts(config, target.facts) : undefined;
    const desired = desiredPolls(target, endpoints, config, isAsked);
    const firstAt = ({ phase, every }: Plan): number => now + (spread * phase) / every;
    const { added, removed } = reconcilePolls(target.polls, desired, now, firstAt);
    // An answer about a network stays until the next node replaces it, or it expires.
    for (const { plan } of removed)
      if (plan.endpoint.scope !== "network") store.delete(plan.owner, plan.endpoint, plan.key);
    for (const poll of added) runner.arm(target, poll);
    subscriptions.follow(target, config.evm.websocket);
  }

  /** The nodes that are up and bootstrapped, in the order of the configuration; those first that keep up. */
  function soundOf({ members }: PolledNetwork): readonly NodeTarget[] {
    const now = clock.now();
    const isBootstrapped = ({ key }: NodeTarget) =>
      store.get(key, IsBootstrapped, now, "P")?.value.isBootstrapped === true;
    const able = members.filter((member) => member.up === true && isBootstrapped(member));
    const keepsUp = ({ behindSince = now }: NodeTarget): boolean => now - behindSince < BEHIND_FOR;
    return [...able.filter(keepsUp), ...able.filter((each) => !keepsUp(each))];
  }

  /** Chooses the reference node of a network; `evenIfSame` reconciles it even if it is the present one. */
  function choose(network: PolledNetwork, evenIfSame = false): void {
    const before = network.reference;
    const [best] = soundOf(network);
    const chosen = best?.config.name;
    if (chosen === before && !evenIfSame) return assign(network);
    network.reference = chosen;
    if (chosen !== before && limit(`reference ${network.name}`))
      log.info({ network: network.name, reference: chosen, before }, "reference node changed");
    if (best !== undefined) network.facts = networkFacts(configOf(state), best.facts);
    assign(network);
    for (const holder of new Set(network.questions.values().map((each) => each.holder)))
      if (holder !== undefined) reconcile(holder);
  }

  /** Asks each question about the network of the node that can answer it. */
  function assign(network: PolledNetwork): void {
    const before = network.questions;
    const now = clock.now();
    const { endpoints: settings } = configOf(state);
    const enabled = ofNetworks.filter((endpoint) => settingsOf(endpoint, settings[endpoint.id]).enabled);
    const questions = new Map<string, NetworkQuestion>();
    for (const [id, open] of openQuestions(network, enabled, soundOf(network)))
      questions.set(id, asked(withoutFirst(open, questions), before.get(id), now));
    network.questions = questions;
    const moved = new Set<NodeTarget | undefined>();
    for (const [id, { endpoint, key, holder: from }] of before) {
      if (!questions.has(id)) store.delete(networkKey(network.name), endpoint, key);
      if (from !== questions.get(id)?.holder) moved.add(from);
    }
    for (const [id, { holder: to, unable }] of questions) {
      const from = before.get(id)?.holder;
      if (from === to) continue;
      moved.add(to);
      if (from !== undefined && to !== undefined && unable.has(from) && limit(`question ${network.name} ${id}`)) {
        const nodes = { from: from.config.name, to: to.config.name };
        log.info(
          { network: network.name, question: id, ...nodes },
          "a question about the network moves to another node",
        );
      }
    }
    for (const target of moved)
      if (target !== undefined && state.targets.get(target.config.name) === target) reconcile(target);
  }

  /** Groups the nodes by network, and forgets networks without nodes. */
  function regroup(): void {
    const before = state.networks;
    state.networks = groupByNetwork(state.targets.values(), before);
    for (const name of before.keys()) {
      if (state.networks.has(name)) continue;
      store.deleteOwner(networkKey(name));
      // Its last node is possibly replaced by one with other settings.
      states.setAside(networkKey(name), clock.now());
    }
  }

  /** Forgets a target. The next one of the same name and URL is the same node with other settings. */
  function forget(target: NodeTarget, next: NodeConfig | undefined): void {
    const { key } = target;
    store.deleteOwner(key);
    if (next?.url === target.config.url) {
      remember(state, target, clock.now());
      states.setAside(key, clock.now());
    } else states.forget(key);
  }

  /** Has the validators polled at once that the last answer of an observer does not cover. */
  function askAgain(target: NodeTarget, joined: boolean): void {
    for (const poll of target.polls.values())
      // One that was not sent yet asks about all of them.
      if (poll.plan.endpoint.scope === "observer" && !(isUntried(poll.state) && poll.state.wait.is === "due"))
        runner.want(target, poll, clock.now(), !joined);
  }

  /**
   * Updates facts and polls after identities changed.
   * @param joined whether a node became known, by the configuration or by its first answer. A node that changes its known ID with
   * each answer must not have its observers polled more often than once an interval.
   */
  function identities(joined: boolean): void {
    const all = [...state.targets.values()];
    const factsOf = factsReader(configOf(state), all, part, commonFacts);
    const changed: NodeTarget[] = [];
    const rewatched: NodeTarget[] = [];
    for (const target of all) {
      const before = target.facts;
      const facts = factsOf(target);
      // Equal facts stay the same object: topics are read again when it changes.
      if (isDeepStrictEqual(before, facts)) continue;
      target.facts = facts;
      if (facts.watch.some((id) => !before.watch.includes(id))) rewatched.push(target);
      // The watch list of the network only concerns the reference node, which is always reconciled.
      if (!isDeepStrictEqual(ofNodeAlone(before), ofNodeAlone(facts))) changed.push(target);
    }
    regroup();
    for (const network of state.networks.values()) choose(network, true);
    for (const target of changed) reconcile(target);
    for (const target of rewatched) askAgain(target, joined);
  }

  return {
    identities,
    /** Chooses the reference node, and the nodes that are asked about their network. */
    tick: choose,
    /**
     * Chooses again if this is the reference node, or there is none. Changes of other nodes wait for the next tick: in a large
     * fleet some node has always just answered.
     */
    reconsider(target: NodeTarget): void {
      const network = networkOf(state, target);
      if (network === undefined) return;
      if (network.reference === undefined || network.reference === target.config.name) choose(network);
    },
    /** Replaces the targets by these nodes, in their order. A node with an unchanged configuration keeps its state. */
    nodes(nodes: readonly NodeConfig[], config: Config): void {
      const isOnlyNodes = isDeepStrictEqual({ ...(state.config ?? config), nodes: [] }, { ...config, nodes: [] });
      state.config = config;
      const byName = new Map(nodes.map((node) => [node.name, node]));
      const gone = [...state.targets.values()].filter(
        ({ config: old }) => !isDeepStrictEqual(byName.get(old.name), old),
      );
      for (const target of gone) {
        state.targets.delete(target.config.name);
        void parts.closeTarget(target);
        forget(target, byName.get(target.config.name));
      }
      regroup();
      const joining = nodes.filter(({ name }) => !state.targets.has(name));
      // A change of any other section can add polls to every node.
      state.joining = (isOnlyNodes ? joining : nodes).length;
      const targets = nodes.map((node) => state.targets.get(node.name) ?? parts.createTarget(node));
      // What remains is no longer configured.
      state.remembered.clear();
      state.targets.clear();
      for (const target of targets) state.targets.set(target.config.name, target);
      identities(true);
      for (const target of targets) reconcile(target);
    },
  };
}

/** The facts without those that only the topics of networks read. */
function ofNodeAlone(facts: TargetFacts): object {
  return { ...facts, watchNetwork: undefined, watchDetails: undefined };
}

/**
 * The desired polls of a node: one for each question of the enabled endpoints.
 * @param isAsked whether the node is asked a question about its network, by the name of the poll
 */
export function desiredPolls(
  target: NodeTarget,
  endpoints: ReadonlyArray<Endpoint<unknown>>,
  config: Config,
  isAsked: (id: string) => boolean,
): ReadonlyArray<Plan<Endpoint<unknown>>> {
  const { node, network, options } = target.facts;
  return endpoints.flatMap((endpoint) => {
    if (endpoint.ofOneNode === true && options.publicServer) return [];
    const { enabled, ...settings } = settingsOf(endpoint, config.endpoints[endpoint.id]);
    // The series of a network need its label.
    if (!enabled || (endpoint.scope !== "node" && network === undefined)) return [];
    const owner = endpoint.scope === "network" ? networkKey(network ?? "") : nodeKey(node);
    const isOfNetwork = endpoint.scope === "network";
    const about = isOfNetwork && endpoint.byChain !== true ? networkFacts(config, target.facts) : target.facts;
    const keys = endpoint.keys(about).filter((key) => !isOfNetwork || isAsked(pollId(endpoint, key)));
    return keys.map((key) => {
      const phase = phaseOf(`${node} ${pollId(endpoint, key)}`, settings.every);
      return { endpoint, key, owner, ...settings, phase };
    });
  });
}
