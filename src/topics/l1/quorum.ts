import { Peers } from "../../api/node/info.ts";
import type { ConnectedPeers } from "../../api/peer.ts";
import { PRIMARY, Validators, type Validator } from "../../api/node/platform.ts";
import { gauges, type Context } from "../define/metric.ts";
import { topic } from "../define/topic.ts";
import { isActive, isWeighed, share, totalWeight, type ValidatorSets } from "../stake.ts";

/** Share of the weight below which a chain's health check fails, by AvalancheGo's default. */
export const DEFAULT_QUORUM_RATIO = 0.8;
/** Of the weight beyond the share without which a node sends no queries, health checks demand a fifth too (AvalancheGo, `MinPercentConnectedBuffer`). */
export const STOP = { factor: 1.25, offset: 0.25 } as const;
/** Share of the weight below which a chain accepts no blocks, by AvalancheGo's default. */
export const DEFAULT_STOP_RATIO = stopRatio(DEFAULT_QUORUM_RATIO);
/** Share of the weight that signs a message to other chains. */
export const SIGNATURE_RATIO = 0.67;

export const quorum = topic(
  {
    id: "quorum",
    about: "Is enough weight of the Primary Network and of each configured subnet connected to make blocks?",
    scope: "network",
    needs: { sets: Validators, peers: Peers },
    formulas: [
      {
        metric: "avax_subnet_connected_weight_ratio",
        formula: "weight of the validators that are active and connected / weight of all, inactive ones included",
        example: "Weights 100 and 200 connected, 10 and 50 without balance: 300 / 360.",
        result: 0.833333333333,
      },
    ],
  },
  {
    connected: gauges(
      "avax_subnet_connected_weight_ratio",
      "Share of the weight of the Primary Network or a configured subnet that is active and connected to the network's reference node; weight without balance stays in the total and is never connected (platform.getCurrentValidators, `weight`, `delegatorWeight`, `balance`; info.peers, `nodeID`, `trackedSubnets`).",
      ["subnet"],
      ({ sets, peers }, context) =>
        shares(sets, (subnet) => {
          const connected = connectedTo(peers, context, subnet);
          return connected && ((each) => isActive(each) && connected.has(each.nodeID));
        }),
    ),
    active: gauges(
      "avax_subnet_active_weight_ratio",
      "Share of the weight of the Primary Network or a configured subnet that is active, which in an L1 means that it has a balance left (platform.getCurrentValidators, `weight`, `delegatorWeight`, `balance`).",
      ["subnet"],
      ({ sets }) => shares(sets, () => isActive),
    ),
  },
);

/** The share of the weight below which a chain accepts no blocks, from the share that its health check demands. */
export function stopRatio(requirement: number): number {
  return STOP.factor * requirement - STOP.offset;
}

/**
 * IDs of the nodes that the reference node is connected to and that track the subnet, and its own ID; `undefined` where a peer's
 * subnets are unknown.
 */
export function connectedTo(
  { peers }: ConnectedPeers,
  { nodeId }: Pick<Context, "nodeId">,
  subnet: string,
): ReadonlySet<string> | undefined {
  const ids = new Set(nodeId === undefined ? [] : [nodeId]);
  // Every node tracks the Primary Network.
  for (const { nodeID, trackedSubnets } of peers) {
    if (subnet !== PRIMARY && trackedSubnets === undefined) return undefined;
    if (subnet === PRIMARY || trackedSubnets?.includes(subnet) === true) ids.add(nodeID);
  }
  return ids;
}

/** The share of each set's weight for which `countsIn` holds; none of a set of which that is unknown. */
function shares(sets: ValidatorSets, countsIn: (subnet: string) => ((validator: Validator) => boolean) | undefined) {
  return [...sets].map(([subnet, set]) => {
    const counts = countsIn(subnet);
    if (counts === undefined || !isWeighed(set)) return [{ subnet }, undefined] as const;
    return [{ subnet }, share(totalWeight(set.validators.filter(counts)), totalWeight(set.validators))] as const;
  });
}
