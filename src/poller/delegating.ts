import type { Fleet } from "./fleet.ts";
import { plan } from "./plan.ts";
import { networkKey } from "./planning.ts";
import { refresh } from "./showing.ts";
import type { Target } from "./target.ts";

/**
 * Finds somebody to ask about chains that the speaker of a network does not serve: the first node that is up and does, or
 * the present one while none is up, so that its answers grow old in order.
 */
export function delegate(fleet: Fleet, network: string): void {
  const speaker = fleet.targets.get(fleet.speakers.get(network) ?? "");
  const members = fleet.networks.get(network)?.members ?? [];
  if (speaker === undefined) return;
  const served = new Set(speaker.subject.evmChains.map(({ id }) => id));
  const holders = new Map<string, Target>();
  for (const member of members) {
    for (const { id } of member.subject.evmChains) {
      if (!served.has(id)) holders.set(id, better(holders.get(id), member, id));
    }
  }
  for (const member of members) {
    const chains = [...holders].filter(([, holder]) => holder === member).map(([id]) => id);
    if (chains.length === member.delegated.size && chains.every((id) => member.delegated.has(id))) continue;
    member.delegated = new Set(chains);
    plan(fleet, member);
  }
  forgetOthers(fleet, speaker, network, new Set([...served, ...holders.keys()]));
}

/** Removes what was said about chains that no node of the network serves any more, as the configuration has it. */
function forgetOthers(fleet: Fleet, speaker: Target, network: string, served: ReadonlySet<string>): void {
  const { catalogue, store } = fleet;
  const owner = networkKey(network);
  for (const endpoint of catalogue.endpoints) {
    if (endpoint.byChain !== true) continue;
    const gone = [...(store.of(owner, endpoint.id)?.keys() ?? [])].filter((chain) => !served.has(chain));
    for (const chain of gone) store.delete(owner, endpoint.id, chain);
    if (gone.length > 0) refresh(fleet, speaker, endpoint, false);
  }
}

function better(chosen: Target | undefined, candidate: Target, chain: string): Target {
  if (chosen === undefined) return candidate;
  if (chosen.up === true) return chosen;
  return candidate.up === true || candidate.delegated.has(chain) ? candidate : chosen;
}
