import { DatetimeISO, PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { hostedBlocks } from "../../../topics/hosted/blocks.ts";
import { hostedNodeRewards } from "../../../topics/hosted/rewards.ts";
import { hostedValidator } from "../../../topics/hosted/validator.ts";
import { where } from "../../../catalogue/selector.ts";
import { YES_NO } from "../parts/mappings.ts";
import { bars } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { VALIDATOR } from "../parts/selectors.ts";

const { metrics: indexed } = hostedValidator;
const { metrics: reward } = hostedNodeRewards;
const PERIODS = "sum by (network, node_id)";

export const rewardsRow = {
  id: 400,
  title: "Past and running periods, as the hosted Data API has them",
  panels: [
    table(
      {
        id: 401,
        title: "Periods",
        about:
          "Completed periods of each validator and those that paid nothing, whether the last one was paid and when it ended, what can still be delegated, and how well the service reaches the validator.",
        width: 24,
        height: 6,
        unit: Short,
        alerts: ["AvaxStakingPeriodUnrewarded"],
      },
      {
        labels: { network: { title: "Network", width: 90 }, node_id: { title: "Validator" } },
        columns: [
          {
            title: "Completed",
            expr: `${PERIODS} (${where(indexed.periods, { ...VALIDATOR, state: "completed", subnet: "primary" })})`,
            width: 100,
          },
          { title: "Not paid", expr: where(indexed.unrewarded, VALIDATOR), width: 85 },
          { title: "Last one paid", expr: where(indexed.lastRewarded, VALIDATOR), mappings: YES_NO, width: 110 },
          {
            title: "It ended",
            expr: `1000 * ${where(indexed.lastCompleted, VALIDATOR)}`,
            unit: DatetimeISO,
            width: 165,
          },
          { title: "Earned (AVAX)", expr: `${PERIODS} (${where(indexed.earned, VALIDATOR)})`, decimals: 1, width: 115 },
          {
            title: "To come (AVAX)",
            expr: `${PERIODS} (${where(indexed.potential, VALIDATOR)})`,
            decimals: 1,
            width: 125,
          },
          { title: "Room (AVAX)", expr: where(indexed.capacity, VALIDATOR), decimals: 1, width: 115 },
          { title: "Uptime", expr: where(indexed.uptime, VALIDATOR), unit: PercentUnit, decimals: 1, width: 85 },
          { title: "Reached", expr: where(indexed.reachability, VALIDATOR), unit: PercentUnit, decimals: 1, width: 85 },
        ],
      },
    ),
    bars(
      {
        id: 402,
        title: "Paid for staking on the node, and to come (AVAX)",
        about:
          "Rewards that were paid so far for staking on each validator, and that running stakes will pay, to everybody, in AVAX.",
        width: 12,
        height: 6,
        unit: Short,
        decimals: 1,
      },
      [
        [`${PERIODS} (${where(reward.paid, VALIDATOR)})`, "{{node_id}}"],
        [`${PERIODS} (${where(reward.pending, VALIDATOR)})`, "{{node_id}}, to come"],
      ],
    ),
    table(
      {
        id: 403,
        title: "Blocks that it proposed",
        about: "Blocks that each validator proposed since it is followed, by chain, and when it did so last.",
        width: 12,
        height: 6,
        unit: Short,
      },
      {
        labels: { node_id: { title: "Validator" }, chain: { title: "Chain", width: 90 } },
        columns: [
          { title: "Blocks", expr: where(hostedBlocks.metrics.blocks, VALIDATOR), width: 90 },
          {
            title: "Last one",
            expr: `1000 * ${where(hostedBlocks.metrics.last, VALIDATOR)}`,
            unit: DatetimeISO,
            width: 165,
          },
        ],
      },
    ),
  ],
};
