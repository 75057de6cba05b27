import { IsBootstrapped } from "../../api/node/info.ts";
import { settingsOf } from "../poll/reconcile-polls.ts";
import { networkKey, nodeKey, type NodeTarget } from "./node-target.ts";
import type { Polling } from "./polling.ts";
import type { ReconcileNode } from "./reconcile-node.ts";
import { chooseReferenceNode, type Candidate } from "./reference-node.ts";
import { isExpired } from "../poll/schedule.ts";
import { configOf, networkOf, referenceOf, type Network } from "./state.ts";
import { networkFacts } from "./target-facts.ts";

/** Chooses a reference node for each network, and expires the answers about a network that has none. */
export type References = {
  /** Chooses the reference node of a network; `evenIfSame` reconciles it even if it is the present one. */
  readonly choose: (network: Network, evenIfSame?: boolean) => void;
  /**
   * Chooses again if this is the reference node, or there is none. Changes of other nodes wait for the next tick: in a large
   * fleet some node has always just answered.
   */
  readonly reconsider: (target: NodeTarget) => void;
  /**
   * Delegates each chain that the reference node does not serve to the first node that does and is up. While none is up, the
   * present one keeps the chain, so that its answers expire as usual.
   */
  readonly delegate: (network: Network) => void;
  /** Removes answers about networks without a reference node after three intervals. */
  readonly expireUnpolled: (now: number) => void;
};

export function createReferences(polling: Polling, reconcileNode: ReconcileNode): References {
  const { catalogue, state, store, reader, publisher, clock, log } = polling;
  const networkEndpoints = catalogue.endpoints.filter(({ scope }) => scope === "network");
  const chainEndpoints = networkEndpoints.filter((endpoint) => "byChain" in endpoint && endpoint.byChain === true);

  function candidate({ config, up, behindSince }: NodeTarget): Candidate {
    const answer = store.get(nodeKey(config.name), IsBootstrapped, "P")?.value;
    return { name: config.name, up: up === true, bootstrapped: answer?.isBootstrapped, behindSince };
  }

  function choose(network: Network, evenIfSame = false): void {
    const before = network.reference;
    const chosen = chooseReferenceNode(network.members.map(candidate), clock.now());
    if (chosen === before && !evenIfSame) return;
    network.reference = chosen;
    if (chosen !== before)
      log.info({ network: network.name, reference: chosen, before }, "reference node of the network changed");
    for (const name of new Set([before, chosen])) {
      const target = state.targets.get(name ?? "");
      if (target === undefined) continue;
      target.networkFacts = name === chosen ? networkFacts(configOf(state), target.facts) : undefined;
      reconcileNode(target);
    }
    publisher.network(network);
  }

  function delegate(network: Network): void {
    const reference = referenceOf(state, network);
    if (reference === undefined) return;
    const served = new Set(reference.facts.evmChains.map(({ id }) => id));
    const delegates = delegatesOf(network.members, served);
    for (const member of network.members) {
      const chains = [...delegates].filter(([, holder]) => holder === member).map(([id]) => id);
      if (chains.length === member.delegated.size && chains.every((id) => member.delegated.has(id))) continue;
      member.delegated = new Set(chains);
      reconcileNode(member);
    }
    forgetOthers(reference, network, new Set([...served, ...delegates.keys()]));
  }

  /** Removes answers about chains that no node of the network serves according to the configuration. */
  function forgetOthers(reference: NodeTarget, { name }: Network, served: ReadonlySet<string>): void {
    const owner = networkKey(name);
    for (const endpoint of chainEndpoints) {
      const gone = [...(store.all(owner, endpoint)?.keys() ?? [])].filter((chain) => !served.has(chain));
      for (const chain of gone) store.delete(owner, endpoint, chain);
      if (gone.length > 0) publisher.refresh(reference, endpoint, false);
    }
  }

  return {
    choose,
    delegate,
    reconsider(target) {
      const network = networkOf(state, target);
      if (network === undefined) return;
      if (network.reference === undefined || network.reference === target.config.name) choose(network);
    },
    expireUnpolled(now) {
      for (const { name, reference } of state.networks.values()) {
        if (reference !== undefined) continue;
        const owner = networkKey(name);
        for (const endpoint of networkEndpoints) {
          const answers = store.all(owner, endpoint);
          if (answers === undefined) continue;
          const { every } = settingsOf(endpoint, configOf(state).endpoints[endpoint.id]);
          // Without a poll there is neither a deadline nor a number of failures.
          for (const [key, { answeredAt }] of [...answers])
            if (isExpired(answeredAt, now, every, 0, 0)) store.delete(owner, endpoint, key);
          if (store.all(owner, endpoint) !== undefined) continue;
          for (const topic of catalogue.topicsBySource.get(endpoint.id) ?? [])
            if (topic.scope === "network") reader.hide(topic, owner);
        }
      }
    },
  };
}

/** The node that is polled about each chain that the reference node does not serve. */
function delegatesOf(members: readonly NodeTarget[], served: ReadonlySet<string>): ReadonlyMap<string, NodeTarget> {
  const delegates = new Map<string, NodeTarget>();
  for (const member of members) {
    for (const { id } of member.facts.evmChains)
      if (!served.has(id)) delegates.set(id, better(delegates.get(id), member, id));
  }
  return delegates;
}

function better(chosen: NodeTarget | undefined, candidate: NodeTarget, chain: string): NodeTarget {
  if (chosen === undefined) return candidate;
  if (chosen.up === true) return chosen;
  return candidate.up === true || candidate.delegated.has(chain) ? candidate : chosen;
}
