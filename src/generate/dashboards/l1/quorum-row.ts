import { PercentUnit, Seconds, Short } from "@grafana/grafana-foundation-sdk/units";
import { l1Validator } from "../../../topics/l1/l1-validator.ts";
import { LAST_RUNWAY, SHORT_RUNWAY } from "../../../topics/l1/l1-runway-alerts.ts";
import { l1Runway } from "../../../topics/l1/l1-runway.ts";
import { where } from "../../../catalogue/selector.ts";
import { quorumMargin } from "../../../topics/l1/quorum-margin.ts";
import { QUORUM_RATIO, quorum } from "../../../topics/l1/quorum.ts";
import { validators } from "../../../topics/validators/validators.ts";
import { redAbove, redBelow, redOrangeBelow } from "../parts/thresholds.ts";
import { lines, stat } from "../parts/panels.ts";
import { NETWORK, SUBNET } from "../parts/selectors.ts";

const MONTH = 30 * 86_400;
const connected = where(quorum.metrics.connected, SUBNET);

export const quorumRow = {
  id: 100,
  title: "Quorum",
  panels: [
    stat(
      {
        id: 101,
        title: "Connected weight",
        about: `Share of the weight that is active and connected to the network's reference node. Below ${QUORUM_RATIO * 100} % its chains may stop.`,
        width: 4,
        unit: PercentUnit,
        decimals: 1,
        thresholds: redBelow(QUORUM_RATIO),
        alerts: ["AvaxSubnetQuorumAtRisk"],
      },
      [[connected, "{{subnet}}"]],
    ),
    stat(
      {
        id: 109,
        title: "May still go",
        about: `Validators that may go offline, the heaviest first, before less than ${QUORUM_RATIO * 100} % of the weight is connected. 0: the loss of the heaviest one stops it.`,
        width: 4,
        unit: Short,
        noValue: "no quorum",
        alerts: ["AvaxSubnetQuorumAtRisk"],
      },
      [[where(quorumMargin.metrics.spare, SUBNET), "{{subnet}}"]],
    ),
    stat(
      {
        id: 102,
        title: "Validators",
        about: "Records in the validator set of each chosen subnet; a node may be there several times.",
        width: 3,
        unit: Short,
      },
      [
        [
          `${where(validators.metrics.count, SUBNET)} and on (network, subnet) ${where(quorum.metrics.active, SUBNET)}`,
          "{{subnet}}",
        ],
      ],
    ),
    stat(
      {
        id: 103,
        title: "Without balance",
        about:
          "Validators of the chosen L1s whose balance ran out: their weight stays in the total, nobody signs with it.",
        width: 3,
        unit: Short,
        thresholds: redAbove(1),
        alerts: ["AvaxL1ValidatorInactive"],
      },
      [[`sum by (subnet) (${where(l1Validator.metrics.active, SUBNET)} == bool 0)`, "{{subnet}}"]],
    ),
    stat(
      {
        id: 104,
        title: "Shortest runway",
        about: "How long the smallest balance lasts at the present price, of the validators that still have one.",
        width: 4,
        unit: Seconds,
        decimals: 1,
        thresholds: redOrangeBelow(LAST_RUNWAY, SHORT_RUNWAY),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[`min by (subnet) (${where(l1Runway.metrics.runway, SUBNET)} > 0)`, "{{subnet}}"]],
    ),
    stat(
      {
        id: 105,
        title: "AVAX a month",
        about:
          "What each validator of an L1 pays at the present price in 30 days, in AVAX. “observed”: by how fast balances fell, where the server does not tell the price.",
        width: 3,
        unit: Short,
        decimals: 3,
      },
      [
        [
          `${MONTH} * ${where(l1Runway.metrics.price, NETWORK)} * on (instance, job, network) group_right () ${where(l1Runway.metrics.source, NETWORK)}`,
          "{{network}} {{source}}",
        ],
      ],
    ),
    stat(
      {
        id: 106,
        title: "Age of the fee clock",
        about: "Balances are counted by the P-Chain's own clock, which moves with its blocks alone.",
        width: 3,
        unit: Seconds,
        decimals: 0,
      },
      [[`time() - ${where(l1Runway.metrics.clock, NETWORK)}`, "{{network}}"]],
    ),
    lines(
      {
        id: 107,
        title: "Connected and active weight",
        about: "Share of the weight that is active (of an L1: has a balance), and of it what is connected too.",
        width: 12,
        unit: PercentUnit,
        thresholds: redBelow(QUORUM_RATIO),
        alerts: ["AvaxSubnetQuorumAtRisk"],
      },
      [
        [connected, "{{subnet}} connected"],
        [where(quorum.metrics.active, SUBNET), "{{subnet}} active"],
      ],
    ),
    lines(
      {
        id: 108,
        title: "Days until the next balances run out",
        about:
          "Runway of those six validations of the chosen L1s at the present price whose balance is the next to run out.",
        width: 12,
        unit: Short,
        thresholds: redOrangeBelow(LAST_RUNWAY / 86_400, SHORT_RUNWAY / 86_400),
        alerts: ["AvaxL1RunwayShort", "AvaxL1RunwayCritical"],
      },
      [[`bottomk(6, ${where(l1Runway.metrics.runway, SUBNET)} > 0) / 86400`, "{{node_id}} {{validation_id}}"]],
    ),
  ],
};
