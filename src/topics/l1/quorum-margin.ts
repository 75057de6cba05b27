import { Peers } from "../../api/node/info.ts";
import { PRIMARY, Validators } from "../../api/node/platform.ts";
import { gauges } from "../../catalogue/metric.ts";
import { topic } from "../../catalogue/topic.ts";
import { exampleL1, examplePeers } from "../examples.ts";
import { connectedTo, isActive, QUORUM_RATIO, TRACKS_S } from "./quorum.ts";

export const quorumMargin = topic(
  {
    id: "quorum-margin",
    about: "How many validators of each configured subnet can go offline before it can stop?",
    scope: "network",
    needs: { sets: Validators, peers: Peers },
    formulas: [
      {
        metric: "avax_subnet_quorum_spare_validators",
        formula: `number of active and connected validators that can be removed, the heaviest first, while at least ${QUORUM_RATIO * 100} % of all weight stays connected`,
        example:
          "Weights 40, 20, 20, 10 and 10, all connected but the last: 90 % is connected. Without the 40, 50 % is left, so none can go offline.",
        result: 0,
        given: () => ({
          data: {
            sets: exampleL1(["a", 40n, 1], ["b", 20n, 1], ["c", 20n, 1], ["d", 10n, 1], ["away", 10n, 1]),
            peers: examplePeers({ a: TRACKS_S, b: TRACKS_S, c: TRACKS_S, d: TRACKS_S }),
          },
          labels: { subnet: "S" },
        }),
      },
    ],
  },
  {
    spare: gauges(
      "avax_subnet_quorum_spare_validators",
      `Active and connected validators of a configured subnet that can go offline, the heaviest first, before less than ${QUORUM_RATIO * 100} % of its weight is connected to the network's reference node; absent when less is connected already (platform.getCurrentValidators, \`weight\`, \`balance\`; info.peers, \`nodeID\`, \`trackedSubnets\`).`,
      ["subnet"],
      ({ sets, peers }, context) =>
        [...sets]
          .filter(([subnet]) => subnet !== PRIMARY)
          .map(([subnet, { validators }]) => {
            const connected = connectedTo(peers, context, subnet);
            const weights = validators
              .filter((each) => isActive(each) && connected.has(each.nodeID))
              .map(({ weight }) => weight);
            const total = validators.reduce((sum, { weight }) => sum + weight, 0n);
            return [{ subnet }, spare(weights, total)] as const;
          }),
    ),
  },
);

const PERCENT = BigInt(Math.round(QUORUM_RATIO * 100));

/** How many of these weights, heaviest first, a quorum of `total` does not need; `undefined` without a quorum. */
function spare(weights: readonly bigint[], total: bigint): number | undefined {
  const suffices = (left: bigint): boolean => left * 100n >= total * PERCENT;
  let left = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n || !suffices(left)) return undefined;
  const heaviestFirst = [...weights].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  for (const [count, weight] of heaviestFirst.entries()) {
    left -= weight;
    if (!suffices(left)) return count;
  }
  return weights.length;
}
