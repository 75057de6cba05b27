import type { Endpoint } from "../../api/endpoint.ts";
import { nodeEndpoints, type Catalogue } from "../../catalogue/catalogue.ts";
import type { Config } from "../../config/config.ts";
import type { Clock } from "../../runtime/clock.ts";
import { pollId, type Planned, type Poll } from "../poll/poll.ts";
import type { Runner } from "../poll/runner.ts";
import { phaseOf, reconcilePolls, settingsOf } from "../poll/schedule.ts";
import type { Store } from "../poll/store.ts";
import { auxiliaryEndpoints } from "../shard/shard.ts";
import type { Publisher } from "./publisher.ts";
import { configOf, isReference, networkKey, nodeKey, type NodeTarget, type State } from "./state.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { networkFacts } from "./target-facts.ts";

/** First polls are spread over this many seconds per new node, at most `MOST_SPREAD`, to avoid a burst at the start. */
const SPREAD_PER_NODE = 0.015;
const MOST_SPREAD = 15;

type Parts = {
  readonly catalogue: Catalogue;
  readonly state: State;
  readonly store: Store;
  readonly publisher: Pick<Publisher, "record" | "refresh">;
  readonly runner: Pick<Runner, "disarm" | "due">;
  readonly subscriptions: Pick<Subscriptions, "follow">;
  readonly clock: Clock;
};

/** Returns a function that reconciles the polls and the sockets of a node with the desired ones. */
export function createReconcileNode({ catalogue, state, store, publisher, runner, subscriptions, clock }: Parts) {
  const endpoints = nodeEndpoints(catalogue);
  const auxiliary = auxiliaryEndpoints(catalogue);

  return (target: NodeTarget): void => {
    const config = configOf(state);
    const now = clock.now();
    const reference = isReference(state, target);
    const desired = desiredPolls(target, target.auxiliary ? auxiliary : endpoints, config, reference);
    const { added, removed } = reconcilePolls(target.polls, desired, now);
    for (const poll of removed) {
      runner.disarm(poll);
      // An answer about a network stays until the next reference node replaces it, or it expires.
      if (poll.endpoint.scope === "network" && !reference && isStillPolled(target, poll)) continue;
      if (store.delete(poll.owner, poll.endpoint, poll.key)) publisher.refresh(target, poll.endpoint, false);
    }
    const spread = Math.min(MOST_SPREAD, state.joining * SPREAD_PER_NODE);
    for (const poll of added) {
      const held = store.get(poll.owner, poll.endpoint, poll.key);
      poll.heldSince = held?.answeredAt;
      // A chain is the same on every node: the next node continues from the last answer of the previous one.
      if (poll.endpoint.byChain === true) poll.previous = held?.value;
      runner.due(target, poll, now + (spread * poll.phase) / poll.every);
    }
    subscriptions.follow(target, config.evm.websocket && !target.auxiliary);
    if (added.length + removed.length > 0) publisher.record(target, now);
  };
}

/** Whether another node may continue a poll about a network; none does for a chain that is no longer configured. */
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
