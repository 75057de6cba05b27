import type { Endpoint, TargetFacts } from "../../api/endpoint.ts";
import { nodeEndpoints, type Catalogue } from "../../topics/define/catalogue.ts";
import type { Part } from "../../topics/define/part.ts";
import type { Config, NodeConfig } from "../../config/config.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Work } from "../../runtime/work.ts";
import { pollId, type Planned, type Poll } from "../poll/poll.ts";
import type { Reader } from "../poll/reader.ts";
import type { Runner } from "../poll/runner.ts";
import { phaseOf, reconcilePolls, settingsOf } from "../poll/schedule.ts";
import type { Store } from "../poll/store.ts";
import { auxiliaryEndpoints, type Nodes } from "../shard/shard.ts";
import type { Publisher } from "./publisher.ts";
import { configOf, groupByNetwork, isReference, networkKey, networkOf, nodeKey } from "./state.ts";
import { remember } from "./remembered.ts";
import type { Network, NodeTarget, State } from "./state.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { factsReader, networkFacts } from "./target-facts.ts";

/**
 * Added polls are spread over so many seconds per node of the last change of the configuration, to avoid a burst: in the first round
 * after it, and later, when nodes return or have another identity.
 */
const FIRST_ROUND = { perNode: 0.03, most: 45 };
const LATER = { perNode: 0.015, most: 15 };

/** Seconds over which added polls are spread. The polls of the first round come in two waves: some need the identity of the node. */
export function spreadAt(now: number, { joining, joinedAt }: Pick<State, "joining" | "joinedAt">): number {
  const secondsOf = ({ perNode, most }: typeof LATER): number => Math.min(most, joining * perNode);
  const first = secondsOf(FIRST_ROUND);
  return now < joinedAt + 2 * first ? first : secondsOf(LATER);
}

type Parts = {
  readonly catalogue: Catalogue;
  readonly part: Part;
  readonly state: State;
  readonly store: Store;
  readonly reader: Pick<Reader, "forget" | "setAside">;
  readonly publisher: Pick<Publisher, "node" | "record" | "refresh">;
  readonly runner: Pick<Runner, "disarm" | "due">;
  readonly subscriptions: Pick<Subscriptions, "follow">;
  readonly clock: Clock;
  /** Chooses the reference node of a network and reconciles it, even if it is the present one. */
  readonly chooseReference: (network: Network) => void;
  readonly createTarget: (node: NodeConfig, auxiliary: boolean) => NodeTarget;
  readonly closeTarget: (target: NodeTarget) => Promise<void>;
};

/** Reconciles the nodes with the configuration and with their identities, one node per step. */
export function createReconciler(parts: Parts) {
  const { catalogue, part, state, store, reader, publisher, runner, subscriptions, clock } = parts;
  const { chooseReference, createTarget, closeTarget } = parts;
  const endpoints = nodeEndpoints(catalogue);
  const endpointsOfAuxiliary = auxiliaryEndpoints(catalogue);
  /** When polls of observers were last sent early because a known node changed. Unix seconds. */
  const early = new WeakMap<Poll, number>();

  /** Reconciles the polls and the sockets of a node with the desired ones. */
  function reconcile(target: NodeTarget): void {
    const config = configOf(state);
    const now = clock.now();
    const reference = isReference(state, target);
    const desired = desiredPolls(target, target.auxiliary ? endpointsOfAuxiliary : endpoints, config, reference);
    const { added, removed } = reconcilePolls(target.polls, desired, now, target.stretch);
    for (const poll of removed) {
      runner.disarm(poll);
      // An answer about a network stays until the next reference node replaces it, or it expires.
      if (poll.endpoint.scope === "network" && !reference && isStillPolled(target, poll)) continue;
      if (store.delete(poll.owner, poll.endpoint, poll.key)) publisher.refresh(target, poll.endpoint, false);
    }
    const spread = spreadAt(now, state);
    for (const poll of added) {
      const held = store.get(poll.owner, poll.endpoint, poll.key);
      poll.heldSince = held?.answeredAt;
      // A chain is the same on every node: the next node continues from the last answer of the previous one.
      if (poll.endpoint.byChain === true && poll.endpoint.follows === true) poll.previous = held?.value;
      runner.due(target, poll, now + (spread * poll.phase) / poll.every);
    }
    subscriptions.follow(target, config.evm.websocket && !target.auxiliary);
    if (added.length + removed.length > 0) publisher.record(target, now);
  }

  /** Groups the nodes by network, and forgets networks without nodes. */
  function regroup(): void {
    const before = state.networks;
    state.networks = groupByNetwork(state.targets.values(), before);
    for (const name of before.keys()) {
      if (state.networks.has(name)) continue;
      store.deleteOwner(networkKey(name));
      // Its last node is possibly replaced by one with other settings.
      reader.setAside(networkKey(name));
    }
  }

  /** Forgets a target. The next one of the same name and URL is the same node with other settings. */
  function forget(target: NodeTarget, next: NodeConfig | undefined): void {
    const network = networkOf(state, target);
    const key = nodeKey(target.config.name);
    store.deleteOwner(key);
    if (next?.url === target.config.url) {
      remember(state, target);
      reader.setAside(key);
    } else reader.forget(key);
    if (network !== undefined) network.changed = "all";
  }

  /**
   * Polls an observer at once about validators that its last answer does not cover. After the change of a known node each poll is
   * sent early once an interval at most, and the others come at their cadence: a node that changes its ID with each answer must
   * not have its observers polled more often.
   */
  function askAgain(target: NodeTarget, joined: boolean): void {
    const now = clock.now();
    for (const poll of target.polls.values()) {
      if (poll.endpoint.scope !== "observer" || poll.lastAttempt === undefined) continue;
      if (!joined) {
        if (now - (early.get(poll) ?? -Infinity) < poll.every) continue;
        early.set(poll, now);
      }
      runner.due(target, poll, now);
    }
  }

  /**
   * Updates facts, polls and labels after identities changed. Returns the targets whose facts changed.
   * @param joined whether a node became known, by the configuration or by its first answer
   */
  function* identities(joined: boolean): Work<ReadonlySet<NodeTarget>> {
    const all = [...state.targets.values()];
    const factsOf = factsReader(configOf(state), all, part);
    const changed = new Set<NodeTarget>();
    const rewatched: NodeTarget[] = [];
    for (const target of all) {
      const before = target.facts;
      target.facts = factsOf(target);
      if (target.facts.watch.some((id) => !before.watch.includes(id))) rewatched.push(target);
      // The watch list of the network only concerns the reference node, which is always reconciled.
      if (!isSameData(ofNodeAlone(before), ofNodeAlone(target.facts))) changed.add(target);
      yield;
    }
    regroup();
    for (const network of state.networks.values()) {
      chooseReference(network);
      network.changed = "all";
    }
    for (const target of changed) {
      reconcile(target);
      publisher.node(target);
      yield;
    }
    for (const target of rewatched) askAgain(target, joined);
    return changed;
  }

  return {
    reconcile,
    identities,
    /**
     * Replaces the targets by these nodes, in their order. A node with an unchanged configuration keeps its state. Dropped
     * nodes are neither polled nor compared from the first step on.
     */
    *nodes({ own, auxiliary }: Nodes, config: Config): Work<void> {
      const isOnlyNodes = isSameData({ ...(state.config ?? config), nodes: [] }, { ...config, nodes: [] });
      state.config = config;
      const wanted = [
        ...own.map((node) => ({ node, auxiliary: false })),
        ...auxiliary.map((node) => ({ node, auxiliary: true })),
      ];
      const byName = new Map(wanted.map((each) => [each.node.name, each]));
      const gone = [...state.targets.values()].filter((target) => {
        const next = byName.get(target.config.name);
        return next?.auxiliary !== target.auxiliary || !isSameData(next.node, target.config);
      });
      for (const target of gone) {
        target.closed = true;
        state.targets.delete(target.config.name);
      }
      regroup();
      for (const target of gone) {
        void closeTarget(target);
        forget(target, byName.get(target.config.name)?.node);
        yield;
      }
      const joining = wanted.filter(({ node: { name } }) => !state.targets.has(name));
      // A change of any other section can add polls to every node.
      state.joining = (isOnlyNodes ? joining : wanted).length;
      state.joinedAt = clock.now();
      const targets: NodeTarget[] = [];
      for (const { node, auxiliary: isAuxiliary } of wanted) {
        targets.push(state.targets.get(node.name) ?? createTarget(node, isAuxiliary));
        yield;
      }
      // What remains is no longer configured.
      state.remembered.clear();
      state.targets.clear();
      for (const target of targets) state.targets.set(target.config.name, target);
      const reconciled = yield* identities(true);
      for (const target of targets) {
        if (reconciled.has(target)) continue;
        reconcile(target);
        yield;
      }
    },
  };
}

/** The facts without those that only the topics of networks read. */
function ofNodeAlone(facts: TargetFacts): object {
  return { ...facts, watchNetwork: undefined, watchDetails: undefined };
}

/** Whether another node can continue a poll about a network; none does for a chain that is no longer configured. */
function isStillPolled({ facts }: NodeTarget, { endpoint, key }: Poll<Endpoint<unknown>>): boolean {
  return endpoint.byChain !== true || facts.evmChains.some(({ id }) => id === key);
}

/**
 * The desired polls of a node: one for each question of the enabled endpoints.
 * @param isReference whether the node is the reference node of its network
 */
export function desiredPolls(
  target: NodeTarget,
  endpoints: ReadonlyArray<Endpoint<unknown>>,
  config: Config,
  isReference: boolean,
): readonly Planned<Endpoint<unknown>>[] {
  return endpoints.flatMap((endpoint) => {
    const { enabled, ...settings } = settingsOf(endpoint, config.endpoints[endpoint.id]);
    if (!enabled) return [];
    const { owner, keys } = questionsOf(endpoint, target, config, isReference);
    return keys.map((key) => {
      const phase = phaseOf(`${target.config.name} ${pollId(endpoint, key)}`, settings.every);
      return { endpoint, key, owner, ...settings, phase };
    });
  });
}

function questionsOf(
  endpoint: Endpoint<unknown>,
  { facts, delegated }: NodeTarget,
  config: Config,
  isReference: boolean,
): { readonly owner: string; readonly keys: readonly string[] } {
  const { node, network } = facts;
  if (endpoint.scope === "node") return { owner: nodeKey(node), keys: endpoint.keys(facts) };
  // The series of a network need its label.
  if (network === undefined) return { owner: "", keys: [] };
  if (endpoint.scope === "observer") return { owner: nodeKey(node), keys: endpoint.keys(facts) };
  const owner = networkKey(network);
  if (endpoint.byChain === true)
    return { owner, keys: endpoint.keys(facts).filter((chain) => isReference || delegated.has(chain)) };
  return { owner, keys: isReference ? endpoint.keys(networkFacts(config, facts)) : [] };
}

/**
 * Whether two values of plain data (texts, numbers, lists, records) are equal; an `undefined` field equals a missing one. It
 * stops at the first difference and allocates nothing, because a changed identity compares the facts of a thousand nodes.
 */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSameData(each, b[index]));
  if (Array.isArray(a) || Array.isArray(b)) return false;
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const key in left) if (!isSameData(left[key], right[key])) return false;
  for (const key in right) if (right[key] !== undefined && left[key] === undefined) return false;
  return true;
}
