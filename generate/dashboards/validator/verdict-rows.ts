import { PercentUnit, Seconds } from "@grafana/grafana-foundation-sdk/units";
import { identity } from "../../../src/topics/node/identity.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { reward } from "../../../src/topics/validators/reward.ts";
import { LITTLE_BUDGET } from "../../../src/topics/validators/reward-state.ts";
import { rewardVerdict } from "../../../src/topics/validators/reward-verdict.ts";
import { validatorRequirement } from "../../../src/topics/validators/validator-requirement.ts";
import { ENDING_SOON, validator } from "../../../src/topics/validators/validator.ts";
import { firing, firingTable } from "../parts/alert-panels.ts";
import {
  GREEN,
  type Mappings,
  orangeAbove,
  redAbove,
  redBelow,
  redOrangeBelow,
  YES_NO,
  SPAN,
} from "../parts/format.ts";
import { type Row, lines, stat, timeline } from "../parts/panels.ts";
import { downtimeLeft, rewardAtEnd, rewardState } from "../parts/rewards.ts";
import { column, table, usual, spans, shares, type ColumnFormat } from "../parts/table.ts";
import {
  BY_VALIDATOR,
  NODE,
  PRIMARY_VALIDATOR,
  VALIDATOR,
  withNames,
  top,
  ofPrimaryValidator,
  ofValidator,
  ofNode,
} from "../parts/selectors.ts";
import { benching } from "../../../src/topics/node/benched.ts";
import { disagreement, DISAGREEMENT_RATIO } from "../../../src/topics/validators/disagreement.ts";
import { CLAIM_TOLERANCE_RATIO, networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { peers } from "../../../src/topics/node/peers.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../src/topics/validators/uptime.ts";

const { metrics: staked } = validator;
const budget = downtimeLeft(PRIMARY_VALIDATOR);
const margin = `min by (${BY_VALIDATOR}) (${ofPrimaryValidator(reward.metrics.margin)})`;
const observed = ofPrimaryValidator(reward.metrics.uptime);
const attainable = ofPrimaryValidator(reward.metrics.attainable);
const verdict = rewardState(PRIMARY_VALIDATOR);
const VERDICT: Mappings = { 0: ["lost", "red"], 1: ["at risk", "orange"], 2: ["on track", "green"] };
const worst = (expr: string) => withNames(top(expr, { of: "lowest", by: "network, node_id" }));
const OBSERVED = "median of the polled nodes";

/** Alerts about the chosen validators, and about the chosen nodes that are these validators. */
const alerts = `${firing(VALIDATOR)} and on (node_id) ${ofValidator(staked.active)} or (${firing(NODE)} and on (node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })})`;

export const verdictRow: Row = {
  title: "Rewards",
  legend: "validators",
  panels: [
    stat(
      "On track",
      "How many validators will be paid? Chosen validators whose reward is neither lost nor at risk.",
      `sum(${verdict} == bool 2)`,
      { thresholds: GREEN },
    ),
    stat(
      "At risk",
      "How many rewards are at risk? Chosen validators with less than a day of downtime left, below their required uptime, or with too little stake that observed enough uptime.",
      `sum(${verdict} == bool 1)`,
      {
        thresholds: redAbove(1),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxUptimeBelowRequirement", "AvaxUptimeRewardAtRisk"],
      },
    ),
    stat(
      "Lost",
      "How many rewards are lost? Chosen validators that can no longer reach the required uptime.",
      `sum(${verdict} == bool 0)`,
      { thresholds: redAbove(1), alerts: ["AvaxRewardLost"] },
    ),
    stat(
      "Unknown",
      "For how many validators is that unknown? Chosen validators whose downtime left is unknown, because no polled node observes their uptime.",
      `count(${ofPrimaryValidator(staked.reward)} unless on (network, node_id) (${budget}))`,
      { noValue: "none", thresholds: orangeAbove(1) },
    ),
    stat(
      "Downtime left",
      "How long can the worst validator still be down? Smallest remaining downtime budget of the chosen validators. Lost: its reward is.",
      [`min(${budget})`, "downtime left"],
      { unit: SPAN, negative: "lost", thresholds: redOrangeBelow(0, LITTLE_BUDGET), alerts: ["AvaxDowntimeBudgetLow"] },
    ),
    stat(
      "Next stake end",
      "When does the next stake end? Time until the first of the chosen staking periods ends. The reward is decided at that moment.",
      [`min(${ofPrimaryValidator(staked.end)} - time())`, "ends in"],
      { unit: SPAN, thresholds: redBelow(ENDING_SOON), alerts: ["AvaxValidatorEndingSoon"] },
    ),
    stat(
      "Stake (AVAX)",
      "How much is staked? Own stake of the chosen validators, in AVAX.",
      [`sum(max by (network, node_id) (${ofPrimaryValidator(staked.weight)}))`, "AVAX"],
      { decimals: 2 },
    ),
    stat(
      "Reward (AVAX)",
      "How much can still be paid? Rewards at the end of the chosen stakes in AVAX that can still be paid, without delegation fees. A lost reward is not counted.",
      [`sum(max by (network, node_id) (${rewardAtEnd(PRIMARY_VALIDATOR)}))`, "AVAX"],
      { decimals: 2 },
    ),
    table(
      "Validators",
      `Will each validator be paid? Uptime and reward, ${OBSERVED}, worst first. A node's report about itself is not counted. The reward is lost once Downtime left is below 0.`,
      {
        height: 15,
        alerts: ["AvaxRewardLost", "AvaxUptimeBelowRequirement", "AvaxValidatorGone"],
        labels: usual("network", "node_id"),
        sortedBy: "Downtime left",
        more: { expr: withNames(ofPrimaryValidator(reward.metrics.left)), labels: usual("name", "node") },
        columns: [
          column("Reward", verdict, { width: 90, mappings: VERDICT }),
          spans("Downtime left", budget, {
            width: 120,
            negative: "lost",
            thresholds: redOrangeBelow(0, LITTLE_BUDGET),
          }),
          spans("Total budget", ofPrimaryValidator(validatorRequirement.metrics.wholeBudget), { width: 115 }),
          shares("Uptime", observed, { width: 85, decimals: 2 }),
          shares("Required", ofPrimaryValidator(validatorRequirement.metrics.requirement), { width: 85, decimals: 0 }),
          shares("Attainable", attainable, { width: 100, decimals: 2 }),
          shares("Connected by", `avg by (network, node_id) (${ofPrimaryValidator(rewardVerdict.metrics.connected)})`, {
            width: 120,
            decimals: 0,
            thresholds: redBelow(1),
          }),
          spans("Ends in", `${ofPrimaryValidator(staked.end)} - time()`, {
            width: 140,
            thresholds: redBelow(ENDING_SOON),
          }),
        ],
      },
    ),
    firingTable(
      "What fires about the validators? Alerts about the chosen validators and their polled nodes.",
      alerts,
      ["network", "node", "node_id", "subnet", "chain"],
      { width: 24, height: 10 },
    ),
    lines(
      "Downtime left",
      "When was downtime used up? Remaining downtime budget: level while the validator is up, falling while it is down. Below 0 the reward is lost. The validators with the least.",
      [
        [worst(`(${budget} >= 0)`), "{{name}}"],
        [worst(`(${budget} < 0)`), "{{name}} lost"],
      ],
      {
        lost: "lost",
        unit: Seconds,
        in: "d",
        signed: true,
        thresholds: redOrangeBelow(0, LITTLE_BUDGET),
        alerts: ["AvaxDowntimeBudgetLow", "AvaxRewardLost"],
      },
    ),
    lines(
      "Uptime margin",
      "How far is the uptime from what the reward requires? Current uptime minus the uptime required for the reward. Below 0 it must recover before the period ends. The validators with the least.",
      [
        [worst(`(${margin} >= 0)`), "{{name}}"],
        [worst(`(${margin} < 0)`), "{{name}} below"],
      ],
      {
        lost: "below",
        unit: PercentUnit,
        decimals: 1,
        signed: true,
        softMax: 0.22,
        thresholds: redBelow(0),
        alerts: ["AvaxUptimeBelowRequirement"],
      },
    ),
  ],
};

const { metrics: own } = networkVerdict;
/** Restricts facts about polled nodes to those that are chosen validators. */
export const CHOSEN = `and on (instance, job, node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })}`;
const VIEW = { ...NODE, ...PRIMARY_VALIDATOR } as const;

const connected = where(rewardVerdict.metrics.connected, VIEW);
const least = (expr: string) => `min by (${BY_VALIDATOR}) (${expr})`;
/** Bars of a timeline. */
const MOST_BARS = 20;
const OF_VALIDATORS = { by: "network, node_id" } as const;

/** A figure about each chosen node as the network sees it. */
const seen = (title: string, figure: string, format: ColumnFormat = {}) =>
  column(title, `${figure} ${CHOSEN}`, { width: 120, decimals: 0, ...format });

export const networkViewRow: Row = {
  title: "Network view",
  collapsed: true,
  legend: "{{name}}",
  panels: [
    table(
      "Observed uptime of polled nodes",
      "Which share of the stake votes for each node? Stake that observed the uptime for the node's own reward (rewarding), 80 % and 90 %. Observing: stake that reported any uptime. Overstated: rewarding stake reported by the node beyond what its peers observed.",
      {
        height: 9,
        unit: PercentUnit,
        alerts: ["AvaxUptimeRewardAtRisk"],
        labels: usual("node"),
        sortedBy: "Rewarding",
        columns: [
          seen("Rewarding", ofNode(own.required), { decimals: 1, thresholds: redBelow(LEAST_REWARDING_RATIO) }),
          seen("Stake at 80 %", where(own.stakeAbove, { ...NODE, threshold: "0.8" }), { decimals: 1 }),
          seen("Stake at 90 %", where(own.stakeAbove, { ...NODE, threshold: "0.9" }), { decimals: 1 }),
          seen("Observing", ofNode(own.observing), { decimals: 1 }),
          seen("Min uptime", ofNode(own.least)),
          seen("Median uptime", ofNode(own.median)),
          seen("Max uptime", ofNode(own.most)),
          seen("Node reports", ofNode(uptime.metrics.rewarding), { decimals: 1 }),
          seen("Overstated", ofNode(own.overstatement), {
            width: 135,
            decimals: 1,
            thresholds: redAbove(CLAIM_TOLERANCE_RATIO),
          }),
          seen("Budget used", ofNode(own.spent), { width: 130, decimals: 1, thresholds: redAbove(1) }),
        ],
      },
    ),
    timeline(
      "Connected",
      "When was a validator disconnected? Whether all, some or none of the polled nodes that observe the validator are connected to it. A node's report about itself is not counted. A gap: no node observes it. The worst validators.",
      withNames(
        top(`(${least(connected)} + max by (${BY_VALIDATOR}) (${connected}))`, {
          of: "lowest",
          by: "network, node_id",
          count: MOST_BARS,
        }),
      ),
      {
        height: 12,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxValidatorDisconnected"],
      },
    ),
    table(
      "Observers",
      "Who observes each validator, and do they agree? Number of polled nodes that observe each validator, whether they agree on its connection, how many bench it, and the age of its last message to any of them.",
      {
        height: 12,
        alerts: ["AvaxValidatorViewsDisagree", "AvaxNodeBenched"],
        labels: usual("network", "node_id"),
        more: { expr: withNames(ofValidator(disagreement.metrics.views)), labels: usual("name") },
        columns: [
          column("Nodes", ofValidator(disagreement.metrics.views), { width: 65 }),
          column("Agree", `1 - ${ofValidator(disagreement.metrics.connected)}`, { width: 65, mappings: YES_NO }),
          column(
            "Benched by",
            `count by (network, node_id) (max by (network, node, node_id) (${where(benching.metrics.watched, { ...NODE, ...VALIDATOR })}))`,
            { width: 100, thresholds: redAbove(1) },
          ),
          spans(
            "Last seen",
            `time() - max by (network, node_id) (${where(peers.metrics.watchedReceived, { ...NODE, ...VALIDATOR })})`,
            { width: 95 },
          ),
        ],
      },
    ),
    lines(
      "Rewarding stake",
      "When did a validator lose votes for its reward? Share of all stake that observed enough uptime of the validator's node for its reward. The nodes with the least.",
      [top(`(${ofNode(own.required)} ${CHOSEN})`, { of: "lowest" }), "{{node}}"],
      { unit: PercentUnit, thresholds: redBelow(LEAST_REWARDING_RATIO), alerts: ["AvaxUptimeRewardAtRisk"] },
    ),
    lines(
      "Lowest observed uptime",
      "How low is the uptime in the worst view? Lowest uptime of each chosen validator that any polled node observed; the lowest ones. Nodes differ, because each observes on its own.",
      withNames(top(least(where(rewardVerdict.metrics.uptime, VIEW)), { ...OF_VALIDATORS, of: "lowest" })),
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxValidatorViewsDisagree"] },
    ),
    lines(
      "Uptime disagreement",
      "How far do the observers disagree? Difference between the largest and smallest uptime that the polled nodes observed of the same validator; the largest ones.",
      withNames(top(ofValidator(disagreement.metrics.uptime), { ...OF_VALIDATORS, of: "highest" })),
      {
        unit: PercentUnit,
        softMax: 1.5 * DISAGREEMENT_RATIO,
        thresholds: redAbove(DISAGREEMENT_RATIO),
        alerts: ["AvaxValidatorViewsDisagree"],
      },
    ),
  ],
};
