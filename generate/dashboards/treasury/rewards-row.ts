import { Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { where } from "../../../src/topics/define/selector.ts";
import { hostedNodeRewards } from "../../../src/topics/hosted/rewards.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import type { Row } from "../parts/panel-options.ts";
import { LOST, rewardAtEnd } from "../parts/rewards.ts";
import { redBelow } from "../parts/thresholds.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { table } from "../parts/table.ts";
import { NETWORK, PRIMARY, withNames } from "../parts/selectors.ts";

const { metrics: staked } = validator;
const { metrics: hosted } = hostedNodeRewards;
const sum = (metric: typeof hosted.paid) =>
  `sum by (network, node_id) (max by (network, node_id, kind) (${where(metric, NETWORK)}))`;

export const rewardsRow: Row = {
  id: 500,
  title: "Rewards",
  collapsed: true,
  panels: [
    table(
      {
        id: 501,
        title: "Rewards by validator (AVAX)",
        about:
          "Own stake of each watched validator, the reward at the end of its period, the delegation fees that it has earned, and what was paid and is pending to all recipients of its stakes by the hosted Data API.",
        width: 24,
        height: 10,
        unit: Short,
        alerts: ["AvaxRewardLost", "AvaxValidatorEndingSoon", "AvaxStakingPeriodUnrewarded"],
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
        },
        more: { expr: withNames(where(staked.weight, PRIMARY)), labels: { name: { title: "Name" } } },
        sortedBy: "Ends in",
        columns: [
          { title: "Stake", expr: where(staked.weight, PRIMARY), decimals: 2 },
          { title: "Reward", expr: rewardAtEnd(PRIMARY), decimals: 2, mappings: LOST },
          { title: "Fees earned", expr: `${where(staked.accrued, PRIMARY)} > 0`, decimals: 2 },
          { title: "Paid (hosted)", expr: sum(hosted.paid), decimals: 2 },
          { title: "Pending (hosted)", expr: sum(hosted.pending), decimals: 2 },
          {
            title: "Ends in",
            expr: `${where(staked.end, PRIMARY)} - time()`,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
          },
        ],
      },
    ),
  ],
};
