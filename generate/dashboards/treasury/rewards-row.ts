import { Seconds } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { hostedNodeRewards } from "../../../src/topics/hosted/rewards.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import type { Row } from "../parts/panels.ts";
import { LOST, rewardAtEnd } from "../parts/rewards.ts";
import { redBelow } from "../parts/format.ts";
import { column, table, usual } from "../parts/table.ts";
import { NETWORK, PRIMARY, withNames, select } from "../parts/selectors.ts";

const of = select(PRIMARY);
const { metrics: staked } = validator;
const { metrics: hosted } = hostedNodeRewards;
const sum = (metric: typeof hosted.paid) =>
  `sum by (network, node_id) (max by (network, node_id, kind) (${where(metric, NETWORK)}))`;

export const rewardsRow: Row = {
  title: "Rewards",
  collapsed: true,
  panels: [
    table(
      "Rewards by validator (AVAX)",
      "Own stake of each watched validator, the reward at the end of its period, the delegation fees that it has earned, and what was paid and is pending to all recipients of its stakes by the hosted Data API.",
      {
        height: 10,
        alerts: ["AvaxRewardLost", "AvaxValidatorEndingSoon", "AvaxStakingPeriodUnrewarded"],
        labels: usual("network", "node_id"),
        more: { expr: withNames(of(staked.weight)), labels: usual("name") },
        sortedBy: "Ends in",
        columns: [
          column("Stake", of(staked.weight), { decimals: 2 }),
          column("Reward", rewardAtEnd(PRIMARY), { decimals: 2, mappings: LOST }),
          column("Fees earned", `${of(staked.accrued)} > 0`, { decimals: 2 }),
          column("Paid (hosted)", sum(hosted.paid), { decimals: 2 }),
          column("Pending (hosted)", sum(hosted.pending), { decimals: 2 }),
          column("Ends in", `${of(staked.end)} - time()`, {
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
          }),
        ],
      },
    ),
  ],
};
