import { DatetimeISO, PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { hostedBlocks } from "../../../src/topics/hosted/blocks.ts";
import { hostedNodeRewards } from "../../../src/topics/hosted/rewards.ts";
import { hostedValidator } from "../../../src/topics/hosted/validator.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { bars } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { VALIDATOR, withNames } from "../parts/selectors.ts";

const { metrics: indexed } = hostedValidator;
const { metrics: reward } = hostedNodeRewards;
const PERIODS = "sum by (network, node_id)";
/** The validators with the most, without zeros. */
const bar = (metric: typeof reward.paid) => withNames(`topk(8, ${PERIODS} (${where(metric, VALIDATOR)}) > 0)`);

export const rewardsRow: Row = {
  id: 400,
  title: "Staking periods (hosted Data API)",
  collapsed: true,
  panels: [
    table(
      {
        id: 401,
        title: "Periods",
        about:
          "Completed and unpaid periods, the last period, and earned and pending rewards. Capacity: AVAX that can still be delegated. Reachable: share of the service's attempts that reached the validator.",
        width: 24,
        height: 6,
        unit: Short,
        alerts: ["AvaxStakingPeriodUnrewarded"],
      },
      {
        labels: { network: { title: "Network", width: 90 }, node_id: { title: "Validator", short: true, width: 140 } },
        more: { expr: withNames(where(indexed.unrewarded, VALIDATOR)), labels: { name: { title: "Name" } } },
        columns: [
          {
            title: "Completed",
            expr: `${PERIODS} (${where(indexed.periods, { ...VALIDATOR, state: "completed", subnet: "primary" })})`,
            width: 100,
          },
          { title: "Unpaid", expr: where(indexed.unrewarded, VALIDATOR), width: 85 },
          { title: "Last rewarded", expr: where(indexed.lastRewarded, VALIDATOR), mappings: YES_NO, width: 110 },
          {
            title: "Last period ended",
            expr: `1000 * ${where(indexed.lastCompleted, VALIDATOR)}`,
            unit: DatetimeISO,
            width: 165,
          },
          { title: "Earned (AVAX)", expr: `${PERIODS} (${where(indexed.earned, VALIDATOR)})`, decimals: 1, width: 115 },
          {
            title: "Pending (AVAX)",
            expr: `${PERIODS} (${where(indexed.potential, VALIDATOR)})`,
            decimals: 1,
            width: 125,
          },
          { title: "Capacity", expr: where(indexed.capacity, VALIDATOR), decimals: 1, width: 115 },
          { title: "Uptime", expr: where(indexed.uptime, VALIDATOR), unit: PercentUnit, decimals: 1, width: 85 },
          {
            title: "Reachable",
            expr: where(indexed.reachability, VALIDATOR),
            unit: PercentUnit,
            decimals: 1,
            width: 85,
          },
        ],
      },
    ),
    bars(
      {
        id: 402,
        title: "Paid and pending rewards (AVAX)",
        about:
          "Rewards for staking on each validator, to all recipients, in AVAX: paid, and pending from running stakes.",
        width: 12,
        height: 6,
        unit: Short,
        decimals: 1,
      },
      [
        [bar(reward.paid), "{{name}} paid"],
        [bar(reward.pending), "{{name}} pending"],
      ],
    ),
    table(
      {
        id: 403,
        title: "Proposed blocks",
        about:
          "Blocks proposed by each validator since the exporter started to count, by chain, and the time of the last one.",
        width: 12,
        height: 6,
        unit: Short,
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          node_id: { title: "Validator", short: true, width: 140 },
          chain: { title: "Chain", width: 90 },
        },
        columns: [
          { title: "Blocks", expr: where(hostedBlocks.metrics.blocks, VALIDATOR), width: 90 },
          {
            title: "Last block",
            expr: `1000 * ${where(hostedBlocks.metrics.last, VALIDATOR)}`,
            unit: DatetimeISO,
            width: 165,
          },
        ],
      },
    ),
  ],
};
