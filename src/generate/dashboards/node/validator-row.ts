import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { nodeNetwork } from "../../../topics/node/network.ts";
import { where } from "../../../catalogue/selector.ts";
import { LEAST_REWARDING_RATIO, LOW_UPTIME_RATIO, subnetUptime, uptime } from "../../../topics/validators/uptime.ts";
import { ENDING_SOON, validator } from "../../../topics/validators/validator.ts";
import { validatorView } from "../../../topics/validators/validator-view.ts";
import { LITTLE_BUDGET } from "../../../topics/validators/reward-verdict-alerts.ts";
import { rewardVerdict } from "../../../topics/validators/reward-verdict.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { TO_VALIDATOR } from "../parts/links.ts";
import { CHOSEN_NODES, median, NODE, OF_CHOSEN_NODES, PRIMARY, underNodeNames, VIEW } from "../parts/selectors.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";

const budget = median(where(rewardVerdict.metrics.budget, PRIMARY), "network, node_id");
const { metrics: staked } = validator;

export const validatorRow = {
  id: 200,
  title: "Validator and uptime",
  panels: [
    stat(
      {
        id: 201,
        title: "Primary Network validator",
        about: "Whether the node currently reports itself as a validator.",
        width: 4,
        unit: Short,
        mappings: { 0: ["not a validator", "blue"], 1: ["validator", "green"] },
        alerts: ["AvaxValidatorNotInSet", "AvaxValidatorGone"],
      },
      [[where(uptime.metrics.validator, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 202,
        title: "Rewarding stake",
        about:
          "Share of stake that considers the node above the uptime requirement. It decides on the reward at the end of the staking period.",
        width: 4,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[where(uptime.metrics.rewarding, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 203,
        title: "Observed uptime",
        about: "Stake-weighted average of the uptimes that the validators observed of the node.",
        width: 4,
        unit: PercentUnit,
        thresholds: redBelow(LOW_UPTIME_RATIO),
        alerts: ["AvaxUptimeNearRequirement"],
      },
      [[where(uptime.metrics.average, NODE), "{{node}}"]],
    ),
    stat(
      {
        id: 210,
        title: "Downtime left",
        about:
          "Downtime left until the validator's reward is lost, median of the polled nodes. Negative: the reward is lost.",
        width: 4,
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxRewardLost"],
      },
      [[underNodeNames(budget), "{{node}}"]],
    ),
    stat(
      {
        id: 204,
        title: "Stake ends in",
        about: "Time until the staking period of the node's own validator ends.",
        width: 4,
        unit: Seconds,
        decimals: 1,
        thresholds: redBelow(ENDING_SOON),
        alerts: ["AvaxValidatorEndingSoon"],
      },
      [[`(${underNodeNames(where(staked.end, PRIMARY))}) - time()`, "{{node}}"]],
    ),
    stat(
      {
        id: 205,
        title: "BLS key",
        about: "State of the node's BLS key against the validator set, from its own health check.",
        width: 4,
        unit: Short,
      },
      [[`${where(nodeNetwork.metrics.bls, NODE)} == 1`, "{{node}} {{state}}"]],
      "name",
    ),
    table(
      {
        id: 209,
        title: "Own validator",
        about:
          "The chosen nodes as validators: stake, delegations and reward in AVAX, and the time until the staking period ends.",
        width: 24,
        height: 5,
        unit: Short,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
      },
      {
        labels: { node_id: { title: "Validator", link: TO_VALIDATOR } },
        more: { expr: CHOSEN_NODES, labels: { node: { title: "Node", width: 120 } } },
        columns: [
          {
            title: "In the set",
            expr: `${where(staked.active, PRIMARY)} ${OF_CHOSEN_NODES}`,
            mappings: YES_NO,
            width: 100,
          },
          {
            title: "Stake (AVAX)",
            expr: `${where(staked.weight, PRIMARY)} ${OF_CHOSEN_NODES}`,
            decimals: 2,
            width: 130,
          },
          { title: "Delegated (AVAX)", expr: `${where(staked.delegated, PRIMARY)} ${OF_CHOSEN_NODES}`, width: 150 },
          {
            title: "Reward (AVAX)",
            expr: `${where(staked.reward, PRIMARY)} ${OF_CHOSEN_NODES}`,
            decimals: 1,
            width: 130,
          },
          {
            title: "Ends in",
            expr: `${where(staked.end, PRIMARY)} - time() ${OF_CHOSEN_NODES}`,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
            width: 105,
          },
        ],
      },
    ),
    lines(
      {
        id: 206,
        title: "Rewarding stake and observed uptime",
        about: "Both figures of info.uptime. Rewarding stake drops for a minute after a restart of the node.",
        width: 12,
        unit: PercentUnit,
        zoomed: true,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk", "AvaxUptimeNearRequirement"],
      },
      [
        [where(uptime.metrics.rewarding, NODE), "{{node}} rewarding stake"],
        [where(uptime.metrics.average, NODE), "{{node}} average uptime"],
        [where(subnetUptime.metrics.rewarding, NODE), "{{node}} {{subnet}} rewarding stake"],
        [where(subnetUptime.metrics.average, NODE), "{{node}} {{subnet}} average uptime"],
      ],
    ),
    lines(
      {
        id: 211,
        title: "Observed validator uptimes",
        about:
          "Lowest and median uptime of the watched validators, as observed by each chosen node. Nodes differ, because each observes on its own.",
        width: 6,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxValidatorViewsDisagree"],
      },
      [
        [`min by (node) (${where(validatorView.metrics.uptime, VIEW)})`, "{{node}} lowest"],
        [`quantile by (node) (0.5, ${where(validatorView.metrics.uptime, VIEW)})`, "{{node}} median"],
      ],
    ),
    lines(
      {
        id: 212,
        title: "Disconnected watched validators",
        about: "Watched validators without a connection to each chosen node. Many at once: the node itself is cut off.",
        width: 6,
        unit: Short,
        decimals: 0,
        alerts: ["AvaxValidatorDisconnected"],
      },
      [[`sum by (node) (${where(validatorView.metrics.connected, VIEW)} == bool 0)`, "{{node}}"]],
    ),
  ],
};
