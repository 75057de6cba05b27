import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { nodeNetwork } from "../../../src/topics/node/node-network.ts";
import { LOW_UPTIME_RATIO, subnetUptime, uptime } from "../../../src/topics/validators/uptime.ts";
import { delegations } from "../../../src/topics/validators/delegations.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { YES_NO, redBelow } from "../parts/format.ts";
import { withSubnetNames, PRIMARY_NODE, ofNode, ofPrimaryNode, ofView } from "../parts/selectors.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { LOST, rewardAtEnd } from "../parts/rewards.ts";
import { TO_VALIDATOR, column, table, spans } from "../parts/table.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";

const { metrics: staked } = validator;

export const validatorRow: Row = {
  title: "Validator and uptime",
  collapsed: true,
  legend: "{{node}}",
  panels: [
    stat("Primary Network validator", "Is the node a validator, by its own report?", ofNode(uptime.metrics.validator), {
      height: 4,
      mappings: { 0: ["not a validator", "blue"], 1: ["validator", "green"] },
      alerts: ["AvaxValidatorNotInSet", "AvaxValidatorGone"],
    }),
    stat(
      "Observed uptime",
      "Which uptime does the network observe? Stake-weighted average of the uptimes that the validators observed of the node.",
      ofNode(uptime.metrics.average),
      { height: 4, unit: PercentUnit, thresholds: redBelow(LOW_UPTIME_RATIO), alerts: ["AvaxUptimeRewardAtRisk"] },
    ),
    stat(
      "BLS key",
      "Is the BLS key the registered one? State of the node's BLS key against the validator set, from its own health check.",
      [`${ofNode(nodeNetwork.metrics.bls)} == 1`, "{{node}} {{state}}"],
      { height: 4, names: true, alerts: ["AvaxNodeBlsKeyWrong"] },
    ),
    table(
      "Own validator",
      "What is staked and delegated, and what will it earn? The chosen nodes as validators: stake, delegations and reward in AVAX, and the time until the staking period ends.",
      {
        height: 6,
        alerts: ["AvaxValidatorGone", "AvaxValidatorNotInSet", "AvaxValidatorEndingSoon"],
        labels: { node_id: { title: "Validator", link: TO_VALIDATOR }, node: { title: "Node", width: 120 } },
        columns: [
          column("In the set", ofPrimaryNode(staked.active), { mappings: YES_NO, width: 100 }),
          column("Stake (AVAX)", ofPrimaryNode(staked.weight), { decimals: 2, width: 130 }),
          column("Delegated (AVAX)", ofPrimaryNode(staked.delegated), { width: 150 }),
          column("Reward (AVAX)", rewardAtEnd(PRIMARY_NODE), { decimals: 1, mappings: LOST, width: 130 }),
          spans("Ends in", `${ofPrimaryNode(staked.end)} - time()`, { thresholds: redBelow(ENDING_SOON), width: 105 }),
        ],
      },
    ),
    lines(
      "Delegations (AVAX)",
      "When do delegations end? Stake delegated to the node's validator by days left until the delegation ends, and the stake of those that will not be rewarded: they end before the uptime can suffice.",
      [
        [`${ofNode(delegations.metrics.ending)} > 0`, "{{node}} ends in {{remaining}}"],
        [ofNode(delegations.metrics.unrewarded), "{{node}} not rewarded"],
      ],
      { noValue: "no delegations", alerts: ["AvaxDelegationsUnrewarded"] },
    ),
    lines(
      "Uptime in subnets",
      "Does the node's uptime suffice in each subnet? Rewarding stake and observed uptime of the node in each configured subnet that it validates.",
      [
        [withSubnetNames(ofView(subnetUptime.metrics.rewarding)), "{{node}} {{name}} rewarding stake"],
        [withSubnetNames(ofView(subnetUptime.metrics.average)), "{{node}} {{name}} average uptime"],
      ],
      { unit: PercentUnit, zoomed: true, noValue: "not reported" },
    ),
    lines(
      "Observed validator uptimes",
      "How does the node judge the watched validators? Lowest and median uptime of the watched validators, as observed by each chosen node. Nodes differ, because each observes on its own.",
      [
        [`min by (node) (${ofView(rewardVerdict.metrics.uptime)})`, "{{node}} lowest"],
        [`quantile by (node) (0.5, ${ofView(rewardVerdict.metrics.uptime)})`, "{{node}} median"],
      ],
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxValidatorViewsDisagree"] },
    ),
  ],
};
