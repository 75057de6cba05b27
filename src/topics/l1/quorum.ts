import { Peers } from "../../api/node/info.ts";
import type { ConnectedPeers } from "../../api/peer.ts";
import { PRIMARY, type Validator, Validators } from "../../api/node/platform.ts";
import { type Context, gauges } from "../define/metric.ts";
import { comparingTopic, topic } from "../define/topic.ts";
import { isActive, isWeighed, share, totalWeight, type ValidatorSets, weightOf } from "../stake.ts";
import { Health } from "../../api/node/health.ts";
import type { ComparedData } from "../define/needs.ts";
import { chainIds, checkedChain, comparedIds } from "../checked-chains.ts";
import { chainsOf } from "../node/health-messages.ts";

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
function stopRatio(requirement: number): number {
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

const needs = { report: Health, ids: chainIds, sets: Validators, peers: Peers };
type Members = ComparedData<typeof needs>["members"];

/** By subnet: the share that consensus requires, and how many validators can go offline. */
type State = ReadonlyMap<string, { readonly required: number; readonly spare: number | undefined }>;

export const quorumMargin = comparingTopic(
  {
    id: "quorum-margin",
    about: "What share of each configured subnet does consensus require, and how many validators can go offline?",
    needs,
    start: (): State => new Map(),
    compare(_state: State, { members }: ComparedData<typeof needs>, { networkSubnets, reference }): State {
      const named = requirementsOf(members);
      // By the peers of this node `avax_subnet_connected_weight_ratio` is counted.
      const own = members.find(({ facts }) => facts.node === reference);
      return new Map(
        [PRIMARY, ...networkSubnets].map((subnet) => {
          const required = named.get(subnet) ?? DEFAULT_QUORUM_RATIO;
          return [subnet, { required, spare: own && spareOf(own, subnet, stopRatio(required)) }];
        }),
      );
    },
    formulas: [
      {
        metric: "avax_subnet_quorum_spare_validators",
        formula: `number of active and connected validators that can be removed, the heaviest first, while the share of all weight without which chains stop (${DEFAULT_STOP_RATIO * 100} % by default) stays connected`,
        example:
          "Weights 10, 5, 5, 70 and 10, all connected but the last: 90 % is connected. Without the 70, 20 % is left, so none can go offline.",
        result: 0,
      },
    ],
  },
  {
    requirement: gauges(
      "avax_subnet_quorum_requirement_ratio",
      `Share of the weight of the Primary Network or a configured subnet that health checks require to be connected: the highest that a failing chain check of any polled node names, else AvalancheGo's default of ${DEFAULT_QUORUM_RATIO}; chains stop later, below 1.25 times this minus 0.25 (health API, chain check: \`error\`, "required at least").`,
      ["subnet"],
      ({ state }) => [...state].map(([subnet, { required }]) => [{ subnet }, required]),
    ),
    spare: gauges(
      "avax_subnet_quorum_spare_validators",
      "Active and connected validators of the Primary Network or a configured subnet that can go offline, the heaviest first, before so little of the weight is connected to the network's reference node that chains stop (1.25 times `avax_subnet_quorum_requirement_ratio` minus 0.25); absent when they have stopped (platform.getCurrentValidators, `weight`, `delegatorWeight`, `balance`; info.peers, `nodeID`, `trackedSubnets`).",
      ["subnet"],
      ({ state }) => [...state].map(([subnet, { spare }]) => [{ subnet }, spare]),
    ),
  },
);

/** By subnet, the highest requirement that a check of any node names: nodes can be configured differently. */
function requirementsOf(members: Members): ReadonlyMap<string, number> {
  const named = new Map<string, number>();
  for (const { facts, answers } of members)
    for (const { check, requiredRatio } of answers.report === undefined ? [] : chainsOf(answers.report.value)) {
      if (requiredRatio === undefined) continue;
      const subnet = checkedChain(facts, comparedIds(answers.ids), check)?.subnet;
      if (subnet !== undefined) named.set(subnet, Math.max(requiredRatio, named.get(subnet) ?? 0));
    }
  return named;
}

/** Parts of a share: a check names its percentage with six decimals. */
const PARTS = 100_000_000;

/** How many of the validators that a node is connected to, heaviest first, a quorum does not need; `undefined` without a quorum. */
function spareOf({ facts, answers }: Members[number], subnet: string, required: number): number | undefined {
  const set = answers.sets?.get(subnet)?.value;
  const connected = answers.peers && connectedTo(answers.peers.value, facts, subnet);
  if (set === undefined || connected === undefined || !isWeighed(set)) return undefined;
  const { validators } = set;
  const total = totalWeight(validators);
  const needed = total * BigInt(Math.round(required * PARTS));
  const suffices = (left: bigint): boolean => left * BigInt(PARTS) >= needed;
  const weights = validators
    .filter((each) => isActive(each) && connected.has(each.nodeID))
    .map(weightOf)
    .sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  let left = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n || !suffices(left)) return undefined;
  for (const [count, weight] of weights.entries()) {
    left -= weight;
    if (!suffices(left)) return count;
  }
  return weights.length;
}
