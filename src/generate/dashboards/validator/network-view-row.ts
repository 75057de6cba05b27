import { PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../topics/node/benched.ts";
import { disagreement, DISAGREEMENT_RATIO } from "../../../topics/validators/disagreement.ts";
import { identity } from "../../../topics/node/identity.ts";
import { CLAIM_TOLERANCE_RATIO, networkVerdict } from "../../../topics/validators/network-verdict.ts";
import { peers } from "../../../topics/node/peers.ts";
import { where } from "../../../catalogue/selector.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../topics/validators/uptime.ts";
import { validatorView } from "../../../topics/validators/validator-view.ts";
import { YES_NO } from "../parts/mappings.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { TO_NODE } from "../parts/links.ts";
import { lines, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NODE, PRIMARY_VALIDATOR, VALIDATOR } from "../parts/selectors.ts";

const { metrics: verdict } = networkVerdict;
/** Restricts facts about polled nodes to those that are chosen validators. */
const CHOSEN = `and on (instance, job, node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })}`;
const VIEW = { ...NODE, ...PRIMARY_VALIDATOR } as const;

const connected = where(validatorView.metrics.connected, VIEW);

export const networkViewRow = {
  id: 200,
  title: "Network view",
  panels: [
    table(
      {
        id: 201,
        title: "Observed uptime of polled nodes",
        about:
          "Stake that observed the uptime for the node's own reward (rewarding), 80 % and 90 %. Observing: stake that reported any uptime. Overstated: rewarding stake reported by the node beyond what its peers observed.",
        width: 24,
        height: 9,
        unit: PercentUnit,
        alerts: ["AvaxUptimeRewardAtRisk", "AvaxRewardingStakeOverstated"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        sortedBy: "Rewarding",
        columns: [
          {
            title: "Rewarding",
            width: 120,
            expr: `${where(verdict.required, NODE)} ${CHOSEN}`,
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
          },
          {
            title: "Stake at 80 %",
            width: 120,
            expr: `${where(verdict.stakeAbove, { ...NODE, threshold: "0.8" })} ${CHOSEN}`,
            decimals: 1,
          },
          {
            title: "Stake at 90 %",
            width: 120,
            expr: `${where(verdict.stakeAbove, { ...NODE, threshold: "0.9" })} ${CHOSEN}`,
            decimals: 1,
          },
          { width: 120, title: "Observing", expr: `${where(verdict.observing, NODE)} ${CHOSEN}`, decimals: 1 },
          { width: 120, title: "Min uptime", expr: `${where(verdict.least, NODE)} ${CHOSEN}`, decimals: 0 },
          { width: 120, title: "Median uptime", expr: `${where(verdict.median, NODE)} ${CHOSEN}`, decimals: 0 },
          { width: 120, title: "Max uptime", expr: `${where(verdict.most, NODE)} ${CHOSEN}`, decimals: 0 },
          {
            title: "Node reports",
            width: 120,
            expr: `${where(uptime.metrics.rewarding, NODE)} ${CHOSEN}`,
            decimals: 1,
          },
          {
            title: "Overstated",
            width: 135,
            expr: `${where(verdict.overstatement, NODE)} ${CHOSEN}`,
            decimals: 1,
            thresholds: redAbove(CLAIM_TOLERANCE_RATIO),
          },
          {
            title: "Budget used",
            expr: `${where(verdict.spent, NODE)} ${CHOSEN}`,
            decimals: 1,
            thresholds: redAbove(1),
            width: 130,
          },
        ],
      },
    ),
    timeline(
      {
        id: 203,
        title: "Connected",
        about:
          "Whether all, some or none of the polled nodes that observe the validator are connected to it. A node's report about itself is not counted.",
        width: 12,
        height: 12,
        unit: Short,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxValidatorDisconnected"],
      },
      [[`min by (node_id) (${connected}) + max by (node_id) (${connected})`, "{{node_id}}"]],
    ),
    table(
      {
        id: 207,
        title: "Observers",
        about:
          "Number of polled nodes that observe each validator, whether they agree on its connection, how many bench it, and the age of its last message to any of them.",
        width: 12,
        height: 12,
        unit: Short,
        alerts: ["AvaxValidatorViewsDisagree", "AvaxNodeBenched"],
      },
      {
        labels: { node_id: { title: "Validator" } },
        columns: [
          { title: "Nodes", expr: where(disagreement.metrics.views, VALIDATOR), width: 80 },
          {
            title: "Agree",
            expr: `1 - ${where(disagreement.metrics.connected, VALIDATOR)}`,
            mappings: YES_NO,
            width: 70,
          },
          {
            title: "Benched by",
            expr: `count by (node_id) (max by (node, node_id) (${where(benching.metrics.watched, { ...NODE, node_id: "=~$validator" })}))`,
            thresholds: redAbove(1),
            width: 100,
          },
          {
            title: "Last seen",
            expr: `time() - max by (node_id) (${where(peers.metrics.watchedReceived, { ...NODE, node_id: "=~$validator" })})`,
            unit: "s",
            decimals: 0,
            width: 90,
          },
        ],
      },
    ),
    lines(
      {
        id: 202,
        title: "Rewarding stake",
        about: "Share of all stake that observed enough uptime of the validator's node for its reward.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[`${where(verdict.required, NODE)} ${CHOSEN}`, "{{node}}"]],
    ),
    lines(
      {
        id: 208,
        title: "Lowest observed uptime",
        about:
          "Lowest uptime of each chosen validator that any polled node observed. Nodes differ, because each observes on its own.",
        width: 12,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxValidatorViewsDisagree"],
      },
      [[`min by (node_id) (${where(validatorView.metrics.uptime, VIEW)})`, "{{node_id}}"]],
    ),
    lines(
      {
        id: 205,
        title: "Uptime disagreement",
        about:
          "Difference between the largest and smallest uptime that the polled nodes observed of the same validator.",
        width: 12,
        unit: PercentUnit,
        softMax: 1.5 * DISAGREEMENT_RATIO,
        thresholds: redAbove(DISAGREEMENT_RATIO),
        alerts: ["AvaxValidatorViewsDisagree"],
      },
      [[where(disagreement.metrics.uptime, VALIDATOR), "{{node_id}}"]],
    ),
    lines(
      {
        id: 206,
        title: "Benching stake",
        about: "Share of all stake that benches the validator's node, known from the polled nodes.",
        width: 12,
        unit: PercentUnit,
        softMax: 0.2,
        noValue: "not benched",
        thresholds: redAbove(BENCHED_RATIO),
        alerts: ["AvaxNodeBenched"],
      },
      [[`${where(benched.metrics.stake, NODE)} > 0 ${CHOSEN}`, "{{node}} {{chain}}"]],
    ),
  ],
};
