import type { Endpoint } from "../../api/endpoint.ts";
import type { Config } from "../../config/config.ts";
import { networkKey, nodeKey, type NodeTarget } from "./node-target.ts";
import { pollId, type Planned } from "../poll/poll.ts";
import { phaseOf, settingsOf } from "../poll/reconcile-polls.ts";
import { networkFacts } from "./target-facts.ts";

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
    return questionsOf(endpoint, target, config, isReference).map(({ key, owner }) => {
      const phase = phaseOf(`${target.config.name} ${pollId(endpoint, key)}`, settings.every);
      return { endpoint, key, owner, ...settings, phase };
    });
  });
}

type Question = { readonly key: string; readonly owner: string };

function questionsOf(
  endpoint: Endpoint<unknown>,
  { facts, delegated }: NodeTarget,
  config: Config,
  isReference: boolean,
): readonly Question[] {
  const { network } = facts;
  const of = (owner: string, keys: readonly string[]) => keys.map((key) => ({ key, owner }));
  if (endpoint.scope === "node") return of(nodeKey(facts.node), endpoint.keys(facts));
  // The series of a network need its label.
  if (network === undefined) return [];
  if (endpoint.scope === "observer") return of(nodeKey(facts.node), endpoint.keys(facts));
  if (endpoint.byChain === true) {
    const chains = endpoint.keys(facts).filter((chain) => isReference || delegated.has(chain));
    return of(networkKey(network), chains);
  }
  return isReference ? of(networkKey(network), endpoint.keys(networkFacts(config, facts))) : [];
}
