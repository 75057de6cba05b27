import { IsBootstrapped } from "../../api/node/info.ts";
import type { Log } from "../../runtime/events.ts";
import type { Parts } from "./reconcile.ts";
import { configOf, networkKey, networkOf, nodeKey, referenceOf } from "./state.ts";
import type { Network, NodeTarget } from "./state.ts";
import { networkFacts } from "./target-facts.ts";

type Needed = Pick<Parts, "catalogue" | "state" | "store" | "clock"> & {
  readonly log: Log;
  readonly limit: (key: string) => number | undefined;
  readonly reconcileNode: (target: NodeTarget) => void;
};

/** Chooses a reference node for each network, and the nodes that are polled about chains that it does not serve. */
export function createReferences({ catalogue, state, store, clock, log, limit, reconcileNode }: Needed) {
  const chainEndpoints = catalogue.endpoints.filter((endpoint) => "byChain" in endpoint && endpoint.byChain === true);

  function candidate({ config, up, behindSince }: NodeTarget): Candidate {
    const answer = store.get(nodeKey(config.name), IsBootstrapped, clock.now(), "P")?.value;
    return { name: config.name, up: up === true, bootstrapped: answer?.isBootstrapped, behindSince };
  }

  /** Chooses the reference node of a network; `evenIfSame` reconciles it even if it is the present one. */
  function choose(network: Network, evenIfSame = false): void {
    const before = network.reference;
    const chosen = chooseReferenceNode(network.members.map(candidate), clock.now());
    if (chosen === before && !evenIfSame) return;
    network.reference = chosen;
    const omitted = chosen === before ? undefined : limit(`reference ${network.name}`);
    if (omitted !== undefined)
      log.info({ network: network.name, reference: chosen, before, omitted }, "reference node changed");
    for (const name of new Set([before, chosen])) {
      const target = state.targets.get(name ?? "");
      if (target === undefined) continue;
      target.networkFacts = name === chosen ? networkFacts(configOf(state), target.facts) : undefined;
      network.facts = target.networkFacts ?? network.facts;
      reconcileNode(target);
    }
  }

  /**
   * Delegates each chain that the reference node does not serve to the first node that does and is up. While none is up, the
   * present one keeps the chain, so that its answers expire as usual.
   */
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
    // Answers about chains that no node of the network serves any longer.
    const owner = networkKey(network.name);
    for (const endpoint of chainEndpoints)
      for (const chain of store.all(owner, endpoint, clock.now())?.keys() ?? [])
        if (!served.has(chain) && !delegates.has(chain)) store.delete(owner, endpoint, chain);
  }

  return {
    choose,
    delegate,
    /**
     * Chooses again if this is the reference node, or there is none. Changes of other nodes wait for the next tick: in a large
     * fleet some node has always just answered.
     */
    reconsider(target: NodeTarget): void {
      const network = networkOf(state, target);
      if (network === undefined) return;
      if (network.reference === undefined || network.reference === target.config.name) choose(network);
    },
  };
}
/** A node as a candidate for reference node of its network. */
export type Candidate = {
  readonly name: string;
  readonly up: boolean;
  /** Whether its P-Chain is done bootstrapping; `undefined` when unknown. */
  readonly bootstrapped: boolean | undefined;
  /** Since when its height has been behind another node's; `undefined` when it keeps up. Unix seconds. */
  readonly behindSince: number | undefined;
};

/** Tolerated time behind another node: a lag of a block or two between polls is normal. Seconds. */
const BEHIND_FOR = 60;

/**
 * Chooses the reference node of a network: the first node of the configuration that is up, bootstrapped and keeps up. If none
 * keeps up, the first one that is up and bootstrapped; `undefined` if there is none.
 */
export function chooseReferenceNode(candidates: readonly Candidate[], now: number): string | undefined {
  const able = candidates.filter(({ up, bootstrapped }) => up && bootstrapped === true);
  const sound = able.find(({ behindSince }) => behindSince === undefined || now - behindSince < BEHIND_FOR);
  return (sound ?? able[0])?.name;
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
