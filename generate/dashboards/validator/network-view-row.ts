import { PercentUnit } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../src/topics/node/benched.ts";
import { disagreement, DISAGREEMENT_RATIO } from "../../../src/topics/validators/disagreement.ts";
import { identity } from "../../../src/topics/node/identity.ts";
import { CLAIM_TOLERANCE_RATIO, networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { peers } from "../../../src/topics/node/peers.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../src/topics/validators/uptime.ts";
import { validatorView } from "../../../src/topics/validators/validator-view.ts";
import { YES_NO, redAbove, redBelow } from "../parts/format.ts";
import { type Row, lines, timeline } from "../parts/panels.ts";
import { column, table, usual } from "../parts/table.ts";
import { NODE, PRIMARY_VALIDATOR, VALIDATOR, withNames, select, top } from "../parts/selectors.ts";

const of = select(NODE);
const { metrics: verdict } = networkVerdict;
/** Restricts facts about polled nodes to those that are chosen validators. */
const CHOSEN = `and on (instance, job, node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })}`;
const VIEW = { ...NODE, ...PRIMARY_VALIDATOR } as const;

const connected = where(validatorView.metrics.connected, VIEW);
const least = (expr: string) => `min by (network, node_id) (${expr})`;
/** Bars of a timeline. */
const MOST_BARS = 20;
const OF_VALIDATORS = { by: "network, node_id" } as const;

export const networkViewRow: Row = {
  title: "Network view",
  collapsed: true,
  legend: "{{name}}",
  panels: [
    table(
      "Observed uptime of polled nodes",
      "Stake that observed the uptime for the node's own reward (rewarding), 80 % and 90 %. Observing: stake that reported any uptime. Overstated: rewarding stake reported by the node beyond what its peers observed.",
      {
        height: 9,
        unit: PercentUnit,
        alerts: ["AvaxUptimeRewardAtRisk", "AvaxRewardingStakeOverstated"],
        labels: usual("node"),
        sortedBy: "Rewarding",
        columns: [
          column("Rewarding", `${of(verdict.required)} ${CHOSEN}`, {
            width: 120,
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
          }),
          column("Stake at 80 %", `${where(verdict.stakeAbove, { ...NODE, threshold: "0.8" })} ${CHOSEN}`, {
            width: 120,
            decimals: 1,
          }),
          column("Stake at 90 %", `${where(verdict.stakeAbove, { ...NODE, threshold: "0.9" })} ${CHOSEN}`, {
            width: 120,
            decimals: 1,
          }),
          column("Observing", `${of(verdict.observing)} ${CHOSEN}`, { width: 120, decimals: 1 }),
          column("Min uptime", `${of(verdict.least)} ${CHOSEN}`, { width: 120, decimals: 0 }),
          column("Median uptime", `${of(verdict.median)} ${CHOSEN}`, { width: 120, decimals: 0 }),
          column("Max uptime", `${of(verdict.most)} ${CHOSEN}`, { width: 120, decimals: 0 }),
          column("Node reports", `${of(uptime.metrics.rewarding)} ${CHOSEN}`, { width: 120, decimals: 1 }),
          column("Overstated", `${of(verdict.overstatement)} ${CHOSEN}`, {
            width: 135,
            decimals: 1,
            thresholds: redAbove(CLAIM_TOLERANCE_RATIO),
          }),
          column("Budget used", `${of(verdict.spent)} ${CHOSEN}`, { decimals: 1, thresholds: redAbove(1), width: 130 }),
        ],
      },
    ),
    timeline(
      "Connected",
      "Whether all, some or none of the polled nodes that observe the validator are connected to it. A node's report about itself is not counted. A gap: no node observes it. The worst validators.",
      withNames(
        top(`(${least(connected)} + max by (network, node_id) (${connected}))`, {
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
      "Number of polled nodes that observe each validator, whether they agree on its connection, how many bench it, and the age of its last message to any of them.",
      {
        height: 12,
        alerts: ["AvaxValidatorViewsDisagree", "AvaxNodeBenched"],
        labels: { network: { title: "Network", width: 90 }, node_id: { title: "Validator", short: true, width: 140 } },
        more: { expr: withNames(where(disagreement.metrics.views, VALIDATOR)), labels: usual("name") },
        columns: [
          column("Nodes", where(disagreement.metrics.views, VALIDATOR), { width: 65 }),
          column("Agree", `1 - ${where(disagreement.metrics.connected, VALIDATOR)}`, { width: 65, mappings: YES_NO }),
          column(
            "Benched by",
            `count by (network, node_id) (max by (network, node, node_id) (${where(benching.metrics.watched, { ...NODE, ...VALIDATOR })}))`,
            { width: 100, thresholds: redAbove(1) },
          ),
          column(
            "Last seen",
            `time() - max by (network, node_id) (${where(peers.metrics.watchedReceived, { ...NODE, ...VALIDATOR })})`,
            { width: 95, unit: "s", decimals: 0 },
          ),
        ],
      },
    ),
    lines(
      "Rewarding stake",
      "Share of all stake that observed enough uptime of the validator's node for its reward. The nodes with the least.",
      [top(`(${of(verdict.required)} ${CHOSEN})`, { of: "lowest" }), "{{node}}"],
      { unit: PercentUnit, thresholds: redBelow(LEAST_REWARDING_RATIO), alerts: ["AvaxUptimeRewardAtRisk"] },
    ),
    lines(
      "Lowest observed uptime",
      "Lowest uptime of each chosen validator that any polled node observed; the lowest ones. Nodes differ, because each observes on its own.",
      withNames(top(least(where(validatorView.metrics.uptime, VIEW)), { ...OF_VALIDATORS, of: "lowest" })),
      { unit: PercentUnit, zoomed: true, alerts: ["AvaxValidatorViewsDisagree"] },
    ),
    lines(
      "Uptime disagreement",
      "Difference between the largest and smallest uptime that the polled nodes observed of the same validator; the largest ones.",
      withNames(top(where(disagreement.metrics.uptime, VALIDATOR), { ...OF_VALIDATORS, of: "highest" })),
      {
        unit: PercentUnit,
        softMax: 1.5 * DISAGREEMENT_RATIO,
        thresholds: redAbove(DISAGREEMENT_RATIO),
        alerts: ["AvaxValidatorViewsDisagree"],
      },
    ),
    lines(
      "Benching stake",
      "Share of all stake that benches the validator's node, known from the polled nodes.",
      [
        top(`(${of(benched.metrics.stake)} > 0 ${CHOSEN})`, {
          of: "highest",
          by: "node, chain",
        }),
        "{{node}} {{chain}}",
      ],
      {
        unit: PercentUnit,
        softMax: 0.2,
        noValue: "not benched",
        thresholds: redAbove(BENCHED_RATIO),
        alerts: ["AvaxNodeBenched"],
      },
    ),
  ],
};
