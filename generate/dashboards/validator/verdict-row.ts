import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-verdict-alerts.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../../src/topics/validators/validator-requirement.ts";
import { validatorView } from "../../../src/topics/validators/validator-view.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { firing, firingTable } from "../parts/alert-panels.ts";
import type { Mappings } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { downtimeLeft, rewardAtEnd, rewardState } from "../parts/rewards.ts";
import { orangeAbove, redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { TO_NODE, TO_VALIDATOR } from "../parts/links.ts";
import { lines, stat } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { median, NODE, PRIMARY_VALIDATOR, VALIDATOR, withNames } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

const { metrics: staked } = validator;
const budget = downtimeLeft(PRIMARY_VALIDATOR);
const uptime = median(where(validatorView.metrics.uptime, PRIMARY_VALIDATOR), "network, node_id");
const attainable = median(where(rewardVerdict.metrics.attainable, PRIMARY_VALIDATOR), "network, node_id");
const verdict = rewardState(PRIMARY_VALIDATOR);
const VERDICT: Mappings = { 0: ["lost", "red"], 1: ["at risk", "orange"], 2: ["on track", "green"] };
const worst = (expr: string) => withNames(top(expr, { of: "lowest", by: "network, node_id" }));
const OBSERVED = "median of the polled nodes";

/** Alerts about the chosen validators, and about the chosen nodes that are these validators. */
const alerts = `${firing(VALIDATOR)} and on (node_id) ${where(staked.active, VALIDATOR)} or (${firing(NODE)} and on (node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })})`;

export const verdictRow: Row = {
  id: 100,
  title: "Rewards",
  panels: [
    stat(
      {
        id: 101,
        title: "On track",
        about: "Chosen validators whose reward is neither lost nor at risk.",
        width: 3,
        unit: Short,
        thresholds: [{ value: null, color: "green" }],
      },
      [[`sum(${verdict} == bool 2)`, "validators"]],
    ),
    stat(
      {
        id: 102,
        title: "At risk",
        about:
          "Chosen validators with less than a day of downtime left, below their required uptime, or with too little stake that observed enough uptime.",
        width: 3,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeRewardAtRisk"],
      },
      [[`sum(${verdict} == bool 1)`, "validators"]],
    ),
    stat(
      {
        id: 103,
        title: "Lost",
        about: "Chosen validators that can no longer reach the required uptime.",
        width: 3,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxRewardLost"],
      },
      [[`sum(${verdict} == bool 0)`, "validators"]],
    ),
    stat(
      {
        id: 112,
        title: "Unknown",
        about: "Chosen validators whose downtime left is unknown, because no polled node observes their uptime.",
        width: 3,
        unit: Short,
        noValue: "none",
        thresholds: orangeAbove(1),
      },
      [[`count(${where(staked.reward, PRIMARY_VALIDATOR)} unless on (network, node_id) (${budget}))`, "validators"]],
    ),
    stat(
      {
        id: 104,
        title: "Downtime left",
        about: "Smallest remaining downtime budget of the chosen validators. Negative: its reward is lost.",
        width: 3,
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow"],
      },
      [[`min(${budget})`, "downtime left"]],
    ),
    stat(
      {
        id: 105,
        title: "Next stake end",
        about: "Time until the first of the chosen staking periods ends. The reward is decided at that moment.",
        width: 3,
        unit: Seconds,
        decimals: 1,
        thresholds: redBelow(ENDING_SOON),
        alerts: ["AvaxValidatorEndingSoon"],
      },
      [[`min(${where(staked.end, PRIMARY_VALIDATOR)} - time())`, "ends in"]],
    ),
    stat(
      {
        id: 106,
        title: "Stake (AVAX)",
        about: "Own stake of the chosen validators, in AVAX.",
        width: 3,
        unit: Short,
        decimals: 2,
      },
      [[`sum(max by (network, node_id) (${where(staked.weight, PRIMARY_VALIDATOR)}))`, "AVAX"]],
    ),
    stat(
      {
        id: 107,
        title: "Reward (AVAX)",
        about:
          "Rewards at the end of the chosen stakes in AVAX that can still be paid, without delegation fees. A lost reward is not counted.",
        width: 3,
        unit: Short,
        decimals: 2,
      },
      [[`sum(max by (network, node_id) (${rewardAtEnd(PRIMARY_VALIDATOR)}))`, "AVAX"]],
    ),
    table(
      {
        id: 108,
        title: "Validators",
        about: `Uptime and reward, ${OBSERVED}, worst first. A node's report about itself is not counted. The reward is lost once Downtime left is below 0.`,
        width: 24,
        height: 13,
        unit: Short,
        alerts: ["AvaxRewardLost", "AvaxUptimeBelowRequirement", "AvaxUptimeNearRequirement", "AvaxValidatorGone"],
      },
      {
        labels: {
          network: { title: "Network", width: 90 },
          node_id: { title: "Validator", link: TO_VALIDATOR, short: true, width: 140 },
        },
        sortedBy: "Downtime left",
        more: {
          expr: `${where(staked.info, VALIDATOR)} and on (network, node_id) ${where(rewardVerdict.metrics.budget, PRIMARY_VALIDATOR)}`,
          labels: { name: { title: "Name" }, node: { title: "Node", width: 110, link: TO_NODE } },
        },
        columns: [
          { title: "Reward", width: 90, expr: verdict, mappings: VERDICT },
          {
            title: "Downtime left",
            width: 120,
            expr: budget,
            unit: Seconds,
            decimals: 1,
            thresholds: redOrangeBelow(0, LITTLE_BUDGET),
          },
          {
            title: "Total budget",
            width: 115,
            expr: where(validatorRequirement.metrics.wholeBudget, PRIMARY_VALIDATOR),
            unit: Seconds,
            decimals: 1,
          },
          { title: "Uptime", width: 85, expr: uptime, unit: PercentUnit, decimals: 2 },
          {
            title: "Required",
            width: 85,
            expr: where(validatorRequirement.metrics.requirement, PRIMARY_VALIDATOR),
            unit: PercentUnit,
            decimals: 0,
          },
          { title: "Attainable", width: 100, expr: attainable, unit: PercentUnit, decimals: 2 },
          {
            title: "Connected by",
            width: 120,
            expr: `avg by (network, node_id) (${where(validatorView.metrics.connected, PRIMARY_VALIDATOR)})`,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(1),
          },
          {
            title: "Ends in",
            width: 105,
            expr: `${where(staked.end, PRIMARY_VALIDATOR)} - time()`,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
          },
        ],
      },
    ),
    firingTable(
      {
        id: 111,
        title: "Firing alerts",
        about:
          "Firing alerts about the chosen validators and their polled nodes. An alert name links to its runbook. For: time since the condition became true.",
        width: 24,
        height: 8,
      },
      alerts,
      ["network", "node", "node_id", "subnet", "chain"],
    ),
    lines(
      {
        id: 109,
        title: "Downtime left",
        about:
          "Remaining downtime budget: level while the validator is up, falling while it is down. Below 0 the reward is lost. The validators with the least.",
        width: 12,
        unit: Seconds,
        in: "d",
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxRewardLost"],
      },
      [[worst(budget), "{{name}}"]],
    ),
    lines(
      {
        id: 110,
        title: "Uptime margin",
        about:
          "Current uptime minus the uptime required for the reward. Below 0 it must recover before the period ends. The validators with the least.",
        width: 12,
        unit: PercentUnit,
        decimals: 1,
        softMax: 0.2,
        thresholds: redBelow(0),
        alerts: ["AvaxUptimeBelowRequirement", "AvaxUptimeNearRequirement"],
      },
      [[worst(median(where(rewardVerdict.metrics.margin, PRIMARY_VALIDATOR), "network, node_id")), "{{name}}"]],
    ),
  ],
};
