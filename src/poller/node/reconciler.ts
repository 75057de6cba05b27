import { isDeepStrictEqual } from "node:util";
import { settingsOf, type Endpoint, type TargetFacts } from "../../api/endpoint.ts";
import { nodeEndpoints } from "../../topics/define/catalogue.ts";
import type { Config } from "../../config/config.ts";
import { pollId, type Plan, isUntried } from "../poll/poll.ts";
import { reconcilePolls } from "../poll/reconcile-polls.ts";
import type { Runner } from "../poll/runner.ts";
import { phaseOf } from "../poll/schedule.ts";
import { configOf, networkKey, networkOf, nodeKey, regroup } from "./poller-state.ts";
import type { NetworkQuestion, NodeTarget, PolledNetwork, PollerState } from "./poller-state.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { asked, openQuestions, soundOf, withoutFirst } from "./open-questions.ts";
import { type CommonFacts, factsReader, networkFacts } from "./facts-reader.ts";

/** Added polls are spread over so many seconds per node of the last change of the configuration, to avoid a burst. */
const SPREAD_PER_NODE = 0.03;
const LONGEST_SPREAD = 45;

/** Reconciles the polls of nodes with the configuration and with their identities, and chooses a reference node for each network. */
export class Reconciler {
  readonly #state: PollerState;
  readonly #runner: Pick<Runner, "arm" | "want">;
  readonly #subscriptions: Pick<Subscriptions, "follow">;
  /** The endpoints of nodes, in the order of the catalogue. */
  readonly #endpoints: ReadonlyArray<Endpoint<unknown>>;
  /** What the nodes of each network have in common. */
  readonly #common: CommonFacts = new Map();

  constructor(state: PollerState, runner: Pick<Runner, "arm" | "want">, subscriptions: Pick<Subscriptions, "follow">) {
    this.#state = state;
    this.#runner = runner;
    this.#subscriptions = subscriptions;
    this.#endpoints = nodeEndpoints(state.catalogue);
  }

  /** Reconciles the polls and the sockets of a node with the desired ones. */
  reconcile(target: NodeTarget): void {
    const state = this.#state;
    const config = configOf(state);
    const now = state.clock.now();
    const questions = networkOf(state, target)?.questions;
    const spread = Math.min(LONGEST_SPREAD, state.joining * SPREAD_PER_NODE);
    const isAsked = (id: string): boolean => questions?.get(id)?.holder === target;
    const isAskedAny = questions?.values().some(({ holder }) => holder === target) === true;
    target.networkFacts = isAskedAny ? networkFacts(config, target.facts) : undefined;
    const desired = desiredPolls(target, this.#endpoints, config, isAsked);
    const firstAt = ({ phase, every }: Plan): number => now + (spread * phase) / every;
    const { added, removed } = reconcilePolls(target.polls, desired, now, firstAt);
    // An answer about a network stays until the next node replaces it, or it expires.
    for (const { plan } of removed)
      if (plan.endpoint.scope !== "network") state.store.delete(plan.owner, plan.endpoint, plan.key);
    for (const poll of added) this.#runner.arm(target, poll);
    this.#subscriptions.follow(target, config.evm.websocket);
  }

  /**
   * Updates facts and polls after identities changed.
   * @param joined whether a node became known, by the configuration or by its first answer. A node that changes its known ID with
   * each answer must not have its observers polled more often than once an interval.
   */
  identities(joined: boolean): void {
    const state = this.#state;
    const all = [...state.targets.values()];
    const factsOf = factsReader(configOf(state), all, state.part, this.#common);
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
    regroup(state, state.clock.now());
    for (const network of state.networks.values()) this.choose(network, true);
    for (const target of changed) this.reconcile(target);
    for (const target of rewatched) this.#askAgain(target, joined);
  }

  /**
   * Chooses again if this is the reference node, or there is none. Changes of other nodes wait for the next tick: in a large
   * fleet some node has always just answered.
   */
  reconsider(target: NodeTarget): void {
    const network = networkOf(this.#state, target);
    if (network === undefined) return;
    if (network.reference === undefined || network.reference === target.config.name) this.choose(network);
  }

  /** Chooses the reference node of a network, and who is asked about it; `evenIfSame` reconciles those even if it is the present one. */
  choose(network: PolledNetwork, evenIfSame = false): void {
    const { store, clock, log, lines } = this.#state;
    const before = network.reference;
    const sound = soundOf(store, network, clock.now());
    const [best] = sound;
    const chosen = best?.config.name;
    if (chosen === before && !evenIfSame) return this.#assign(network, sound);
    network.reference = chosen;
    if (chosen !== before && lines.limit(`reference ${network.name}`))
      log.info({ network: network.name, reference: chosen, before }, "reference node changed");
    if (best !== undefined) network.facts = networkFacts(configOf(this.#state), best.facts);
    this.#assign(network, sound);
    for (const holder of new Set(network.questions.values().map((each) => each.holder)))
      if (holder !== undefined) this.reconcile(holder);
  }

  /** Asks each question about the network of the node that can answer it. */
  #assign(network: PolledNetwork, sound: readonly NodeTarget[]): void {
    const { store, clock, targets } = this.#state;
    const before = network.questions;
    const now = clock.now();
    const { endpoints: settings } = configOf(this.#state);
    const enabled = this.#endpoints.filter(
      (endpoint) => endpoint.scope === "network" && settingsOf(endpoint, settings[endpoint.id]).enabled,
    );
    const questions = new Map<string, NetworkQuestion>();
    for (const [id, open] of openQuestions(network, enabled, sound))
      questions.set(id, asked(withoutFirst(open, questions), before.get(id), now));
    network.questions = questions;
    const moved = new Set<NodeTarget | undefined>();
    for (const [id, { endpoint, key, holder: from }] of before) {
      if (!questions.has(id)) store.delete(networkKey(network.name), endpoint, key);
      if (from !== questions.get(id)?.holder) moved.add(from);
    }
    for (const [id, question] of questions) {
      const from = before.get(id)?.holder;
      if (from === question.holder) continue;
      moved.add(question.holder);
      this.#logMove(network.name, id, from, question);
    }
    for (const target of moved)
      if (target !== undefined && targets.get(target.config.name) === target) this.reconcile(target);
  }

  #logMove(network: string, id: string, from: NodeTarget | undefined, { holder, unable }: NetworkQuestion): void {
    const { log, lines } = this.#state;
    if (from === undefined || holder === undefined || !unable.has(from)) return;
    if (!lines.limit(`question ${network} ${id}`)) return;
    const nodes = { from: from.config.name, to: holder.config.name };
    log.info({ network, question: id, ...nodes }, "a question about the network moves to another node");
  }

  /** Has the validators polled at once that the last answer of an observer does not cover. */
  #askAgain(target: NodeTarget, joined: boolean): void {
    for (const poll of target.polls.values())
      // One that was not sent yet asks about all of them.
      if (poll.plan.endpoint.scope === "observer" && !(isUntried(poll.state) && poll.state.wait.is === "due"))
        this.#runner.want(target, poll, this.#state.clock.now(), !joined);
  }
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
