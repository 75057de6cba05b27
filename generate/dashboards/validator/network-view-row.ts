import { PercentUnit, Short } from "@grafana/grafana-foundation-sdk/units";
import { BENCHED_RATIO, benched, benching } from "../../../src/topics/node/benched.ts";
import { disagreement, DISAGREEMENT_RATIO } from "../../../src/topics/validators/disagreement.ts";
import { identity } from "../../../src/topics/node/identity.ts";
import { CLAIM_TOLERANCE_RATIO, networkVerdict } from "../../../src/topics/validators/network-verdict.ts";
import { peers } from "../../../src/topics/node/peers.ts";
import { where } from "../../../src/topics/define/selector.ts";
import { LEAST_REWARDING_RATIO, uptime } from "../../../src/topics/validators/uptime.ts";
import { validatorView } from "../../../src/topics/validators/validator-view.ts";
import { YES_NO } from "../parts/mappings.ts";
import type { Row } from "../parts/panel-options.ts";
import { redAbove, redBelow } from "../parts/thresholds.ts";
import { TO_NODE } from "../parts/links.ts";
import { lines, timeline } from "../parts/panels.ts";
import { table } from "../parts/table.ts";
import { NODE, PRIMARY_VALIDATOR, VALIDATOR, withNames } from "../parts/selectors.ts";
import { top } from "../parts/top.ts";

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
  id: 200,
  title: "Network view",
  collapsed: true,
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
          "Whether all, some or none of the polled nodes that observe the validator are connected to it. A node's report about itself is not counted. A gap: no node observes it. The worst validators.",
        width: 12,
        height: 12,
        unit: Short,
        mappings: { 0: ["none", "red"], 1: ["some", "orange"], 2: ["all", "green"] },
        alerts: ["AvaxValidatorDisconnected"],
      },
      [
        [
          withNames(
            top(`(${least(connected)} + max by (network, node_id) (${connected}))`, {
              of: "lowest",
              by: "network, node_id",
              count: MOST_BARS,
            }),
          ),
          "{{name}}",
        ],
      ],
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
        labels: { network: { title: "Network", width: 90 }, node_id: { title: "Validator", short: true, width: 140 } },
        more: { expr: withNames(where(disagreement.metrics.views, VALIDATOR)), labels: { name: { title: "Name" } } },
        columns: [
          { title: "Nodes", width: 65, expr: where(disagreement.metrics.views, VALIDATOR) },
          {
            title: "Agree",
            width: 65,
            expr: `1 - ${where(disagreement.metrics.connected, VALIDATOR)}`,
            mappings: YES_NO,
          },
          {
            title: "Benched by",
            width: 100,
            expr: `count by (network, node_id) (max by (network, node, node_id) (${where(benching.metrics.watched, { ...NODE, ...VALIDATOR })}))`,
            thresholds: redAbove(1),
          },
          {
            title: "Last seen",
            width: 95,
            expr: `time() - max by (network, node_id) (${where(peers.metrics.watchedReceived, { ...NODE, ...VALIDATOR })})`,
            unit: "s",
            decimals: 0,
          },
        ],
      },
    ),
    lines(
      {
        id: 202,
        title: "Rewarding stake",
        about:
          "Share of all stake that observed enough uptime of the validator's node for its reward. The nodes with the least.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[top(`(${where(verdict.required, NODE)} ${CHOSEN})`, { of: "lowest" }), "{{node}}"]],
    ),
    lines(
      {
        id: 208,
        title: "Lowest observed uptime",
        about:
          "Lowest uptime of each chosen validator that any polled node observed; the lowest ones. Nodes differ, because each observes on its own.",
        width: 12,
        unit: PercentUnit,
        zoomed: true,
        alerts: ["AvaxValidatorViewsDisagree"],
      },
      [
        [
          withNames(top(least(where(validatorView.metrics.uptime, VIEW)), { ...OF_VALIDATORS, of: "lowest" })),
          "{{name}}",
        ],
      ],
    ),
    lines(
      {
        id: 205,
        title: "Uptime disagreement",
        about:
          "Difference between the largest and smallest uptime that the polled nodes observed of the same validator; the largest ones.",
        width: 12,
        unit: PercentUnit,
        softMax: 1.5 * DISAGREEMENT_RATIO,
        thresholds: redAbove(DISAGREEMENT_RATIO),
        alerts: ["AvaxValidatorViewsDisagree"],
      },
      [
        [
          withNames(top(where(disagreement.metrics.uptime, VALIDATOR), { ...OF_VALIDATORS, of: "highest" })),
          "{{name}}",
        ],
      ],
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
      [
        [
          top(`(${where(benched.metrics.stake, NODE)} > 0 ${CHOSEN})`, {
            of: "highest",
            by: "node, chain",
          }),
          "{{node}} {{chain}}",
        ],
      ],
    ),
  ],
};
