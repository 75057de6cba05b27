import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-verdict-alerts.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../../src/topics/validators/validator-requirement.ts";
import { validatorView } from "../../../src/topics/validators/validator-view.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { firing, firingTable } from "../parts/alert-panels.ts";
import { type Mappings, orangeAbove, redAbove, redBelow, redOrangeBelow } from "../parts/format.ts";
import { type Row, lines, stat } from "../parts/panels.ts";
import { downtimeLeft, rewardAtEnd, rewardState } from "../parts/rewards.ts";
import { column, table, usual } from "../parts/table.ts";
import { median, NODE, PRIMARY_VALIDATOR, VALIDATOR, withNames, select, top } from "../parts/selectors.ts";

const of = select(PRIMARY_VALIDATOR);
const { metrics: staked } = validator;
const budget = downtimeLeft(PRIMARY_VALIDATOR);
const uptime = median(of(validatorView.metrics.uptime), "network, node_id");
const attainable = median(of(rewardVerdict.metrics.attainable), "network, node_id");
const verdict = rewardState(PRIMARY_VALIDATOR);
const VERDICT: Mappings = { 0: ["lost", "red"], 1: ["at risk", "orange"], 2: ["on track", "green"] };
const worst = (expr: string) => withNames(top(expr, { of: "lowest", by: "network, node_id" }));
const OBSERVED = "median of the polled nodes";

/** Alerts about the chosen validators, and about the chosen nodes that are these validators. */
const alerts = `${firing(VALIDATOR)} and on (node_id) ${where(staked.active, VALIDATOR)} or (${firing(NODE)} and on (node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })})`;

export const verdictRow: Row = {
  title: "Rewards",
  legend: "validators",
  panels: [
    stat("On track", "Chosen validators whose reward is neither lost nor at risk.", `sum(${verdict} == bool 2)`, {
      thresholds: [{ value: null, color: "green" }],
    }),
    stat(
      "At risk",
      "Chosen validators with less than a day of downtime left, below their required uptime, or with too little stake that observed enough uptime.",
      `sum(${verdict} == bool 1)`,
      {
        thresholds: redAbove(1),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeRewardAtRisk"],
      },
    ),
    stat("Lost", "Chosen validators that can no longer reach the required uptime.", `sum(${verdict} == bool 0)`, {
      thresholds: redAbove(1),
      alerts: ["AvaxRewardLost"],
    }),
    stat(
      "Unknown",
      "Chosen validators whose downtime left is unknown, because no polled node observes their uptime.",
      `count(${of(staked.reward)} unless on (network, node_id) (${budget}))`,
      { noValue: "none", thresholds: orangeAbove(1) },
    ),
    stat(
      "Downtime left",
      "Smallest remaining downtime budget of the chosen validators. Negative: its reward is lost.",
      [`min(${budget})`, "downtime left"],
      { unit: Seconds, decimals: 1, thresholds: redOrangeBelow(0, LITTLE_BUDGET), alerts: ["AvaxDowntimeBudgetLow"] },
    ),
    stat(
      "Next stake end",
      "Time until the first of the chosen staking periods ends. The reward is decided at that moment.",
      [`min(${of(staked.end)} - time())`, "ends in"],
      { unit: Seconds, decimals: 1, thresholds: redBelow(ENDING_SOON), alerts: ["AvaxValidatorEndingSoon"] },
    ),
    stat(
      "Stake (AVAX)",
      "Own stake of the chosen validators, in AVAX.",
      [`sum(max by (network, node_id) (${of(staked.weight)}))`, "AVAX"],
      { decimals: 2 },
    ),
    stat(
      "Reward (AVAX)",
      "Rewards at the end of the chosen stakes in AVAX that can still be paid, without delegation fees. A lost reward is not counted.",
      [`sum(max by (network, node_id) (${rewardAtEnd(PRIMARY_VALIDATOR)}))`, "AVAX"],
      { decimals: 2 },
    ),
    table(
      "Validators",
      `Uptime and reward, ${OBSERVED}, worst first. A node's report about itself is not counted. The reward is lost once Downtime left is below 0.`,
      {
        height: 13,
        alerts: ["AvaxRewardLost", "AvaxUptimeBelowRequirement", "AvaxUptimeNearRequirement", "AvaxValidatorGone"],
        labels: usual("network", "node_id"),
        sortedBy: "Downtime left",
        more: {
          expr: `${where(staked.info, VALIDATOR)} and on (network, node_id) ${of(rewardVerdict.metrics.budget)}`,
          labels: usual("name", "node"),
        },
        columns: [
          column("Reward", verdict, { width: 90, mappings: VERDICT }),
          column("Downtime left", budget, {
            width: 120,
            unit: Seconds,
            decimals: 1,
            thresholds: redOrangeBelow(0, LITTLE_BUDGET),
          }),
          column("Total budget", of(validatorRequirement.metrics.wholeBudget), {
            width: 115,
            unit: Seconds,
            decimals: 1,
          }),
          column("Uptime", uptime, { width: 85, unit: PercentUnit, decimals: 2 }),
          column("Required", of(validatorRequirement.metrics.requirement), {
            width: 85,
            unit: PercentUnit,
            decimals: 0,
          }),
          column("Attainable", attainable, { width: 100, unit: PercentUnit, decimals: 2 }),
          column("Connected by", `avg by (network, node_id) (${of(validatorView.metrics.connected)})`, {
            width: 120,
            unit: PercentUnit,
            decimals: 0,
            thresholds: redBelow(1),
          }),
          column("Ends in", `${of(staked.end)} - time()`, {
            width: 105,
            unit: Seconds,
            decimals: 1,
            thresholds: redBelow(ENDING_SOON),
          }),
        ],
      },
    ),
    firingTable(
      "Firing alerts about the chosen validators and their polled nodes.",
      alerts,
      ["network", "node", "node_id", "subnet", "chain"],
      { width: 24, height: 8 },
    ),
    lines(
      "Downtime left",
      "Remaining downtime budget: level while the validator is up, falling while it is down. Below 0 the reward is lost. The validators with the least.",
      [worst(budget), "{{name}}"],
      {
        unit: Seconds,
        in: "d",
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxRewardLost"],
      },
    ),
    lines(
      "Uptime margin",
      "Current uptime minus the uptime required for the reward. Below 0 it must recover before the period ends. The validators with the least.",
      [worst(median(of(rewardVerdict.metrics.margin), "network, node_id")), "{{name}}"],
      {
        unit: PercentUnit,
        decimals: 1,
        softMax: 0.2,
        thresholds: redBelow(0),
        alerts: ["AvaxUptimeBelowRequirement", "AvaxUptimeNearRequirement"],
      },
    ),
  ],
};
