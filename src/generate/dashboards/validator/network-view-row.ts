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

const { metrics: granted } = networkVerdict;
/** Restricts facts about polled nodes to those that are chosen validators. */
const CHOSEN = `and on (instance, job, node) ${where(identity.metrics.node, { ...NODE, ...VALIDATOR })}`;
const VIEW = { ...NODE, ...PRIMARY_VALIDATOR } as const;

const connected = where(validatorView.metrics.connected, VIEW);

export const networkViewRow = {
  id: 200,
  title: "What the network sees",
  panels: [
    table(
      {
        id: 201,
        title: "What the network grants the validators that are polled nodes",
        about:
          "Stake that saw the node up for 80 and 90 % of its time, what its own reward needs of it, and the uptimes that its peers observed. Claims too much: the node tells of more stake than its peers do.",
        width: 24,
        height: 9,
        unit: PercentUnit,
        alerts: ["AvaxUptimeRewardAtRisk", "AvaxRewardingStakeOverstated"],
      },
      {
        labels: { node: { title: "Node", link: TO_NODE } },
        sortedBy: "Reward",
        columns: [
          {
            title: "Reward",
            width: 120,
            expr: `${where(granted.required, NODE)} ${CHOSEN}`,
            decimals: 1,
            thresholds: redBelow(LEAST_REWARDING_RATIO),
          },
          {
            title: "Stake at 80 %",
            width: 120,
            expr: `${where(granted.granted, { ...NODE, threshold: "0.8" })} ${CHOSEN}`,
            decimals: 1,
          },
          {
            title: "Stake at 90 %",
            width: 120,
            expr: `${where(granted.granted, { ...NODE, threshold: "0.9" })} ${CHOSEN}`,
            decimals: 1,
          },
          { width: 120, title: "Spoken", expr: `${where(granted.spoken, NODE)} ${CHOSEN}`, decimals: 1 },
          { width: 120, title: "Least", expr: `${where(granted.least, NODE)} ${CHOSEN}`, decimals: 0 },
          { width: 120, title: "Median", expr: `${where(granted.median, NODE)} ${CHOSEN}`, decimals: 0 },
          { width: 120, title: "Most", expr: `${where(granted.most, NODE)} ${CHOSEN}`, decimals: 0 },
          {
            title: "Node's claim",
            width: 120,
            expr: `${where(uptime.metrics.rewarding, NODE)} ${CHOSEN}`,
            decimals: 1,
          },
          {
            title: "Claims too much",
            width: 135,
            expr: `${where(granted.excess, NODE)} ${CHOSEN}`,
            decimals: 1,
            thresholds: redAbove(CLAIM_TOLERANCE_RATIO),
          },
          {
            title: "Allowance used",
            expr: `${where(granted.spent, NODE)} ${CHOSEN}`,
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
          "Whether those polled nodes that see the validator are connected to it: all, some, or none of them. A node is no witness about itself.",
        width: 12,
        height: 12,
        unit: Short,
        mappings: { 0: ["by nobody", "red"], 1: ["by some", "orange"], 2: ["by all", "green"] },
        alerts: ["AvaxValidatorDisconnected"],
      },
      [[`min by (node_id) (${connected}) + max by (node_id) (${connected})`, "{{node_id}}"]],
    ),
    table(
      {
        id: 207,
        title: "Who sees what",
        about:
          "How many polled nodes see each validator, whether they contradict each other about its connection, how many bench it, and its last message to any of them.",
        width: 12,
        height: 12,
        unit: Short,
        alerts: ["AvaxValidatorViewsDisagree", "AvaxNodeBenched"],
      },
      {
        labels: { node_id: { title: "Validator" } },
        columns: [
          { title: "Seen by", expr: where(disagreement.metrics.views, VALIDATOR), width: 80 },
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
            title: "Heard",
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
        title: "Stake that would reward",
        about: "Share of all stake that saw the validator's node up often enough for its reward.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(LEAST_REWARDING_RATIO),
        alerts: ["AvaxUptimeRewardAtRisk"],
      },
      [[`${where(granted.required, NODE)} ${CHOSEN}`, "{{node}}"]],
    ),
    lines(
      {
        id: 208,
        title: "Lowest uptime that any node sees",
        about:
          "Uptime of each chosen validator as the one of the polled nodes observed it that saw least. Each counts what it saw itself, so they differ.",
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
        title: "Disagreement about the uptime",
        about: "Largest less smallest uptime of the same validator among those who see it.",
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
        title: "Stake that benches it",
        about: "Share of all stake that does not query the validator's node, as far as the polled nodes tell.",
        width: 12,
        unit: PercentUnit,
        softMax: 0.2,
        noValue: "nobody benches it",
        thresholds: redAbove(BENCHED_RATIO),
        alerts: ["AvaxNodeBenched"],
      },
      [[`${where(benched.metrics.stake, NODE)} > 0 ${CHOSEN}`, "{{node}} {{chain}}"]],
    ),
  ],
};
