import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { hostedBlocks } from "../../../src/topics/hosted/blocks.ts";
import { hostedNodeRewards } from "../../../src/topics/hosted/rewards.ts";
import { hostedValidator } from "../../../src/topics/hosted/validator.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO } from "../parts/format.ts";
import { type Row, bars } from "../parts/panels.ts";
import { column, dates, table, usual } from "../parts/table.ts";
import { VALIDATOR, withNames, select } from "../parts/selectors.ts";

const of = select(VALIDATOR);
const { metrics: indexed } = hostedValidator;
const { metrics: reward } = hostedNodeRewards;
const PERIODS = "sum by (network, node_id)";
/** The validators with the most, without zeros. */
const bar = (metric: typeof reward.paid) => withNames(`topk(8, ${PERIODS} (${of(metric)}) > 0)`);

export const rewardsRow: Row = {
  title: "Staking periods (hosted Data API)",
  collapsed: true,
  panels: [
    table(
      "Periods",
      "Completed and unpaid periods, the last period, and earned and pending rewards. Capacity: AVAX that can still be delegated. Reachable: share of the service's attempts that reached the validator.",
      {
        width: 24,
        height: 6,
        alerts: ["AvaxStakingPeriodUnrewarded"],
        labels: { network: { title: "Network", width: 90 }, node_id: { title: "Validator", short: true, width: 140 } },
        more: { expr: withNames(of(indexed.unrewarded)), labels: usual("name") },
        columns: [
          column(
            "Completed",
            `${PERIODS} (${where(indexed.periods, { ...VALIDATOR, state: "completed", subnet: "primary" })})`,
            { width: 100 },
          ),
          column("Unpaid", of(indexed.unrewarded), { width: 85 }),
          column("Last rewarded", of(indexed.lastRewarded), { mappings: YES_NO, width: 110 }),
          dates("Last period ended", of(indexed.lastCompleted)),
          column("Earned (AVAX)", `${PERIODS} (${of(indexed.earned)})`, { decimals: 1, width: 115 }),
          column("Pending (AVAX)", `${PERIODS} (${of(indexed.potential)})`, { decimals: 1, width: 125 }),
          column("Capacity", of(indexed.capacity), { decimals: 1, width: 115 }),
          column("Uptime", of(indexed.uptime), { unit: PercentUnit, decimals: 1, width: 85 }),
          column("Reachable", of(indexed.reachability), { unit: PercentUnit, decimals: 1, width: 85 }),
        ],
      },
    ),
    bars(
      "Paid and pending rewards (AVAX)",
      "Rewards for staking on each validator, to all recipients, in AVAX: paid, and pending from running stakes.",
      [
        [bar(reward.paid), "{{name}} paid"],
        [bar(reward.pending), "{{name}} pending"],
      ],
      { height: 6, decimals: 1 },
    ),
    table(
      "Proposed blocks",
      "Blocks proposed by each validator since the exporter started to count, by chain, and the time of the last one.",
      {
        height: 6,
        labels: {
          network: { title: "Network", width: 90 },
          node_id: { title: "Validator", short: true, width: 140 },
          chain: { title: "Chain", width: 90 },
        },
        columns: [
          column("Blocks", of(hostedBlocks.metrics.blocks), { width: 90 }),
          dates("Last block", of(hostedBlocks.metrics.last)),
        ],
      },
    ),
  ],
};
